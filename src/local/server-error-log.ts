import { describeCause } from '../http/describe-cause.ts';
import type { Recorder } from '../http/run-record.ts';

/** A line of JSON for each run that broke on our side; of the others there is nothing to say here. */
export function serverErrorLog(write: (line: string) => void): Recorder {
  return ({ status, runId, code, cause }) => {
    if (status < 500) return;
    write(JSON.stringify({ level: 'error', runId, code, cause: describeCause(cause) }));
  };
}
