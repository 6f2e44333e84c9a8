import { isOurFault, type Recorder, type RunRecord } from '../http/run-record.ts';
import { writeLine } from './write-line.ts';

export const METRICS_NAMESPACE = 'blockyard';

/**
 * Writes each run's numbers in CloudWatch's embedded metric format, and counts refusals also by
 * code. The service is the only other dimension, since each combination is a metric that costs
 * money; the block and the run are members that Logs Insights can group by.
 */
export function runMetrics(service: string): Recorder {
  let isFirst = true;
  return (run) => {
    writeLine(
      metricsLine(run, { service }, { Duration: run.durationMs, ...countsOf(run, isFirst) }),
    );
    isFirst = false;
    const { code } = run;
    if (code !== undefined) writeLine(metricsLine(run, { service, code }, { Refusals: 1 }));
  };
}

type Values = Readonly<Record<string, number>>;

function countsOf(run: RunRecord, isFirst: boolean): Values {
  const counts = {
    Runs: 1,
    Rows: run.rows ?? 0,
    CapacityUnits: run.capacityUnits ?? 0,
    ServerErrors: isOurFault(run) ? 1 : 0,
    StoreFaults: run.code === 'store-unavailable' ? 1 : 0,
    ColdStarts: isFirst ? 1 : 0,
  };
  // A sum needs no zeros, and a metric costs money in each hour in which it is sent.
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** The embedded metric format: `_aws` names the line's members that are metrics and dimensions. */
function metricsLine(
  { runId, block }: RunRecord,
  dimensions: Readonly<Record<string, string>>,
  values: Values,
): object {
  return {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        {
          Namespace: METRICS_NAMESPACE,
          Dimensions: [Object.keys(dimensions)],
          Metrics: Object.keys(values).map((Name) => ({ Name, Unit: unitOf(Name) })),
        },
      ],
    },
    ...dimensions,
    runId,
    ...(block === null ? {} : { block }),
    ...values,
  };
}

function unitOf(name: string): 'Count' | 'Milliseconds' {
  return name === 'Duration' ? 'Milliseconds' : 'Count';
}
