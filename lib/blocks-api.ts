import { Lazy, type NestedStack, type Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  CfnMethod,
  CfnResource,
  EndpointType,
  type IResource,
  LambdaIntegration,
  type LambdaIntegrationOptions,
  LogGroupLogDestination,
  Resource,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct, type IConstruct } from 'constructs';
import { apiLogRole } from './api-log-role.ts';
import type { DeploymentOptions } from './deployment-options.ts';
import { STREAM_TIMEOUT } from './function-settings.ts';
import { refuseAtGateway } from './gateway-refusals.ts';
import { KeyAccess } from './key-access.ts';
import { logGroup } from './log-group.ts';

/** A block's function, and the names in its addresses. */
export type BlockRoute = {
  /** It answers at each, and all that lies below. */
  readonly addresses: readonly string[];
  readonly function: IFunction;
  /** Whether the function streams its answers. */
  readonly streams: boolean;
};

export type BlocksApiProps = {
  /** Answers all paths that belong to no block. */
  readonly catalog: IFunction;
  /** The folder of the authorizer's code. */
  readonly keyAuthorizer: string;
  readonly options: DeploymentOptions;
};

/**
 * The REST API: routes to each block's function, and to the catalogue's for everything else. The
 * routes of blocks belong to their parts.
 */
export class BlocksApi extends Construct {
  readonly api: RestApi;
  readonly accessLog: LogGroup;
  readonly #keys: KeyAccess | undefined;
  readonly #toCatalog: LambdaIntegration;
  readonly #blocks: IResource;
  readonly #access: DeploymentOptions['access'];

  constructor(scope: Construct, id: string, props: BlocksApiProps) {
    super(scope, id);
    const { catalog, keyAuthorizer, options } = props;
    const { stackName, stage, access, throttleRate, throttleBurst } = options;
    this.#access = access;
    this.accessLog = logGroup(this, 'AccessLog', options);
    this.#keys =
      access === 'keys' ? new KeyAccess(this, 'Keys', { keyAuthorizer, options }) : undefined;
    this.api = new RestApi(this, 'Api', {
      restApiName: stackName,
      description: 'Data functions (blockyard)',
      // Passes bodies on unchanged, whatever their type; the functions read them.
      binaryMediaTypes: ['*/*'],
      cloudWatchRole: false,
      // Avoids CloudFront, which would limit addresses and bodies more tightly than we do.
      endpointTypes: [EndpointType.REGIONAL],
      // Whoever has a domain has one address: caches, CORS and keys are then about one.
      disableExecuteApiEndpoint: options.domainName !== undefined,
      deployOptions: {
        stageName: stage,
        throttlingRateLimit: throttleRate,
        throttlingBurstLimit: throttleBurst,
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat: ACCESS_LOG_FORMAT,
      },
      ...this.#keys?.apiProps,
    });
    // The stack has its own output for the address.
    this.api.node.tryRemoveChild('Endpoint');
    if (options.apiLogRole === 'create') {
      this.api.deploymentStage.node.addDependency(apiLogRole(this));
    }
    refuseAtGateway(this.api);
    this.#toCatalog = integrationOf(catalog);
    const { root } = this.api;
    const version = root.addResource('api_v2');
    this.#blocks = version.addResource('blocks');
    for (const resource of [root, version, this.#blocks]) this.#catalogued(resource);
    this.#keys?.addPlan(this.api);
    this.#acknowledge();
  }

  /** Routes blocks' addresses to their functions, by resources of the blocks' part. */
  route(part: Stack, blocks: readonly BlockRoute[]): void {
    const { restApiId, restApiRootResourceId: rootResourceId } = this.api;
    const restApi = RestApi.fromRestApiAttributes(part, 'Api', { restApiId, rootResourceId });
    const { resourceId, path } = this.#blocks;
    const list = Resource.fromResourceAttributes(part, 'Blocks', { restApi, resourceId, path });
    for (const { addresses, function: fn, streams } of blocks) {
      const toBlock = integrationOf(fn, streams ? STREAMED : {});
      for (const address of addresses) this.#routeAll(list.addResource(address), toBlock);
    }
    this.#acknowledgeAccess(list);
  }

  /** Routes a path below the service's root to a function. */
  addChannel(path: string, fn: IFunction): void {
    const [last = '', ...folders] = path.split('/').slice(1).reverse();
    const folder = folders.reduceRight<IResource>(
      (above, name) => above.getResource(name) ?? this.#catalogued(above.addResource(name)),
      this.api.root,
    );
    this.#route(folder.addResource(last), integrationOf(fn));
  }

  /** Lets the stage have the routes of the parts: a deployment is a copy of all that is there. */
  deployAfter(parts: readonly NestedStack[]): void {
    const deployment = this.api.latestDeployment;
    if (deployment === undefined) throw new TypeError('The API has no deployment.');
    for (const { nestedStackResource } of parts) {
      if (nestedStackResource !== undefined) deployment.node.addDependency(nestedStackResource);
    }
    // A deployment of the same id would be the old one, without the routes that are new.
    deployment.addToLogicalId(Lazy.any({ produce: () => parts.map(routesOf) }));
  }

  #route(resource: IResource, integration: LambdaIntegration): void {
    resource.addMethod('ANY', integration, this.#keys?.methodOptions ?? {});
    // Browsers ask without a key whether they may send one.
    if (this.#keys !== undefined) resource.addMethod('OPTIONS', integration);
  }

  /** Routes an address and all that lies below it. */
  #routeAll(resource: IResource, integration: LambdaIntegration): void {
    this.#route(resource, integration);
    this.#route(resource.addResource('{proxy+}'), integration);
  }

  #catalogued(resource: IResource): IResource {
    this.#routeAll(resource, this.#toCatalog);
    return resource;
  }

  #acknowledge(): void {
    Validations.of(this.api).acknowledge({
      id: 'AwsSolutions-APIG2',
      reason: 'The functions validate: a validator here would refuse what the contract accepts.',
    });
    this.#acknowledgeAccess(this.api);
    Validations.of(this.api.deploymentStage).acknowledge(
      {
        id: 'AwsSolutions-APIG3',
        reason: 'A web ACL costs 5 USD a month idle; the throttle bounds what a caller can do.',
      },
      {
        id: 'AwsSolutions-APIG6',
        reason: 'Execution logs hold query strings, and a query may hold a key (?api_key=).',
      },
    );
  }

  #acknowledgeAccess(routes: IConstruct): void {
    const reason = ACCESS_REASONS[this.#access];
    Validations.of(routes).acknowledge(
      { id: 'AwsSolutions-COG4', reason },
      { id: 'AwsSolutions-APIG4', reason },
    );
  }
}

/** All that a part's routes say, as it will be in its template. */
function routesOf(part: NestedStack): unknown {
  return part.node.findAll().flatMap((construct) => {
    if (construct instanceof CfnResource) {
      return [part.resolve([construct.parentId, construct.pathPart])];
    }
    if (!(construct instanceof CfnMethod)) return [];
    const { resourceId, httpMethod, integration, authorizationType, apiKeyRequired } = construct;
    return [part.resolve([resourceId, httpMethod, integration, authorizationType, apiKeyRequired])];
  });
}

const ACCESS_REASONS = {
  open: 'Open data, for anyone: access=keys asks for a key.',
  keys: 'Callers hold keys of API Gateway, found by the authorizer; OPTIONS is a browser that asks whether it may send one.',
} as const;

/** As long as API Gateway lets an answer take. */
const STREAMED: LambdaIntegrationOptions = {
  responseTransferMode: ResponseTransferMode.STREAM,
  timeout: STREAM_TIMEOUT,
};

function integrationOf(fn: IFunction, options: LambdaIntegrationOptions = {}): LambdaIntegration {
  return new LambdaIntegration(fn, { scopePermissionToMethod: false, ...options });
}

/**
 * A line of the access log. It has the route's path but no query, and does not identify the caller.
 * `requestId` is the run id.
 */
const ACCESS_LOG_FORMAT = AccessLogFormat.custom(
  JSON.stringify({
    requestId: '$context.requestId',
    time: '$context.requestTimeEpoch',
    method: '$context.httpMethod',
    resource: '$context.resourcePath',
    status: '$context.status',
    functionStatus: '$context.integration.integrationStatus',
    refusedAs: '$context.error.responseType',
    milliseconds: '$context.responseLatency',
    bytes: '$context.responseLength',
  }),
);
