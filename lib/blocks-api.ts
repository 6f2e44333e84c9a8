import { Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  type IResource,
  LambdaIntegration,
  type LambdaIntegrationOptions,
  LogGroupLogDestination,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
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
  readonly blocks: readonly BlockRoute[];
  /** Other functions that answer requests, by path. */
  readonly channels: Readonly<Record<string, IFunction>>;
  /** Answers all paths that belong to no block. */
  readonly catalog: IFunction;
  /** The folder of the authorizer's code. */
  readonly keyAuthorizer: string;
  readonly options: DeploymentOptions;
};

/** The REST API: routes to each block's function, and to the catalogue's for everything else. */
export class BlocksApi extends Construct {
  readonly api: RestApi;
  readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, props: BlocksApiProps) {
    super(scope, id);
    const { blocks, channels, catalog, keyAuthorizer, options } = props;
    const { stackName, stage, access, throttleRate, throttleBurst } = options;
    this.accessLog = logGroup(this, 'AccessLog', options);
    const keys =
      access === 'keys' ? new KeyAccess(this, 'Keys', { keyAuthorizer, options }) : undefined;
    this.api = new RestApi(this, 'Api', {
      restApiName: stackName,
      description: 'Data functions (blockyard)',
      // Passes bodies on unchanged, whatever their type; the functions read them.
      binaryMediaTypes: ['*/*'],
      cloudWatchRole: false,
      // Avoids CloudFront, which would limit addresses and bodies more tightly than we do.
      endpointTypes: [EndpointType.REGIONAL],
      deployOptions: {
        stageName: stage,
        throttlingRateLimit: throttleRate,
        throttlingBurstLimit: throttleBurst,
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat: ACCESS_LOG_FORMAT,
      },
      ...keys?.apiProps,
    });
    // The stack has its own output for the address.
    this.api.node.tryRemoveChild('Endpoint');
    if (options.apiLogRole === 'create') {
      this.api.deploymentStage.node.addDependency(apiLogRole(this));
    }
    refuseAtGateway(this.api);
    const toCatalog = integrationOf(catalog);
    const route = (resource: IResource, integration: LambdaIntegration) => {
      resource.addMethod('ANY', integration, keys?.methodOptions ?? {});
      // Browsers ask without a key whether they may send one.
      if (keys !== undefined) resource.addMethod('OPTIONS', integration);
    };
    const { root } = this.api;
    const version = root.addResource('api_v2');
    const list = version.addResource('blocks');
    /** To the same function at an address and at all that lies below it. */
    const routeAll = (resource: IResource, integration: LambdaIntegration) => {
      route(resource, integration);
      route(resource.addResource('{proxy+}'), integration);
      return resource;
    };
    const catalogued = (resource: IResource) => routeAll(resource, toCatalog);
    for (const resource of [root, version, list]) catalogued(resource);
    for (const { addresses, function: fn, streams } of blocks) {
      const toBlock = integrationOf(fn, streams ? STREAMED : {});
      for (const address of addresses) routeAll(list.addResource(address), toBlock);
    }
    for (const [path, fn] of Object.entries(channels)) {
      const [last = '', ...folders] = path.split('/').slice(1).reverse();
      const folder = folders.reduceRight<IResource>(
        (above, name) => above.getResource(name) ?? catalogued(above.addResource(name)),
        root,
      );
      route(folder.addResource(last), integrationOf(fn));
    }
    keys?.addPlan(this.api);
    this.#acknowledge(options);
  }

  #acknowledge({ access }: DeploymentOptions): void {
    Validations.of(this.api).acknowledge(
      {
        id: 'AwsSolutions-APIG2',
        reason: 'The functions validate: a validator here would refuse what the contract accepts.',
      },
      { id: 'AwsSolutions-COG4', reason: ACCESS_REASONS[access] },
      { id: 'AwsSolutions-APIG4', reason: ACCESS_REASONS[access] },
    );
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
