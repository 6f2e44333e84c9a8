import { type Fault, PROBLEMS, type Problem, type ProblemCode } from '../problem/errors.ts';
import type { Output } from '../query/run.ts';
import type { Budget } from '../work/budget.ts';

/** What operators are told of a run. It holds no text written by a caller. */
export type RunRecord = {
  readonly runId: string;
  /** The block's name; null if the run is not of a block. */
  readonly block: string | null;
  readonly method: string;
  /** The answer's status: 200 for an input problem in the flat form, and for all chat answers. */
  readonly status: number;
  /** Until the answer began. */
  readonly durationMs: number;
  /** Until the last of a body in pieces was sent, or it broke off. */
  readonly streamedMs?: number;
} & Outcome;

/** The outcome of a run: why it was refused, or what it found and read. */
export type Outcome = {
  readonly code?: ProblemCode;
  readonly faults?: readonly Fault['code'][];
  /** Rows on this page. */
  readonly rows?: number;
  /** The access path, as `_explain` names it. */
  readonly path?: string;
  readonly chunksRead?: number;
  readonly itemsRead?: number;
  readonly capacityUnits?: number;
  /** The counted steps of work (`src/work/budget.ts`). */
  readonly steps?: number;
  /** What broke on our side. Only for the log: it may name things that no caller may see. */
  readonly cause?: unknown;
};

/** Records a run; called once for each answer. */
export type Recorder = (run: RunRecord) => void;

/** What an answer adds to its run's record. */
export function outcomeOfOutput(output: Output, { spent: steps }: Budget): Outcome {
  const { path, chunksRead, itemsRead, capacityUnits } = output.explain;
  const rows = output.kind === 'rows' ? output.rows.length : undefined;
  return { path, chunksRead, itemsRead, capacityUnits, steps, rows };
}

/** What a problem adds to its run's record. */
export function outcomeOfProblem({ code, faults, cause }: Problem): Outcome {
  return {
    code,
    faults: [...new Set(faults.map((fault) => fault.code))],
    ...(PROBLEMS[code].status >= 500 ? { cause } : {}),
  };
}

/** Whether a run broke on our side. The status is not enough: a chat answer may have 200. */
export function isOurFault({ status, code }: Pick<RunRecord, 'status' | 'code'>): boolean {
  return status >= 500 || (code !== undefined && PROBLEMS[code].status >= 500);
}

/** The method to record; an unknown one becomes `other`, since it is a caller's text. */
export function recordedMethod(method: string): string {
  return KNOWN_METHODS.has(method) ? method : 'other';
}

/** The methods of RFC 9110, section 9, and RFC 5789. */
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

/** Milliseconds since a time of `performance.now()`, to the hundredth. */
export function elapsedMs(began: number): number {
  return Math.round((performance.now() - began) * 100) / 100;
}

/** Bounds the chain of causes, since a library may link errors in a circle. */
const MOST_CAUSES = 5;

/**
 * An error and its causes as text for a log. It has only messages, and stacks if they are wanted, since an SDK's error
 * also carries its request with all headers. Undefined if there is no cause.
 */
export function describeCause(
  cause: unknown,
  { isWithStack = true, most = MOST_CAUSES } = {},
): string | undefined {
  if (cause === undefined) return undefined;
  if (!(cause instanceof Error)) return String(cause);
  const inner = most > 1 ? describeCause(cause.cause, { isWithStack, most: most - 1 }) : undefined;
  const own = (isWithStack ? cause.stack : undefined) ?? String(cause);
  return inner === undefined ? own : `${own} <- ${inner}`;
}
