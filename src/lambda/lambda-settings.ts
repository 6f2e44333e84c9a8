import { readFrames, readOrigins } from '../http/allow-origin.ts';
import type { ServiceSettings } from '../http/answer.ts';
import { describeCause, isOurFault, type Recorder, type RunRecord } from '../http/run-record.ts';
import { markOf, publicationOf } from '../portals/publication.ts';
import { type LambdaEnv, RESPONSE_BYTES, required, STREAM_BYTES } from './function-settings.ts';
import { sourcePlaces } from './source-places.ts';

/** The service that a function belongs to: its stack's name. */
export function serviceName(env: LambdaEnv): string {
  return required(env, 'SERVICE_NAME');
}

/**
 * The settings of a service in a Lambda function; made once per cold start, which they count. Throws
 * an Error if one is absent that says who may read: no default opens a service.
 */
export function lambdaSettings(env: LambdaEnv): ServiceSettings {
  const service = serviceName(env);
  const log = runLog(service);
  const measure = runMetrics(service);
  const allowOrigin = readOrigins(required(env, 'ALLOW_ORIGIN'));
  if (allowOrigin === undefined) throw new Error('ALLOW_ORIGIN is neither * nor origins.');
  const frameAncestors = readFrames(required(env, 'ALLOW_FRAMES'));
  if (frameAncestors === undefined) throw new Error('ALLOW_FRAMES is not *, none or origins.');
  const megabytes = Number(env.ANSWER_MEGABYTES ?? STREAM_BYTES / 1e6);
  const inOnePiece = env.STREAMING === 'false';
  const isOpen = required(env, 'ACCESS') === 'open';
  const publication = { ...publicationOf(env), isKeyed: isOpen ? undefined : (true as const) };
  return {
    allowOrigin,
    frameAncestors,
    build: `${env.BUILD ?? env.AWS_LAMBDA_FUNCTION_VERSION ?? 'development'}${markOf(publication)}`,
    publication,
    streamBytes: Math.min(megabytes * 1e6, inOnePiece ? RESPONSE_BYTES : STREAM_BYTES),
    inOnePiece,
    record: (run) => {
      log(run);
      measure(run);
    },
  };
}

/**
 * Logs each run as a line of JSON; one that broke on our side as an error with its cause. Lambda
 * knows the names `level`, `message` and `timestamp`.
 */
function runLog(service: string): Recorder {
  return ({ block, cause, ...run }) => {
    const isError = isOurFault(run);
    const described = isError ? describeCause(cause) : undefined;
    writeLine({
      level: isError ? 'ERROR' : 'INFO',
      message: 'run',
      timestamp: new Date().toISOString(),
      service,
      block: block ?? undefined,
      ...run,
      cause: described === undefined ? undefined : sourcePlaces(described),
    });
  };
}

/** Reports an answer that broke off after its head, though its reader was fast enough. */
export type TellBroken = (runId: string | undefined, sentBytes: number, cause: unknown) => void;

/**
 * Logs and counts answers of a block that broke off after their first byte. Their status was 200, so
 * neither API Gateway's metrics nor a run's line have them.
 */
export function brokenStreams(env: LambdaEnv, block: string | null): TellBroken {
  return (runId = '', sentBytes, cause) => {
    const service = serviceName(env);
    const named = block === null ? {} : { block };
    const line = { level: 'ERROR', message: 'broken stream', service, ...named, runId, sentBytes };
    writeLine({ ...line, cause: sourcePlaces(describeCause(cause) ?? '') });
    writeLine(metricsLine({ runId, block }, { service }, { BrokenStreams: 1 }));
  };
}

export const METRICS_NAMESPACE = 'blockyard';

/**
 * Writes each run's numbers in CloudWatch's embedded metric format, and counts refusals also by
 * code. The service is the only other dimension, since each combination is a metric that costs
 * money; the block and the run are members that Logs Insights can group by.
 */
function runMetrics(service: string): Recorder {
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
  { runId, block }: Pick<RunRecord, 'runId' | 'block'>,
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
    block: block ?? undefined,
    ...values,
  };
}

function unitOf(name: string): 'Count' | 'Milliseconds' {
  return name === 'Duration' ? 'Milliseconds' : 'Count';
}

/**
 * Writes a line of JSON to the function's log. Lambda's `console` would wrap it in JSON of its own,
 * in which CloudWatch finds no metrics.
 */
export function writeLine(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
