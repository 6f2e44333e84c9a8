import { Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { ServiceMetrics } from './service-metrics.ts';

/** The stack's metrics on one page of CloudWatch. */
export class ServiceDashboard extends Construct {
  constructor(scope: Construct, id: string, metrics: ServiceMetrics) {
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
          graph('Faults', metrics.serverErrors, metrics.storeFaults, metrics.throttles),
          graph('Rows answered', metrics.ofFunctions('Rows')),
        ],
        [
          graph('Read capacity units', metrics.ofFunctions('CapacityUnits')),
          graph('Duration of runs, p99 (ms)', metrics.duration),
        ],
      ],
    });
  }
}
