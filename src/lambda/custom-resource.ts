import type { CloudFormationCustomResourceEvent, Context } from 'aws-lambda';
import { withinSignal } from '../waiting/within.ts';

export type ResourceProperties = Readonly<Record<string, string>>;

/** Kept of a function's time to tell CloudFormation, which would else wait for it in vain. */
const TOLD_WITHIN_MS = 20_000;

/** CloudFormation's bound on an answer is 4,096 bytes, and a character may be three of them. */
const MOST_REASON_LENGTH = 1000;

const MOST_TRIES = 3;

/**
 * A custom resource of CloudFormation: the work is done when it is made and when its properties
 * change, and what the work throws fails the deployment. There is nothing to delete.
 */
export function customResource(
  work: (properties: ResourceProperties, signal: AbortSignal) => Promise<void>,
) {
  return async (
    event: CloudFormationCustomResourceEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<void> => {
    if (event.RequestType === 'Delete') return tell(event);
    const ms = context.getRemainingTimeInMillis() - TOLD_WITHIN_MS;
    const signal = AbortSignal.timeout(Math.max(0, ms));
    const late = () => new Error(`This did not end within ${Math.round(ms / 1000)} s.`);
    try {
      await withinSignal(work(event.ResourceProperties, signal), signal, late);
    } catch (error) {
      console.error(error);
      return tell(event, (error as Error).message);
    }
    return tell(event);
  };
}

/** Answers where CloudFormation said that it listens. */
async function tell(event: CloudFormationCustomResourceEvent, fault?: string): Promise<void> {
  const { StackId, RequestId, LogicalResourceId, ResponseURL } = event;
  const body = JSON.stringify({
    Status: fault === undefined ? 'SUCCESS' : 'FAILED',
    ...(fault === undefined ? {} : { Reason: fault.slice(0, MOST_REASON_LENGTH) }),
    // The same for ever: another would be another resource, and this one deleted.
    PhysicalResourceId: LogicalResourceId,
    StackId,
    RequestId,
    LogicalResourceId,
  });
  for (let tries = 1; ; tries++) {
    try {
      // The address is signed for a request without a type.
      const headers = { 'content-type': '' };
      const { ok, status } = await fetch(ResponseURL, { method: 'PUT', headers, body });
      if (ok) return;
      throw new Error(`CloudFormation was told, and answered ${status}.`);
    } catch (error) {
      if (tries >= MOST_TRIES) throw error;
    }
  }
}
