import { type Fault, PROBLEMS, type Problem, type ProblemCode } from '../problem/errors.ts';
import type { Budget } from '../query/budget.ts';
import type { Output } from '../query/output.ts';

/** What is told of a run to those who keep it going: nothing in it was written by a caller. */
export type RunRecord = {
  readonly runId: string;
  /** The block's name; null where the run is of no block. */
  readonly block: string | null;
  readonly method: string;
  /** The answer's own: in the flat form, a problem of input has 200; in a chat, every answer. */
  readonly status: number;
  readonly durationMs: number;
} & Outcome;

/** What a run came to: why it was refused, or what it found and read. */
export type Outcome = {
  readonly code?: ProblemCode;
  readonly faults?: readonly Fault['code'][];
  /** Rows on this page. */
  readonly rows?: number;
  /** The access path, as `_explain` names it. */
  readonly path?: string;
  readonly itemsRead?: number;
  readonly capacityUnits?: number;
  /** The work that was counted (`src/query/budget.ts`). */
  readonly steps?: number;
  /** What broke on our side. It may name what no caller is to see: for the log alone. */
  readonly cause?: unknown;
};

/** Where each run is told; called once for each answer. */
export type Recorder = (run: RunRecord) => void;

/** What an answer adds to its run's record. */
export function outcomeOfOutput(output: Output, { spent: steps }: Budget): Outcome {
  const { usd: _, ...read } = output.explain;
  return output.kind === 'rows' ? { ...read, steps, rows: output.rows.length } : { ...read, steps };
}

/** What a problem adds to its run's record. */
export function outcomeOfProblem({ code, faults, cause }: Problem): Outcome {
  return {
    code,
    faults: [...new Set(faults.map((fault) => fault.code))],
    ...(PROBLEMS[code].status >= 500 ? { cause } : {}),
  };
}

/** Whether a run broke on our side: a chat is told of it in an answer whose status is 200. */
export function isOurFault({ status, code }: Pick<RunRecord, 'status' | 'code'>): boolean {
  return status >= 500 || (code !== undefined && PROBLEMS[code].status >= 500);
}

/** A method as it is recorded; one that nobody knows is a caller's text. */
export function recordedMethod(method: string): string {
  return KNOWN_METHODS.has(method) ? method : 'other';
}

/** RFC 9110, section 9, and RFC 5789. */
const KNOWN_METHODS = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
]);

/** Milliseconds since a moment of `performance.now()`, to the hundredth. */
export function elapsedMs(began: number): number {
  return Math.round((performance.now() - began) * 100) / 100;
}
