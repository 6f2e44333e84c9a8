import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

/** The namespace of the functions' own metrics, and of the filter's below. */
export const NAMESPACE = 'blockyard';

type ServiceMetricsProps = {
  readonly api: RestApi;
  readonly accessLog: LogGroup;
  /** The service that they are of. */
  readonly service: string;
  /** Throws for each request without a key, by which API Gateway knows that it is to refuse it. */
  readonly authorizer: IFunction | undefined;
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
  /** Answers that broke off after their first byte. */
  readonly brokenStreams: Metric;
  /** Of all functions of the account's region: Lambda has no metric for a stack. */
  readonly errors: IMetric;
  readonly concurrency: Metric;
  readonly #service: string;

  constructor(scope: Construct, id: string, props: ServiceMetricsProps) {
    super(scope, id);
    const { api, accessLog, service, authorizer } = props;
    this.#service = service;
    this.serverErrors = api.deploymentStage.metricServerError(PER_PERIOD);
    this.latency = api.deploymentStage.metricLatency({ ...PER_PERIOD, statistic: 'p99' });
    this.duration = this.ofFunctions('Duration', 'p99');
    this.storeFaults = this.ofFunctions('StoreFaults');
    this.brokenStreams = this.ofFunctions('BrokenStreams');
    this.concurrency = ofLambda('ConcurrentExecutions', 'Maximum');
    const errors = ofLambda('Errors');
    this.errors =
      authorizer === undefined
        ? errors
        : new MathExpression({
            expression: 'all - FILL(refused, 0)',
            label: 'Errors',
            usingMetrics: { all: errors, refused: authorizer.metricErrors(PER_PERIOD) },
            ...PER_PERIOD,
          });
    // API Gateway has no metric for 429s, and Lambda has one for throttles per function; the access
    // log has both.
    const name = `${service}-Throttles`;
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

/** A metric of Lambda, over all functions of the account's region or of one. */
function ofLambda(metricName: string, statistic = 'Sum', functionName?: string): Metric {
  return new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    statistic,
    ...(functionName === undefined ? {} : { dimensionsMap: { FunctionName: functionName } }),
    ...PER_PERIOD,
  });
}

type ServiceAlarmsProps = {
  readonly metrics: ServiceMetrics;
  readonly service: string;
  /** Calls at once, in the account's region, above which an alarm rings. */
  readonly concurrency: number;
  /** Where they are mailed. */
  readonly email: string | undefined;
};

/** Alarms for the stack as a whole, mailed if an address is given. */
export class ServiceAlarms extends Construct {
  constructor(scope: Construct, id: string, props: ServiceAlarmsProps) {
    super(scope, id);
    const { metrics, service, concurrency, email } = props;
    const topic = email === undefined ? undefined : this.#topicFor(email);
    for (const { name, metric, above, meaning } of alarmsOf(metrics, concurrency)) {
      const alarm = new Alarm(this, name, {
        metric,
        alarmDescription: `${service}: ${meaning}`,
        threshold: above,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        evaluationPeriods: 1,
        // Missing data means that nobody called, so nothing is wrong.
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      if (topic !== undefined) alarm.addAlarmAction(new SnsAction(topic));
    }
  }

  #topicFor(email: string): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(email));
    return topic;
  }
}

/**
 * Each alarm looks at five minutes. One request trips none of them: also a call by MCP, which runs two
 * functions.
 */
function alarmsOf(metrics: ServiceMetrics, concurrency: number) {
  return [
    {
      name: 'ServerErrors',
      metric: metrics.serverErrors,
      above: 2,
      meaning: 'More than two answers had status 5xx. The log has their run ids and causes.',
    },
    {
      name: 'Throttles',
      metric: metrics.throttles,
      above: 10,
      meaning: 'More than ten requests were refused for their number (429).',
    },
    {
      name: 'Duration',
      metric: metrics.ofFunctions('Duration', 'TC(2000:)'),
      above: 5,
      meaning: 'More than five runs took over 2 s until their answers began.',
    },
    {
      name: 'StoreFaults',
      metric: metrics.storeFaults,
      above: 2,
      meaning: 'In more than two runs a table could not be read, or was not whole.',
    },
    {
      name: 'Errors',
      metric: metrics.errors,
      above: 4,
      meaning: "More than four calls of functions failed, in the account's region.",
    },
    {
      name: 'Concurrency',
      metric: metrics.concurrency,
      above: concurrency,
      meaning: "More calls at once ran in the account's region than concurrencyAlarm says.",
    },
    {
      name: 'BrokenStreams',
      metric: metrics.brokenStreams,
      above: 2,
      meaning: 'More than two answers broke off after their first byte.',
    },
  ] satisfies { name: string; metric: IMetric; above: number; meaning: string }[];
}

type ServiceDashboardProps = {
  readonly metrics: ServiceMetrics;
  /** Each gets a row: its name, and the name of its function. */
  readonly blocks: readonly { readonly name: string; readonly functionName: string }[];
};

/** The stack's metrics on one page of CloudWatch. */
export class ServiceDashboard extends Construct {
  constructor(scope: Construct, id: string, { metrics, blocks }: ServiceDashboardProps) {
    super(scope, id);
    const graph = (title: string, ...left: IMetric[]) =>
      new GraphWidget({ title, left, width: 12, height: 6 });
    new Dashboard(this, 'Dashboard', {
      widgets: [
        [
          graph(
            'Runs and cold starts',
            metrics.ofFunctions('Runs'),
            metrics.ofFunctions('ColdStarts'),
          ),
          graph('Latency at the API, p99 (ms)', metrics.latency),
        ],
        [
          graph(
            'Faults',
            metrics.serverErrors,
            metrics.storeFaults,
            metrics.throttles,
            metrics.brokenStreams,
          ),
          graph('Rows answered', metrics.ofFunctions('Rows')),
        ],
        [
          graph('Read capacity units', metrics.ofFunctions('CapacityUnits')),
          graph('Duration of runs, p99 (ms)', metrics.duration),
        ],
        ...blocks.map(({ name, functionName }) => [
          graph(
            `${name}: calls, errors, throttles`,
            ...['Invocations', 'Errors', 'Throttles'].map((metric) =>
              ofLambda(metric, 'Sum', functionName),
            ),
          ),
          graph(
            `${name}: longest call (ms), calls at once`,
            ...['Duration', 'ConcurrentExecutions'].map((metric) =>
              ofLambda(metric, 'Maximum', functionName),
            ),
          ),
        ]),
      ],
    });
  }
}

type AccountBudgetProps = {
  /** What the account may cost in a month, in USD. */
  readonly budget: number;
  /** Who is written to; AWS asks for no confirmation. */
  readonly email: string;
};

/**
 * A budget on what the whole account costs in a month, with mails as it is used up. It stops
 * nothing. AWS makes its name: a budget with new mails is another one, made before the old one goes,
 * and two of an account may not have the same name.
 */
export class AccountBudget extends Construct {
  constructor(scope: Construct, id: string, { budget, email }: AccountBudgetProps) {
    super(scope, id);
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: budget, unit: 'USD' },
      },
      // AWS takes five.
      notificationsWithSubscribers: MAILS.map(({ notificationType, threshold }) => ({
        notification: {
          notificationType,
          comparisonOperator: 'GREATER_THAN',
          threshold,
          thresholdType: 'PERCENTAGE',
        },
        subscribers: [{ subscriptionType: 'EMAIL', address: email }],
      })),
    });
  }
}

/** In percent of the budget; the forecast is that for the month's end. */
const MAILS = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;
