import { readFileSync } from 'node:fs';
import { catalogRoutes } from '../src/http/catalog-routes.ts';
import { apiGatewayHandler } from '../src/lambda/api-gateway-handler.ts';
import { withSelfCheck } from '../src/lambda/lambda-handler.ts';
import { lambdaSettings } from '../src/lambda/lambda-settings.ts';

// The build puts the list, what blocks are found by, and the files beside the code.
const read = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

const catalog = { ...read('./catalog.json'), texts: () => read('./texts.json') };

/** The catalogue as a Lambda function. Loading its list is check enough. */
export const handler = withSelfCheck(
  apiGatewayHandler(catalogRoutes(catalog), lambdaSettings(process.env)),
  async () => {},
);
