import { type AllowOrigin, originHeaders } from '../core/allow-origin.ts';
import { PROBLEMS, type Refusal } from '../core/errors.ts';
import { flatProblem, flatStatus, problemDetails } from '../core/problem.ts';
import { type Answer, JSON_TYPE } from './answer.ts';
import { METHODS } from './routes.ts';

/** The answer to a request that no service has seen. */
export type UnreadRefusal = Answer & { readonly runId: string; readonly body: string };

/** What is known of such a request, and whose pages may read the answer. */
type Unread = {
  readonly runId?: string;
  readonly isFlat?: boolean;
  readonly allowOrigin?: AllowOrigin;
  /** Of the page that asks. */
  readonly origin?: string;
};

/** The refusal of a request that no service has answered; what the channels themselves answer with. */
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
