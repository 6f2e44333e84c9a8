import { ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { DeploymentOptions } from './deployment-options.ts';
import type { ServiceMetrics } from './service-metrics.ts';

export type ServiceAlarmsProps = {
  readonly metrics: ServiceMetrics;
  readonly options: DeploymentOptions;
};

/** Alarms for the stack as a whole, mailed if an address is given. */
export class ServiceAlarms extends Construct {
  constructor(scope: Construct, id: string, { metrics, options }: ServiceAlarmsProps) {
    super(scope, id);
    const { stackName, alarmEmail } = options;
    const topic = alarmEmail === undefined ? undefined : this.#topicFor(alarmEmail);
    for (const { name, metric, above, meaning } of alarmsOf(metrics)) {
      const alarm = metric.createAlarm(this, name, {
        alarmDescription: `${stackName}: ${meaning}`,
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

/** Each alarm looks at five minutes. */
function alarmsOf(metrics: ServiceMetrics) {
  return [
    {
      name: 'ServerErrors',
      metric: metrics.serverErrors,
      above: 0,
      meaning: 'An answer had status 5xx. The log has its run id and cause.',
    },
    {
      name: 'Throttles',
      metric: metrics.throttles,
      above: 10,
      meaning: 'More than ten requests were refused for their number (429).',
    },
    {
      name: 'Duration',
      metric: metrics.duration,
      above: 2000,
      meaning: 'One run in a hundred took longer than 2 s until its answer began (p99).',
    },
    {
      name: 'StoreFaults',
      metric: metrics.storeFaults,
      above: 0,
      meaning: 'A table could not be read, or was not whole.',
    },
  ] satisfies { name: string; metric: Metric; above: number; meaning: string }[];
}
