import type { Members } from '../core/arguments.ts';
import type { BlockDescription } from '../core/describe-block.ts';
import type { Fault } from '../core/errors.ts';
import type { Understood } from './command.ts';
import { faultTexts } from './fault-texts.ts';

/** A name that no block has, and that is near none. */
const NO_NAME = '?';

/**
 * What to ask a block for, to hear what it refuses of a line that was not understood whole. It
 * refuses the name too, so that nothing is run; unless it was asked to be lenient.
 */
export function valuesToCheck({ arguments: given }: Understood): Members {
  return Object.assign(Object.create(null), given, { [NO_NAME]: NO_NAME });
}

/** What a block refused of those values. What it misses may be what was not understood. */
export function faultsOfValues(
  block: BlockDescription,
  { typed }: Understood,
  faults: readonly Fault[],
): string[] {
  const ofValues = faults.filter(
    ({ code, parameter }) => parameter !== NO_NAME && code !== 'missing-parameter',
  );
  return faultTexts(block, typed, ofValues);
}
