import type { Members } from '../arguments/given.ts';
import { PROBLEMS, type Warning } from '../problem/errors.ts';
import type { ProblemDetails } from '../problem/problem.ts';
import { exactJson } from './answer.ts';

/** What a block answers, for a channel that presents it in its own form. */
export type BlockAnswer =
  | {
      readonly kind: 'answered';
      readonly params: Readonly<Record<string, unknown>>;
      readonly warnings: readonly Warning[];
    }
  | { readonly kind: 'refused'; readonly problem: ProblemDetails };

/**
 * Runs a block by its name, as a POST to its address would. It throws if the block does not answer,
 * but never because of what the caller gave.
 */
export type CallBlock = (block: string, given: Members) => Promise<BlockAnswer>;

/** POSTs a JSON body to a block: to the service in this process, or to its Lambda function. */
export type PostToBlock = (
  block: string,
  body: string,
) => Promise<{ readonly status: number; readonly body: string }>;

export function callBlockBy(post: PostToBlock): CallBlock {
  return async (block, given) => {
    const { status, body } = await post(block, exactJson(given));
    const answer = JSON.parse(body);
    if (status === 200) {
      return { kind: 'answered', params: answer.params, warnings: answer._warnings };
    }
    if (!Object.hasOwn(PROBLEMS, answer?.code)) throw new Error(`${block} answered ${status}.`);
    return { kind: 'refused', problem: answer };
  };
}
