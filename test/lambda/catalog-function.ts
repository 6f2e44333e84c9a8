import { catalogApp } from '../../src/catalog/catalog-app.ts';
import { apiGatewayHandler } from '../../src/lambda/api-gateway-handler.ts';
import { lambdaSettings } from '../../src/lambda/lambda-settings.ts';

/** A function that is of no block. */
const settings = lambdaSettings(process.env);
export const handler = apiGatewayHandler(
  catalogApp({ blocks: [], files: {} }, settings),
  settings,
  null,
);
