import type { Members } from '../arguments/given.ts';
import { PROBLEMS, type Warning } from '../problem/errors.ts';
import type { ProblemDetails } from '../problem/problem.ts';

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

/**
 * JSON text that reads back as the same value. `JSON.stringify` writes an infinity as `null`, which
 * a block reads as "not given", and loses the sign of -0.
 */
function exactJson(value: unknown): string {
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => {
      return `${JSON.stringify(name)}:${exactJson(member)}`;
    });
    return `{${members.join(',')}}`;
  }
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`JSON has no ${typeof value}.`);
  return text;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) throw new TypeError('JSON has no NaN.');
  if (Object.is(value, -0)) return '-0';
  // JSON.parse reads a number too large for a double as an infinity; the caller's was one too.
  return Number.isFinite(value) ? String(value) : value > 0 ? '1e999' : '-1e999';
}
