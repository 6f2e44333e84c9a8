import { FAULTS, type Fault, PROBLEMS, type ProblemCode, type Refusal } from './errors.ts';

/** A refusal as its caller reads it: problem details (RFC 9457), with `code` and `errors` of ours. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** `urn:uuid:` and the run id. */
  readonly instance: string;
  readonly code: ProblemCode;
  readonly errors: readonly Fault[];
  /** For the old clients. */
  readonly _errors: readonly { readonly title: string; readonly message: string }[];
};

/** A refusal as a problem; `runId` is a UUID. */
export function problemDetails(refusal: Refusal, runId: string): Problem {
  const { status, title } = PROBLEMS[refusal.code];
  return {
    type: `docs/errors.md#${refusal.code}`,
    title,
    status,
    detail: refusal.detail,
    instance: `urn:uuid:${runId}`,
    code: refusal.code,
    errors: refusal.faults,
    _errors: oldErrors(refusal),
  };
}

/** A refusal in the flat form that the old clients parse. */
export function flatProblem(refusal: Refusal): Record<string, unknown> {
  return { _blockspring_spec: true, _errors: oldErrors(refusal) };
}

/**
 * The old clients' callbacks never fire on a 4xx: in the flat form a refusal of input is a 200.
 * Keys, unknown blocks and faults of ours keep their status.
 */
export function flatStatus(code: ProblemCode): number {
  const { status } = PROBLEMS[code];
  return [400, 410, 413, 415].includes(status) ? 200 : status;
}

function oldErrors(refusal: Refusal): { title: string; message: string }[] {
  // Both ends of a range have one fault, which is told once.
  const told = new Map(refusal.faults.map((fault) => [fault.detail, fault]));
  return [...told.values()].map(({ code, detail }) => ({ title: titleOf(code), message: detail }));
}

function titleOf(code: keyof typeof FAULTS | ProblemCode): string {
  return code in PROBLEMS
    ? PROBLEMS[code as ProblemCode].title
    : FAULTS[code as keyof typeof FAULTS];
}
