import { readArgumentsOf } from '../arguments/arguments.ts';
import type { Members } from '../arguments/given.ts';
import type { Block } from '../block/block.ts';
import type { ServedBlock } from '../http/served-block.ts';
import { textsOf } from '../query/row-texts.ts';
import { planRun, runPlanned } from '../query/run.ts';
import { Budget, RUN_STEPS } from '../work/budget.ts';

/** A block's answer to its first example, as JSON text: the first rows, or the value. */
export type FirstAnswer = {
  readonly rows?: readonly string[];
  /** Whether more rows follow. */
  readonly isCut?: boolean;
  readonly value?: string;
};

/** Enough rows to recognise an answer. */
const MOST_ROWS = 10;

/** The bound on a run in the build, where data are in memory. */
const ANSWERED_WITHIN_MS = 60_000;

/** The arguments of a block's first example, as they are sent. */
export function firstExample({ name, answers, examples }: Block): Members {
  const [example] = examples;
  if (example === undefined) throw new TypeError(`Block ${name} has no example.`);
  return { ...example.arguments, ...(answers === 'rows' ? { _limit: MOST_ROWS } : {}) };
}

/** Runs a block's first example without a channel: arguments, query, plan, items. */
export async function firstAnswer({ block, source }: ServedBlock): Promise<FirstAnswer> {
  const budget = new Budget(RUN_STEPS, ANSWERED_WITHIN_MS);
  const given = { query: {}, body: firstExample(block), isPost: true, isWebhook: false };
  const { values } = readArgumentsOf(block)(given, budget);
  const output = await runPlanned(planRun(source, values, budget), budget);
  return output.kind === 'rows'
    ? { rows: textsOf(output.rows).map(asWritten), isCut: output.next !== null }
    : { value: asWritten(JSON.stringify(output.value)) };
}

/** Reads a first answer from the body of the answer to a POST. */
export function firstAnswerIn(body: string): FirstAnswer {
  const { params } = JSON.parse(body);
  return Array.isArray(params?.results)
    ? {
        rows: params.results.map((row: unknown) => JSON.stringify(row)),
        isCut: params.next !== null,
      }
    : { value: JSON.stringify(params) };
}

/** Normalises JSON text, since a number can be written in several ways. */
function asWritten(json: string): string {
  return JSON.stringify(JSON.parse(json));
}

/** Whether two first answers agree. A page that is cut may be short, so only its rows count. */
export function isAsExpected(answered: FirstAnswer, expected: FirstAnswer): boolean {
  if (answered.rows === undefined || expected.rows === undefined) {
    return answered.rows === expected.rows && answered.value === expected.value;
  }
  const wanted = answered.isCut ? expected.rows.slice(0, answered.rows.length) : expected.rows;
  return (
    (answered.isCut === true || expected.isCut === false) &&
    JSON.stringify(answered.rows) === JSON.stringify(wanted)
  );
}
