import {
  APIGatewayClient,
  CreateDeploymentCommand,
  paginateGetResources,
} from '@aws-sdk/client-api-gateway';

export type AddressesAsked = {
  readonly region: string;
  /** The deployed API; undefined if there is none yet. */
  readonly apiId: string | undefined;
  /** The blocks' names and ids that the new deployment has. */
  readonly kept: ReadonlySet<string>;
};

/** API Gateway has at most 300 resources an API, or as many as AWS has granted. */
const PAGE_SIZE = 500;

/** The paths of the deployed blocks that callers would no longer find after a deployment. */
export async function vanishingAddresses(asked: AddressesAsked): Promise<string[]> {
  const { region, apiId: restApiId, kept } = asked;
  if (restApiId === undefined) return [];
  const client = new APIGatewayClient({ region });
  const vanishing: string[] = [];
  try {
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
    const reason = `${name}: ${message.replace(/\s+/g, ' ')}`;
    throw new Error(
      `API Gateway does not tell which addresses would end (${reason}). Allow apigateway:GET on /restapis/*, or say --yes.`,
    );
  }
  return vanishing.sort();
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
