import type { Fault } from '../problem/errors.ts';
import { listed } from './choice.ts';

/** How the text of a fault refers to its list. */
const REFERENCE = / The (?:names it takes|parameters) are in allowed\.$/;

/**
 * Faults that list the same allowed names once, on the first of them: fifty unknown names would
 * else bring fifty lists of a block's names.
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
