import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { DeploymentOptions } from './deployment-options.ts';

/** The namespace of the functions' own metrics, and of the filter's below. */
export const NAMESPACE = 'blockyard';

export type ServiceMetricsProps = {
  readonly api: RestApi;
  readonly accessLog: LogGroup;
  readonly options: DeploymentOptions;
};

/**
 * The metrics for alarms and the dashboard: each covers the whole stack, so that their price does
 * not grow with the number of blocks.
 */
export class ServiceMetrics extends Construct {
  readonly serverErrors: Metric;
  /** How long requests take, downloads until their end. */
  readonly latency: Metric;
  /** How long runs take until their answers begin. */
  readonly duration: Metric;
  readonly throttles: Metric;
  readonly storeFaults: Metric;
  readonly #service: string;

  constructor(scope: Construct, id: string, { api, accessLog, options }: ServiceMetricsProps) {
    super(scope, id);
    this.#service = options.stackName;
    this.serverErrors = api.deploymentStage.metricServerError(PER_PERIOD);
    this.latency = api.deploymentStage.metricLatency({ ...PER_PERIOD, statistic: 'p99' });
    this.duration = this.ofFunctions('Duration', 'p99');
    this.storeFaults = this.ofFunctions('StoreFaults');
    // API Gateway has no metric for 429s, and Lambda has one for throttles per function; the access
    // log has both.
    const name = `${options.stackName}-Throttles`;
    this.throttles = new MetricFilter(this, 'Throttles', {
      logGroup: accessLog,
      metricNamespace: NAMESPACE,
      metricName: name,
      metricValue: '1',
      filterPattern: FilterPattern.any(
        FilterPattern.stringValue('$.status', '=', '429'),
        FilterPattern.stringValue('$.functionStatus', '=', '429'),
      ),
    }).metric({ statistic: 'Sum', ...PER_PERIOD });
  }

  /** A metric that the functions send, summed over all of them. */
  ofFunctions(metricName: string, statistic = 'Sum'): Metric {
    return new Metric({
      namespace: NAMESPACE,
      metricName,
      statistic,
      dimensionsMap: { service: this.#service },
      ...PER_PERIOD,
    });
  }
}

const PER_PERIOD = { period: Duration.minutes(5) };
