import { readFileSync } from 'node:fs';
import { catalogRoutes } from '../src/http/catalog-routes.ts';
import { apiGatewayHandler } from '../src/lambda/api-gateway-handler.ts';
import { withSelfCheck } from '../src/lambda/lambda-handler.ts';
import { lambdaSettings } from '../src/lambda/lambda-settings.ts';

// The build puts the list and the files beside the code.
const catalog = JSON.parse(readFileSync(new URL('./catalog.json', import.meta.url), 'utf8'));

/** The catalogue as a Lambda function. Loading its list is check enough. */
export const handler = withSelfCheck(
  apiGatewayHandler(catalogRoutes(catalog), lambdaSettings(process.env)),
  async () => {},
);
