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
import type { DeploymentOptions } from './deployment-options.ts';
import { ServiceFunction } from './service-function.ts';

export type KeyAccessProps = {
  readonly keyAuthorizer: string;
  readonly options: DeploymentOptions;
};

/**
 * Access only for holders of a key. The authorizer finds the key in any of its three places; API
 * Gateway checks it and counts requests against the usage plan.
 */
export class KeyAccess extends Construct {
  readonly apiProps: RestApiProps = { apiKeySourceType: ApiKeySourceType.AUTHORIZER };
  readonly methodOptions: MethodOptions;
  readonly #options: DeploymentOptions;

  constructor(scope: Construct, id: string, { keyAuthorizer, options }: KeyAccessProps) {
    super(scope, id);
    this.#options = options;
    const finder = new ServiceFunction(this, 'Authorizer', {
      description: "Finds a request's key",
      code: keyAuthorizer,
      options,
    });
    finder.checkItself();
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

  addPlan(api: RestApi): void {
    const { stackName, keyRate, keyBurst, keyQuota } = this.#options;
    const plan = api.addUsagePlan('Plan', {
      name: stackName,
      description: 'What each key may ask for',
      apiStages: [{ stage: api.deploymentStage }],
      throttle: { rateLimit: keyRate, burstLimit: keyBurst },
      quota: { limit: keyQuota, period: Period.DAY },
    });
    new CfnOutput(this, 'UsagePlanId', { value: plan.usagePlanId }).overrideLogicalId(
      'UsagePlanId',
    );
  }
}
