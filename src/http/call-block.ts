import type { Members } from '../core/arguments.ts';
import { PROBLEMS, type Warning } from '../core/errors.ts';
import type { Problem } from '../core/problem.ts';
import { BLOCKS_PATH } from './run-app.ts';

/** What a block answers, for a door that gives it another form. */
export type BlockAnswer =
  | {
      readonly kind: 'answered';
      readonly params: Readonly<Record<string, unknown>>;
      readonly warnings: readonly Warning[];
    }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Runs a block as its own address would, by its name. Never throws for what a caller gave. */
export type CallBlock = (block: string, given: Members) => Promise<BlockAnswer>;

/** Where a request goes that is of a block: to its app here, or to its function. */
export type SendToBlock = (block: string, request: Request) => Promise<Response>;

/** Calls a block by a POST with these arguments, since that is what every other door must equal. */
export function callBlockBy(send: SendToBlock): CallBlock {
  return async (block, given) => {
    const request = new Request(`http://blockyard.invalid${BLOCKS_PATH}/${block}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(given),
    });
    const response = await send(block, request);
    const answer = await response.json();
    if (response.status === 200) {
      return { kind: 'answered', params: answer.params, warnings: answer._warnings };
    }
    // Not one of ours: a function that ended before it could answer.
    if (!Object.hasOwn(PROBLEMS, answer?.code)) throw new Error(`${block}: ${response.status}`);
    return { kind: 'refused', problem: answer };
  };
}
