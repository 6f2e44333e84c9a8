import {
  FAULTS,
  type Fault,
  PROBLEMS,
  type Problem,
  type ProblemCode,
  withoutReference,
} from './errors.ts';

/**
 * A problem as callers read it: problem details (RFC 9457) with the extensions `code` and `errors`.
 */
export type ProblemDetails = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** `urn:uuid:` followed by the run id. */
  readonly instance: string;
  readonly code: ProblemCode;
  readonly errors: readonly Fault[];
  /** How many more there are; absent if all are listed. */
  readonly unlisted?: number;
  /** Only the old clients read this. */
  readonly _errors: readonly { readonly title: string; readonly message: string }[];
};

/** Writes a problem as problem details. `runId` is a UUID. */
export function problemDetails(problem: Problem, runId: string): ProblemDetails {
  const { status, title } = PROBLEMS[problem.code];
  return {
    type: `docs/errors.md#${problem.code}`,
    title,
    status,
    detail: problem.detail,
    instance: `urn:uuid:${runId}`,
    code: problem.code,
    errors: problem.faults,
    unlisted: problem.unlisted === 0 ? undefined : problem.unlisted,
    _errors: oldErrors(problem),
  };
}

/** Writes a problem in the flat format that old clients parse. */
export function flatProblem(problem: Problem): Record<string, unknown> {
  return { _blockspring_spec: true, _errors: oldErrors(problem) };
}

/**
 * The status of a problem in the flat format. Old clients never call back after a 4xx, so problems
 * of the input get 200. Missing or refused keys, unknown blocks and internal errors keep their
 * status.
 */
export function flatStatus(code: ProblemCode): number {
  const { status } = PROBLEMS[code];
  return [400, 410, 413, 415].includes(status) ? 200 : status;
}

function oldErrors(problem: Problem): { title: string; message: string }[] {
  return problem.faults.map(({ code, detail }) => ({
    title: titleOf(code),
    message: withoutReference(detail),
  }));
}

function titleOf(code: keyof typeof FAULTS | ProblemCode): string {
  return code in PROBLEMS
    ? PROBLEMS[code as ProblemCode].title
    : FAULTS[code as keyof typeof FAULTS];
}
