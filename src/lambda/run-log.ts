import { Logger } from '@aws-lambda-powertools/logger';
import { describeCause } from '../http/describe-cause.ts';
import { isOurFault, type Recorder } from '../http/run-record.ts';

/** Writes each run as a line of JSON: an error where it broke on our side, with what caused it. */
export function runLog(): Recorder {
  const logger = new Logger({
    jsonReplacerFn: (key, value) => (UNTOLD.has(key) ? undefined : value),
  });
  return ({ cause, ...run }) => {
    if (!isOurFault(run)) logger.info('run', run);
    else logger.error('run', { ...run, cause: describeCause(cause) });
  };
}

/** Members of Powertools' own. A caller can choose a trace's id; nothing is sampled here. */
const UNTOLD = new Set(['xray_trace_id', 'sampling_rate']);
