import type { Answered } from './answer.ts';
import { notModified } from './etag.ts';
import type { Outcome } from './run-record.ts';
import type { Asked } from './served-block.ts';

/** How answers of one kind are made: JSON, a file or a page; of many rows or of one. */
export type Presentation<Read, Plan, Result> = {
  /** request → arguments. Throws a Problem with every fault. */
  read(): Read;
  /** arguments → plan, which is all that the answer depends on. */
  plan(read: Read): Plan | Promise<Plan>;
  /** The answer's headers. If they have an ETag, a client that has this version gets 304. */
  head(read: Read, plan: Plan): Head;
  /** plan → result. */
  query(plan: Plan, read: Read): Result | Promise<Result>;
  /** result → answer. */
  answer(result: Result, headers: Headers, read: Read, plan: Plan): Answered | Promise<Answered>;
  /** Answers an error of any stage, or throws it on, for the service to answer. */
  refuse(error: unknown, read: Read | undefined): Promise<Answered>;
};

type Headers = Record<string, string>;

/** The headers of an answer; and what a 304 records, if something was read to find them. */
export type Head = { readonly headers: Headers; readonly outcome?: Outcome };

/**
 * The line that every run follows: request → arguments → plan → result → answer. A stage is waited
 * for only if it has to wait itself: most answers are made of what is in memory, and each wait takes
 * as long as a small stage.
 */
export async function answerBy<Read, Plan, Result>(
  { run: { request } }: Asked,
  presentation: Presentation<Read, Plan, Result>,
): Promise<Answered> {
  let read: Read | undefined;
  try {
    read = presentation.read();
    const planned = presentation.plan(read);
    const plan = planned instanceof Promise ? await planned : planned;
    const { headers, outcome } = presentation.head(read, plan);
    const unchanged = notModified(request, headers);
    if (unchanged !== undefined) return { ...unchanged, outcome };
    const found = presentation.query(plan, read);
    const result = found instanceof Promise ? await found : found;
    const answered = presentation.answer(result, headers, read, plan);
    return answered instanceof Promise ? await answered : answered;
  } catch (error) {
    return presentation.refuse(error, read);
  }
}
