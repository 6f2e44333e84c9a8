import { describeCause } from '../http/describe-cause.ts';
import { isOurFault, type Recorder } from '../http/run-record.ts';

/** Logs a line of JSON for each run that broke on our side, and nothing for others. */
export function serverErrorLog(write: (line: string) => void): Recorder {
  return (run) => {
    if (!isOurFault(run)) return;
    const { runId, code, cause } = run;
    write(JSON.stringify({ level: 'error', runId, code, cause: describeCause(cause) }));
  };
}
