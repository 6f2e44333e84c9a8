import {
  APIGatewayClient,
  CreateDeploymentCommand,
  GetRestApiCommand,
  paginateGetResources,
} from '@aws-sdk/client-api-gateway';
import type { DeploymentOptions } from '../deployment-options.ts';
import type { StackHolds } from './deployed-options.ts';
import { oneLine } from './deployed-outputs.ts';

type AddressesAsked = {
  readonly region: string;
  /** What is deployed; without an API, nothing is yet. */
  readonly holds: Pick<StackHolds, 'apiId' | 'baseUrl'>;
  /** The blocks' names and ids that the new deployment has. */
  readonly kept: ReadonlySet<string>;
  readonly options: Pick<DeploymentOptions, 'domainName' | 'stage'>;
};

/** API Gateway has at most 300 resources an API, or as many as AWS has granted. */
const PAGE_SIZE = 500;

/**
 * The paths of the deployed blocks that callers would no longer find after a deployment, and the
 * service's own address if that would end.
 */
export async function vanishingAddresses(asked: AddressesAsked): Promise<string[]> {
  const { region, holds, kept } = asked;
  const { apiId: restApiId } = holds;
  if (restApiId === undefined) return [];
  const client = new APIGatewayClient({ region });
  const vanishing: string[] = [];
  try {
    vanishing.push(...(await endingServices(client, restApiId, asked)));
    const pages = paginateGetResources({ client, pageSize: PAGE_SIZE }, { restApiId });
    for await (const { items = [] } of pages) {
      for (const { path = '' } of items) {
        const [, address] = /^\/api_v2\/blocks\/([^/{]+)$/.exec(path) ?? [];
        if (address !== undefined && !kept.has(address)) vanishing.push(path);
      }
    }
  } catch (error) {
    const { name, message } = error as Error;
    // Somebody has removed the API by hand: then nobody calls it.
    if (name === 'NotFoundException') return [];
    const reason = `${name}: ${oneLine(message)}`;
    throw new Error(
      `API Gateway does not tell which addresses would end (${reason}). Allow apigateway:GET on /restapis/*, or say --yes.`,
    );
  }
  return vanishing.sort();
}

/** The service's address if the next one differs; at a domain, also API Gateway's if it is still on. */
async function endingServices(
  client: APIGatewayClient,
  restApiId: string,
  { region, holds: { baseUrl }, options: { domainName, stage } }: AddressesAsked,
): Promise<string[]> {
  if (baseUrl === undefined) return [];
  if (domainName === undefined) {
    const isSame = baseUrl.includes('.execute-api.') && baseUrl.endsWith(`/${stage}`);
    return isSame ? [] : [baseUrl];
  }
  if (baseUrl !== `https://${domainName}`) return [baseUrl];
  const { disableExecuteApiEndpoint: isOff } = await client.send(
    new GetRestApiCommand({ restApiId }),
  );
  return isOff ? [] : [`https://${restApiId}.execute-api.${region}.amazonaws.com/${stage}`];
}

/**
 * Takes the routes that are gone out of a stage, so that they answer 404. CloudFormation deletes
 * routes last: the stage's own copy, made before, would send their requests to functions that are
 * gone, which is a 500. Returns a line for whoever deploys.
 */
export async function endAddresses(
  region: string,
  restApiId: string,
  stageName: string,
): Promise<string> {
  const description = 'Without the addresses that ended';
  try {
    const client = new APIGatewayClient({ region });
    await client.send(new CreateDeploymentCommand({ restApiId, stageName, description }));
    return 'The addresses that ended answer 404.';
  } catch (error) {
    const command = `aws apigateway create-deployment --rest-api-id ${restApiId} --stage-name ${stageName}`;
    return `The addresses that ended answer 500 until somebody may deploy the API once more (${(error as Error).name}): ${command}`;
  }
}
