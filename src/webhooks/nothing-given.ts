import type { Block } from '../core/block.ts';
import type { Fault } from '../core/errors.ts';
import { faultPointer } from '../core/fault-pointer.ts';

/** The fault of a delivery that gives no parameter; `path` is where they would be. */
export function nothingGiven({ parameters }: Block, path?: readonly string[]): Fault {
  return {
    code: 'missing-parameter',
    detail:
      'The delivery gives no parameter of this block, and is not taken to ask for everything. The parameters are in allowed.',
    ...(path === undefined ? {} : { pointer: faultPointer(path) }),
    allowed: parameters.map(({ name }) => name),
  };
}
