import { catalogRoutes } from '../../src/http/catalog-routes.ts';
import { apiGatewayHandler } from '../../src/lambda/api-gateway-handler.ts';
import { lambdaSettings } from '../../src/lambda/lambda-settings.ts';

/** A function that is of no block. */
export const handler = apiGatewayHandler(
  catalogRoutes({ blocks: [], files: {}, texts: () => [] }),
  lambdaSettings(process.env),
);
