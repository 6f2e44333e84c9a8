import type { Fault } from '../core/errors.ts';

/** About 4,000 tokens: as much of a refusal's data as a model is sent. */
const MOST_CHARACTERS = 16_000;
/** A pointer has all of a name, which may be as long as a message. */
const MOST_OF_A_POINTER = 300;

/** The first of these faults, as many as fit, at least one. */
export function fittingFaults(faults: readonly Fault[]): Fault[] {
  const fitting: Fault[] = [];
  let left = MOST_CHARACTERS;
  for (const { pointer = '', ...others } of faults) {
    const isPointed = pointer !== '' && pointer.length <= MOST_OF_A_POINTER;
    const fault = { ...others, ...(isPointed ? { pointer } : {}) };
    left -= JSON.stringify(fault).length;
    if (left < 0 && fitting.length > 0) break;
    fitting.push(fault);
  }
  return fitting;
}
