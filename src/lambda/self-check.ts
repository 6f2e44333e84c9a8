import { setTimeout as sleep } from 'node:timers/promises';
import { type Members, readArgumentsOf } from '../core/arguments.ts';
import { Refusal } from '../core/errors.ts';
import { loadPages } from '../http/load-pages.ts';
import type { ServedBlock } from '../http/served-block.ts';
import type { LambdaHandler } from './api-gateway-handler.ts';

/** What a block's first example answers with: its first rows, or its value; as JSON text. */
export type FirstAnswer = {
  readonly rows?: readonly string[];
  /** Whether more rows follow. */
  readonly isCut?: boolean;
  readonly value?: string;
};

/** Rows enough to tell an answer by. */
const MOST_ROWS = 10;

/** A check reads a whole table, if need be; the function's own time (120 s) ends soon after. */
const CHECK_WITHIN_MS = 100_000;

/** Runs a block's first example, past the door: arguments, query, plan, items. */
export async function firstAnswer({ block, prepare }: ServedBlock): Promise<FirstAnswer> {
  const [example] = block.examples;
  if (example === undefined) throw new TypeError(`Block ${block.name} has no example.`);
  const limit = block.answers === 'rows' ? { _limit: MOST_ROWS } : {};
  const { values } = readArgumentsOf(block)({
    query: {},
    body: { ...example.arguments, ...limit } as Members,
    isPost: true,
    isWebhook: false,
  });
  const output = await prepare(values).run(() => AbortSignal.timeout(CHECK_WITHIN_MS));
  return output.kind === 'rows'
    ? { rows: output.rows, isCut: output.next !== null }
    : { value: JSON.stringify(output.value) };
}

/** Throws what is wrong. */
export type SelfCheck = () => Promise<void>;

export type Checked = {
  readonly served: ServedBlock;
  /** What the first example answered when the function was built. */
  readonly expected: FirstAnswer;
  /** Throws where the data are not whole. */
  readonly checkData?: (signal: AbortSignal) => Promise<unknown>;
};

/** Checks that the data and the files of pages are whole, and that the first example still answers what is expected. */
export function selfCheck({ served, expected, checkData }: Checked): SelfCheck {
  return async () => {
    try {
      await patiently(() => checkData?.(AbortSignal.timeout(CHECK_WITHIN_MS)));
      // What no first answer reads: a page would find it missing.
      await loadPages();
      served.profile?.();
      served.boundaries?.();
      const answered = await firstAnswer(served);
      if (isAsExpected(answered, expected)) return;
      throw new Error(
        `The first example of ${served.block.name} answers ${JSON.stringify(answered)}; expected ${JSON.stringify(expected)}.`,
      );
    } catch (error) {
      // Whoever deploys may know the cause; a caller is never told.
      throw causeOf(error);
    }
  };
}

/** Tries again for a while: leave is a few seconds old here, and IAM may not know of it everywhere yet. */
export async function patiently(check: () => Promise<unknown> | undefined): Promise<void> {
  for (const until = performance.now() + GRANTED_WITHIN_MS; ; ) {
    try {
      await check();
      return;
    } catch (error) {
      const isDenied = causeOf(error).name === 'AccessDeniedException';
      if (!isDenied || performance.now() > until) throw error;
      await sleep(1000);
    }
  }
}

const GRANTED_WITHIN_MS = 15_000;

function causeOf(error: unknown): Error {
  const cause = error instanceof Refusal ? error.cause : error;
  return cause instanceof Error ? cause : new Error(String(cause ?? error));
}

/**
 * A handler that also checks itself: a deployment calls each new version with no event, before it
 * gets any request.
 */
export function withSelfCheck(handler: LambdaHandler, check: SelfCheck): LambdaHandler {
  return async (event, context) => {
    if (event?.httpMethod !== undefined) return handler(event, context);
    await check();
    return { statusCode: 204, body: '' };
  };
}

/** Of a page that is cut, which may be short, the rows that it has are compared. */
function isAsExpected(answered: FirstAnswer, expected: FirstAnswer): boolean {
  if (answered.rows === undefined || expected.rows === undefined) {
    return answered.rows === expected.rows && answered.value === expected.value;
  }
  const wanted = answered.isCut ? expected.rows.slice(0, answered.rows.length) : expected.rows;
  return (
    (answered.isCut === true || expected.isCut === false) &&
    JSON.stringify(answered.rows) === JSON.stringify(wanted)
  );
}
