import { type AllowOrigin, originHeaders } from '../core/allow-origin.ts';
import { PROBLEMS, type Refusal } from '../core/errors.ts';
import { flatProblem, flatStatus, problemDetails } from '../core/problem.ts';
import { JSON_TYPE, METHODS } from './run-app.ts';

/** An answer as its parts, for a door that has no Response to give it in. */
export type UnreadRefusal = {
  readonly runId: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What is known of such a request, and whose pages may read the answer. */
type Unread = {
  readonly runId?: string;
  readonly isFlat?: boolean;
  readonly allowOrigin?: AllowOrigin;
  /** Of the page that asks. */
  readonly origin?: string;
};

/** The refusal of a request that no app has answered; what the doors themselves answer with. */
export function unreadRefusal(
  refusal: Refusal,
  { runId = crypto.randomUUID() as string, isFlat = false, allowOrigin = '*', origin }: Unread = {},
): UnreadRefusal {
  const { code } = refusal;
  return {
    runId,
    status: isFlat ? flatStatus(code) : PROBLEMS[code].status,
    headers: {
      'Content-Type': isFlat ? JSON_TYPE : 'application/problem+json',
      ...originHeaders(origin, allowOrigin),
      'Access-Control-Expose-Headers': 'X-Run-Id',
      'X-Run-Id': runId,
      'Cache-Control': 'no-store',
      ...(code === 'method-not-allowed' ? { Allow: METHODS.join(', ') } : {}),
      ...refusal.headers,
    },
    body: JSON.stringify(isFlat ? flatProblem(refusal) : problemDetails(refusal, runId)),
  };
}
