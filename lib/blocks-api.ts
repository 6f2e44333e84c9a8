import {
  type CfnResource as AnyResource,
  CfnOutput,
  Lazy,
  type NestedStack,
  RemovalPolicy,
  Stack,
  Validations,
} from 'aws-cdk-lib';
import {
  AccessLogFormat,
  CfnAccount,
  CfnGatewayResponse,
  CfnMethod,
  CfnResource,
  DomainName,
  EndpointType,
  type IResource,
  type IRestApi,
  LambdaIntegration,
  type LambdaIntegrationOptions,
  LogGroupLogDestination,
  Resource,
  ResponseTransferMode,
  ResponseType,
  RestApi,
  SecurityPolicy,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct, type IConstruct } from 'constructs';
import { ROBOTS } from '../src/portals/site-files.ts';
import { PROBLEMS, Problem, type ProblemCode } from '../src/problem/errors.ts';
import { flatProblem, problemDetails } from '../src/problem/problem.ts';
import { KeyAccess, type KeyAccessProps, type KeyPlan } from './key-access.ts';
import { type LogSettings, logGroup, STREAM_TIMEOUT } from './service-function.ts';

/** A block's function, and the names in its addresses. */
type BlockRoute = {
  /** It answers at each, and all that lies below. */
  readonly addresses: readonly string[];
  readonly function: IFunction;
  /** Whether the function streams its answers. */
  readonly streams: boolean;
};

type BlocksApiProps = {
  /** Answers all paths that belong to no block. */
  readonly catalog: IFunction;
  readonly name: string;
  readonly stage: StageSettings;
  /** Whether the API has a domain, which is then its only address. */
  readonly hasDomain: boolean;
  /** Whether the account's region gets a role here by which API Gateway writes logs. */
  readonly makesLogRole: boolean;
  readonly logs: LogSettings;
  /** Absent if anybody may call. */
  readonly keys?: { readonly access: KeyAccessProps; readonly plan: KeyPlan } | undefined;
};

type StageSettings = Pick<
  StageOptions,
  'stageName' | 'throttlingRateLimit' | 'throttlingBurstLimit' | 'tracingEnabled'
>;

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
  /** The routes that neither a part nor a channel has. */
  readonly #own: ReadonlySet<unknown>;

  constructor(scope: Construct, id: string, props: BlocksApiProps) {
    super(scope, id);
    const { catalog, name, stage, hasDomain, makesLogRole, logs, keys } = props;
    this.accessLog = logGroup(this, 'AccessLog', logs);
    this.#keys = keys && new KeyAccess(this, 'Keys', keys.access);
    this.api = new RestApi(this, 'Api', {
      restApiName: name,
      description: 'Data functions (blockyard)',
      // Passes bodies on unchanged, whatever their type; the functions read them.
      binaryMediaTypes: ['*/*'],
      cloudWatchRole: false,
      // Avoids CloudFront, which would limit addresses and bodies more tightly than we do.
      endpointTypes: [EndpointType.REGIONAL],
      // Whoever has a domain has one address: caches, CORS and keys are then about one.
      disableExecuteApiEndpoint: hasDomain,
      deployOptions: {
        ...stage,
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat: ACCESS_LOG_FORMAT,
      },
      ...this.#keys?.apiProps,
    });
    // The stack has its own output for the address.
    this.api.node.tryRemoveChild('Endpoint');
    if (makesLogRole) {
      this.api.deploymentStage.node.addDependency(apiLogRole(this));
    }
    refuseAtGateway(this.api);
    this.#toCatalog = integrationOf(catalog);
    const { root } = this.api;
    const version = root.addResource('api_v2');
    this.#blocks = version.addResource('blocks');
    for (const resource of [root, version, this.#blocks]) this.#catalogued(resource);
    // Search engines have no key, and are to be told to stay away.
    if (this.#keys !== undefined) root.addResource(ROBOTS).addMethod('ANY', this.#toCatalog);
    if (keys !== undefined) this.#keys?.addPlan(this.api, keys.plan);
    const own = routesIn(this.api);
    inTurn(own);
    inTurn(refusalsOf(this.api));
    this.#own = new Set(own);
    this.#acknowledge();
  }

  /** The function that finds keys; absent if anybody may call. */
  get authorizer(): IFunction | undefined {
    return this.#keys?.finder;
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
    inTurn(routesIn(part));
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

  /**
   * Lets the stage have the routes of the parts: a deployment is a copy of all that is there. The
   * parts' routes come after the API's own, and the channels' after them.
   */
  deployAfter(parts: readonly NestedStack[]): void {
    const deployment = this.api.latestDeployment;
    if (deployment === undefined) throw new TypeError('The API has no deployment.');
    const routes = routesIn(this.api);
    const own = [routes.filter((one) => this.#own.has(one)), refusalsOf(this.api)];
    const ofChannels = routes.filter((one) => !this.#own.has(one));
    inTurn(ofChannels);
    for (const { nestedStackResource } of parts) {
      if (nestedStackResource === undefined) continue;
      deployment.node.addDependency(nestedStackResource);
      for (const last of own.flatMap((made) => made.at(-1) ?? [])) {
        nestedStackResource.addResourceDependency(last);
      }
      ofChannels[0]?.addResourceDependency(nestedStackResource);
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
    const reason = ACCESS_REASONS[this.#keys === undefined ? 'open' : 'keys'];
    Validations.of(routes).acknowledge(
      { id: 'AwsSolutions-COG4', reason },
      { id: 'AwsSolutions-APIG4', reason },
    );
  }
}

/** The addresses and methods in a part of the tree of constructs, each address before its own. */
function routesIn(scope: IConstruct): (CfnResource | CfnMethod)[] {
  return scope.node
    .findAll()
    .filter((construct) => construct instanceof CfnResource || construct instanceof CfnMethod);
}

/** The API's own refusals. */
function refusalsOf({ node }: RestApi): CfnGatewayResponse[] {
  return node.findAll().filter((construct) => construct instanceof CfnGatewayResponse);
}

/**
 * Has CloudFormation make resources one after the other. API Gateway takes 5 CreateResource and 10
 * calls a second from an account ("Amazon API Gateway quotas"), which AWS does not raise; a method
 * is two calls. Parts that are made at once have a turn each.
 */
function inTurn(made: readonly AnyResource[]): void {
  for (const [i, one] of made.entries()) {
    if (i > 0) one.addResourceDependency(made[i - 1] as AnyResource);
  }
}

/** All that a part's routes say, as it will be in its template. */
function routesOf(part: NestedStack): unknown {
  return routesIn(part).map((route) => {
    if (route instanceof CfnResource) return part.resolve([route.parentId, route.pathPart]);
    const { resourceId, httpMethod, integration, authorizationType, apiKeyRequired } = route;
    return part.resolve([resourceId, httpMethod, integration, authorizationType, apiKeyRequired]);
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
    firstByteMilliseconds: '$context.integration.timeToFirstContent',
    bytes: '$context.responseLength',
  }),
);

/** The actions of API Gateway: it creates log streams and checks what exists. */
const ACTIONS = [
  'logs:CreateLogGroup',
  'logs:CreateLogStream',
  'logs:DescribeLogGroups',
  'logs:DescribeLogStreams',
  'logs:PutLogEvents',
  'logs:GetLogEvents',
  'logs:FilterLogEvents',
];

/**
 * Makes the role with which API Gateway writes logs. All APIs of the account's region share it, so
 * it stays, and stays set, when the stack is removed.
 */
function apiLogRole(scope: Construct): CfnAccount {
  const role = new Role(scope, 'LogRole', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    description: 'API Gateway writes its access logs',
    inlinePolicies: {
      WriteLogs: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ACTIONS,
            resources: [Stack.of(scope).formatArn({ service: 'logs', resource: '*' })],
          }),
        ],
      }),
    },
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:*]',
    reason:
      "The role is the region's: it serves every API of the account, this stack's or another's.",
  });
  role.applyRemovalPolicy(RemovalPolicy.RETAIN);
  const account = new CfnAccount(scope, 'LogAccount', { cloudWatchRoleArn: role.roleArn });
  account.applyRemovalPolicy(RemovalPolicy.RETAIN);
  return account;
}

type GatewayRefusal = {
  readonly code: ProblemCode;
  readonly detail: string;
  /** In seconds. */
  readonly retryAfter?: number;
};

const KEY_MISSING: GatewayRefusal = {
  code: 'key-missing',
  detail: 'Send a key as x-api-key, as Authorization: Bearer, or as api_key in the query.',
};
// One text for wrong, disabled, deleted and plan-less keys, so that callers cannot tell which it
// is.
const KEY_REFUSED: GatewayRefusal = {
  code: 'key-refused',
  detail: 'The key is not accepted. Ask whoever runs this service for one that is.',
};
const NOTHING_HERE: GatewayRefusal = {
  code: 'not-found',
  detail: 'The blocks are listed at /api_v2/blocks.',
};
const NOT_HTTP: GatewayRefusal = {
  code: 'bad-request',
  detail: 'The request is not valid here, or its address is too long.',
};
const BROKEN: GatewayRefusal = {
  code: 'internal-error',
  detail: 'Something broke on our side. The run id helps to find it.',
};
const NO_ANSWER: GatewayRefusal = {
  code: 'service-unavailable',
  detail: 'The service did not answer. Try again soon.',
  retryAfter: 1,
};

/** The refusals that API Gateway makes itself, by type. */
export const GATEWAY_REFUSALS: ReadonlyMap<ResponseType, GatewayRefusal> = new Map([
  [ResponseType.UNAUTHORIZED, KEY_MISSING],
  [ResponseType.ACCESS_DENIED, KEY_REFUSED],
  [ResponseType.INVALID_API_KEY, KEY_REFUSED],
  [ResponseType.EXPIRED_TOKEN, KEY_REFUSED],
  [ResponseType.INVALID_SIGNATURE, KEY_REFUSED],
  [ResponseType.WAF_FILTERED, KEY_REFUSED],
  // API Gateway gives this type to addresses and methods without a route.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, NOTHING_HERE],
  [ResponseType.RESOURCE_NOT_FOUND, NOTHING_HERE],
  [ResponseType.BAD_REQUEST_BODY, NOT_HTTP],
  [ResponseType.BAD_REQUEST_PARAMETERS, NOT_HTTP],
  [ResponseType.DEFAULT_4XX, NOT_HTTP],
  [
    ResponseType.REQUEST_TOO_LARGE,
    { code: 'body-too-large', detail: 'The body may have 262,144 bytes. Send less at a time.' },
  ],
  [
    ResponseType.UNSUPPORTED_MEDIA_TYPE,
    { code: 'unsupported-media-type', detail: 'Send JSON or a form.' },
  ],
  [
    ResponseType.THROTTLED,
    { code: 'too-many-requests', detail: 'Wait a second, then try again.', retryAfter: 1 },
  ],
  [
    ResponseType.QUOTA_EXCEEDED,
    {
      code: 'quota-exceeded',
      detail: "The key's requests of the day are used up. Try again tomorrow.",
      // We do not know when this key's day began; an hour is a fair guess.
      retryAfter: 3600,
    },
  ],
  [ResponseType.API_CONFIGURATION_ERROR, BROKEN],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, BROKEN],
  // The function was throttled, or failed before it could answer.
  [ResponseType.DEFAULT_5XX, NO_ANSWER],
  [ResponseType.AUTHORIZER_FAILURE, NO_ANSWER],
  [ResponseType.INTEGRATION_FAILURE, NO_ANSWER],
  [ResponseType.INTEGRATION_TIMEOUT, NO_ANSWER],
]);

/**
 * Makes API Gateway's own refusals look like ours: a problem, with a run id and CORS headers. One
 * fixed body serves both envelopes, so it has the members of both.
 */
export function refuseAtGateway(api: RestApi): void {
  for (const [type, { code, detail, retryAfter }] of GATEWAY_REFUSALS) {
    const refusal = new Problem(code, detail);
    const body = { ...problemDetails(refusal, '$context.requestId'), ...flatProblem(refusal) };
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(PROBLEMS[code].status),
      responseHeaders: {
        'Access-Control-Allow-Origin': "'*'",
        'Access-Control-Expose-Headers': "'Retry-After, X-Run-Id'",
        'Cache-Control': "'no-store'",
        'X-Content-Type-Options': "'nosniff'",
        'X-Run-Id': 'context.requestId',
        ...(retryAfter === undefined ? {} : { 'Retry-After': `'${retryAfter}'` }),
      },
      templates: { 'application/json': JSON.stringify(body) },
    });
  }
}

type ServiceDomainProps = {
  readonly api: RestApi;
  readonly domainName: string;
  readonly certificateArn: string;
};

/** The API at its own domain, without a stage in its addresses. */
export class ServiceDomain extends Construct {
  constructor(scope: Construct, id: string, props: ServiceDomainProps) {
    super(scope, id);
    const { api, domainName, certificateArn } = props;
    const domain = new DomainName(this, 'Domain', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
      mapping: api as IRestApi,
    });
    new CfnOutput(this, 'CnameTarget', {
      value: domain.domainNameAliasDomainName,
      description: `Let ${domainName} be a CNAME of this name.`,
    }).overrideLogicalId('CnameTarget');
  }
}
