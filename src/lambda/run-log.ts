import { Logger } from '@aws-lambda-powertools/logger';
import { describeCause } from '../http/describe-cause.ts';
import { isOurFault, type Recorder } from '../http/run-record.ts';

/** Logs each run as a line of JSON; one that broke on our side as an error with its cause. */
export function runLog(): Recorder {
  const logger = new Logger({
    jsonReplacerFn: (key, value) => (UNTOLD.has(key) ? undefined : value),
  });
  return ({ cause, ...run }) => {
    if (!isOurFault(run)) logger.info('run', run);
    else logger.error('run', { ...run, cause: describeCause(cause) });
  };
}

/** Powertools' members that are not logged: a caller can choose a trace id; nothing is sampled. */
const UNTOLD = new Set(['xray_trace_id', 'sampling_rate']);
