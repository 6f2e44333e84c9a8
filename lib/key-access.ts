import { CfnOutput, Duration } from 'aws-cdk-lib';
import {
  ApiKeySourceType,
  AuthorizationType,
  type CfnAuthorizer,
  type MethodOptions,
  Period,
  RequestAuthorizer,
  type RestApi,
  type RestApiProps,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type FunctionDefaults, ServiceFunction } from './service-function.ts';

export type KeyAccessProps = {
  /** The folder of the authorizer's code. */
  readonly keyAuthorizer: string;
  readonly defaults: FunctionDefaults;
  /** The check of the authorizer waits for this. */
  readonly after: Construct;
};

/** What each key may ask for. */
export type KeyPlan = {
  readonly name: string;
  /** Requests a second, at once, and a day. */
  readonly rate: number;
  readonly burst: number;
  readonly quota: number;
};

/**
 * Access only for holders of a key. The authorizer finds the key in any of its three places; API
 * Gateway checks it and counts requests against the usage plan.
 */
export class KeyAccess extends Construct {
  readonly apiProps: RestApiProps = { apiKeySourceType: ApiKeySourceType.AUTHORIZER };
  readonly methodOptions: MethodOptions;
  readonly finder: IFunction;

  constructor(scope: Construct, id: string, { keyAuthorizer, defaults, after }: KeyAccessProps) {
    super(scope, id);
    const finder = new ServiceFunction(this, 'Authorizer', {
      description: "Finds a request's key",
      code: keyAuthorizer,
      defaults,
    });
    finder.checkItself(after);
    this.finder = finder.function as IFunction;
    const authorizer = new RequestAuthorizer(this, 'RequestAuthorizer', {
      handler: finder.alias as IFunction,
      // A key may be in any of three places, so no single place identifies the caller: API Gateway
      // must not refuse or cache by one.
      identitySources: [],
      resultsCacheTtl: Duration.seconds(0),
    });
    // The CDK would write an empty one.
    (authorizer.node.defaultChild as CfnAuthorizer).addPropertyDeletionOverride('IdentitySource');
    this.methodOptions = {
      apiKeyRequired: true,
      authorizationType: AuthorizationType.CUSTOM,
      authorizer,
    };
  }

  addPlan(api: RestApi, { name, rate, burst, quota }: KeyPlan): void {
    const plan = api.addUsagePlan('Plan', {
      name,
      description: 'What each key may ask for',
      apiStages: [{ stage: api.deploymentStage }],
      throttle: { rateLimit: rate, burstLimit: burst },
      quota: { limit: quota, period: Period.DAY },
    });
    new CfnOutput(this, 'UsagePlanId', { value: plan.usagePlanId }).overrideLogicalId(
      'UsagePlanId',
    );
  }
}
