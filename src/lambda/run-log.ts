import { describeCause, isOurFault, type Recorder } from '../http/run-record.ts';
import { sourcePlaces } from './source-places.ts';
import { writeLine } from './write-line.ts';

/**
 * Logs each run as a line of JSON; one that broke on our side as an error with its cause. Lambda
 * knows the names `level`, `message` and `timestamp`.
 */
export function runLog(service: string): Recorder {
  return ({ block, cause, ...run }) => {
    const isError = isOurFault(run);
    const described = isError ? describeCause(cause) : undefined;
    writeLine({
      level: isError ? 'ERROR' : 'INFO',
      message: 'run',
      timestamp: new Date().toISOString(),
      service,
      ...(block === null ? {} : { block }),
      ...run,
      ...(described === undefined ? {} : { cause: sourcePlaces(described) }),
    });
  };
}
