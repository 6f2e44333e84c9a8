import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { BuiltService } from '../src/build/build-service.ts';
import { BlockService } from './block-service.ts';
import { BlocksApi } from './blocks-api.ts';
import { ChannelService } from './channel-service.ts';
import { DeploymentCheck } from './deployment-check.ts';
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
 * The whole service: a table and a function for each block, the catalogue, and the API in front.
 */
export class BlockyardStack extends Stack {
  constructor(scope: Construct, id: string, props: BlockyardStackProps) {
    super(scope, id, props);
    const { service, options } = props;
    const check = new DeploymentCheck(this, 'Check', { code: service.check, options });
    const blocks = service.blocks.map((built) => ({
      built,
      service: new BlockService(this, built.block.name, { built, check, options }),
    }));
    const catalog = new ServiceFunction(this, 'Catalog', {
      description: 'Lists the blocks, and answers where there is none',
      code: service.catalog,
      options,
    });
    catalog.checkItself();
    // An old version and its table are removed only after the runs that began on it have ended.
    const drain = new ServiceFunction(this, 'Drain', {
      description: 'Waits, in a deployment, for running requests to end',
      code: service.drain,
      environment: {
        VERSIONS: blocks.map((block) => block.service.alias.version.version).join(' '),
      },
      options,
    });
    drain.checkItself(...blocks.map((block) => block.service.alias));
    const aliases = blocks.map((block) => block.service.alias);
    const mcp = new ChannelService(this, 'Mcp', {
      description: 'The blocks as tools of LLMs',
      code: service.mcp.code,
      blocks: aliases,
      options,
    });
    const { slackSecret } = options;
    const slack =
      slackSecret === undefined
        ? undefined
        : new ChannelService(this, 'Slack', {
            description: 'The blocks as a slash command of Slack',
            code: service.slack.code,
            blocks: aliases,
            secret: { setting: 'SLACK_SECRET_NAME', name: slackSecret },
            options,
          });
    logTriggers(this, options);
    const { api, accessLog } = new BlocksApi(this, 'Channel', {
      blocks: blocks.map(({ built: { block, table }, service: { alias } }) => ({
        addresses: [...new Set([block.id, block.name])],
        function: alias as IFunction,
        streams: table !== undefined,
      })),
      channels: {
        [service.mcp.path]: mcp.alias as IFunction,
        ...(slack === undefined ? {} : { [service.slack.path]: slack.alias as IFunction }),
      },
      catalog: catalog.alias as IFunction,
      keyAuthorizer: service.keyAuthorizer,
      options,
    });
    const metrics = new ServiceMetrics(this, 'Metrics', { api, accessLog, options });
    new ServiceAlarms(this, 'Alarms', { metrics, options });
    if (options.dashboard) new ServiceDashboard(this, 'Dashboard', metrics);
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
