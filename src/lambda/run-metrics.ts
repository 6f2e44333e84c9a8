import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { isOurFault, type Recorder, type RunRecord } from '../http/run-record.ts';

export const METRICS_NAMESPACE = 'blockyard';

/**
 * Writes each run's numbers in CloudWatch's embedded metric format, and counts refusals also by
 * code. The service is the only other dimension, since each combination is a metric that costs
 * money; the block and the run are members that Logs Insights can group by.
 */
export function runMetrics(): Recorder {
  const metrics = new Metrics({ namespace: METRICS_NAMESPACE });
  let isFirst = true;

  function publish({ runId, block }: RunRecord, counts: Readonly<Record<string, number>>): void {
    metrics.addMetadata('runId', runId);
    if (block !== null) metrics.addMetadata('block', block);
    for (const [name, count] of Object.entries(counts)) {
      // A sum needs no zeros, and a metric costs money in each hour in which it is sent.
      if (count > 0) metrics.addMetric(name, MetricUnit.Count, count);
    }
    metrics.publishStoredMetrics();
  }

  return (run) => {
    metrics.addMetric('Duration', MetricUnit.Milliseconds, run.durationMs);
    publish(run, {
      Runs: 1,
      Rows: run.rows ?? 0,
      CapacityUnits: run.capacityUnits ?? 0,
      ServerErrors: isOurFault(run) ? 1 : 0,
      StoreFaults: run.code === 'store-unavailable' ? 1 : 0,
      ColdStarts: isFirst ? 1 : 0,
    });
    isFirst = false;
    if (run.code === undefined) return;
    metrics.addDimension('code', run.code);
    publish(run, { Refusals: 1 });
  };
}
