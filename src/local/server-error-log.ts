import { describeCause, isOurFault, type Recorder } from '../http/run-record.ts';

/**
 * Logs a line of JSON for each run that broke on our side, and nothing for others. The places in
 * the code are told of a fault of ours alone, not of a store or a machine that is too slow.
 */
export function serverErrorLog(write: (line: string) => void): Recorder {
  return (run) => {
    if (!isOurFault(run)) return;
    const { runId, code, cause } = run;
    const isWithStack = code === 'internal-error';
    const told = describeCause(cause, { isWithStack });
    write(JSON.stringify({ level: 'error', runId, code, cause: told }));
  };
}
