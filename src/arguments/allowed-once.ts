import type { Fault } from '../problem/errors.ts';
import { listed } from './choice.ts';

/** The sentence in a fault's text that refers to its list. */
const REFERENCE = / (?:The|Its) parameters are listed in allowed\.$/;

/**
 * Keeps each list of allowed names only on the first fault that has it: fifty unknown names would
 * otherwise repeat a block's names fifty times.
 */
export function allowedOnce(faults: readonly Fault[]): Fault[] {
  const told = new Set<string>();
  return faults.map((fault) => {
    const { allowed, ...rest } = fault;
    if (allowed === undefined) return fault;
    const list = allowed.join('\n');
    if (!told.has(list)) {
      told.add(list);
      return fault;
    }
    const detail = rest.detail
      .replace(`; expected one of ${listed(allowed)}.`, '.')
      .replace(REFERENCE, '');
    return { ...rest, detail };
  });
}
