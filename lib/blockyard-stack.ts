import { createHash } from 'node:crypto';
import { type CfnElement, CfnOutput, Lazy, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { BuiltService } from '../src/build/build-service.ts';
import { AccountBudget } from './account-budget.ts';
import type { BlockPart } from './block-part.ts';
import { blockParts } from './block-parts.ts';
import { BlocksApi } from './blocks-api.ts';
import { ChannelService } from './channel-service.ts';
import type { DeploymentOptions } from './deployment-options.ts';
import { logTriggers } from './log-group.ts';
import { ServiceAlarms } from './service-alarms.ts';
import { ServiceDashboard } from './service-dashboard.ts';
import { ServiceDomain } from './service-domain.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceMetrics } from './service-metrics.ts';

export type BlockyardStackProps = StackProps & {
  readonly service: BuiltService;
  readonly options: DeploymentOptions;
};

/**
 * The whole service: the parts with each block's table and function, the catalogue, and the API in
 * front.
 */
export class BlockyardStack extends Stack {
  constructor(scope: Construct, id: string, props: BlockyardStackProps) {
    super(scope, id, props);
    const { service, options } = props;
    const catalog = new ServiceFunction(this, 'Catalog', {
      description: 'Lists the blocks, and answers where there is none',
      code: service.catalog,
      options,
    });
    catalog.checkItself();
    const channel = new BlocksApi(this, 'Channel', {
      catalog: catalog.alias as IFunction,
      keyAuthorizer: service.keyAuthorizer,
      options,
    });
    const { api, accessLog } = channel;
    const { blocks, check } = service;
    const parts = blockParts(this, { blocks, api: channel, check, options });
    const live = parts.flatMap(({ nestedStackResource }) => nestedStackResource ?? []);
    // An old version and its table are removed only after the runs that began on it have ended.
    const drain = new ServiceFunction(this, 'Drain', {
      description: 'Waits, in a deployment, for running requests to end',
      code: service.drain,
      environment: { VERSIONS: Lazy.string({ produce: () => digestOf(parts) }) },
      options,
    });
    drain.checkItself(...live);
    const mcp = new ChannelService(this, 'Mcp', {
      description: 'The blocks as tools of LLMs',
      code: service.mcp.code,
      blocks: live,
      options,
    });
    channel.addChannel(service.mcp.path, mcp.alias as IFunction);
    const { slackSecret } = options;
    if (slackSecret !== undefined) {
      const slack = new ChannelService(this, 'Slack', {
        description: 'The blocks as a slash command of Slack',
        code: service.slack.code,
        blocks: live,
        secret: { setting: 'SLACK_SECRET_NAME', name: slackSecret },
        options,
      });
      channel.addChannel(service.slack.path, slack.alias as IFunction);
    }
    channel.deployAfter(parts);
    logTriggers(this, options);
    const metrics = new ServiceMetrics(this, 'Metrics', { api, accessLog, options });
    new ServiceAlarms(this, 'Alarms', { metrics, options });
    if (options.dashboard) new ServiceDashboard(this, 'Dashboard', metrics);
    const { budget, budgetEmail: email } = options;
    if (budget !== undefined && email !== undefined) {
      new AccountBudget(this, 'Budget', { budget, email });
    }
    const { domainName, certificateArn } = options;
    if (domainName !== undefined && certificateArn !== undefined) {
      new ServiceDomain(this, 'Domain', { api, domainName, certificateArn });
    }
    new CfnOutput(this, 'BaseUrl', {
      value:
        domainName === undefined
          ? `https://${api.restApiId}.execute-api.${this.region}.${this.urlSuffix}/${options.stage}`
          : `https://${domainName}`,
    });
    new CfnOutput(this, 'ApiId', { value: api.restApiId });
    const { reservedConcurrency } = options;
    if (reservedConcurrency !== undefined) {
      const value = String(reservedConcurrency * blocks.length);
      new CfnOutput(this, 'ReservedConcurrency', { value });
    }
    // Tells the next deployment where the secret is, so that it notices if the option is left out.
    if (slackSecret !== undefined) new CfnOutput(this, 'SlackSecret', { value: slackSecret });
    for (const [key, value] of Object.entries(options.tags)) Tags.of(this).add(key, value);
  }
}

/** Another text whenever one of the blocks has another version. */
function digestOf(parts: readonly BlockPart[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    for (const { node } of part.versions) {
      hash.update(part.resolve((node.defaultChild as CfnElement).logicalId)).update(' ');
    }
  }
  return hash.digest('hex').slice(0, 20);
}
