import type { Fault } from './errors.ts';
import { expectedOneOf } from './fault.ts';

/** How the text of a fault refers to its list. */
const REFERENCE = / The (?:names it takes|parameters) are in allowed\.$/;

/**
 * Faults that list the same allowed names once, on the first of them: fifty unknown names would
 * else bring fifty lists of a block's names.
 */
export function allowedOnce(faults: readonly Fault[]): Fault[] {
  const listed = new Set<string>();
  return faults.map((fault) => {
    const { allowed, ...rest } = fault;
    if (allowed === undefined) return fault;
    const list = allowed.join('\n');
    if (!listed.has(list)) {
      listed.add(list);
      return fault;
    }
    const detail = rest.detail.replace(expectedOneOf(allowed), '.').replace(REFERENCE, '');
    return { ...rest, detail };
  });
}
