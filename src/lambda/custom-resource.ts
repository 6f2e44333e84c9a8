import type { CloudFormationCustomResourceEvent, Context } from 'aws-lambda';
import { withinSignal } from '../work/waiting.ts';

export type ResourceProperties = Readonly<Record<string, string>>;

/** Time reserved to tell CloudFormation the outcome; otherwise it waits until its own timeout. */
const TOLD_WITHIN_MS = 20_000;

/** CloudFormation takes answers of up to 4,096 bytes, and a character may have three. */
const MOST_REASON_LENGTH = 1000;

const MOST_TRIES = 3;

/**
 * A custom resource of CloudFormation. It does the work when it is created and when its properties
 * change; an error of the work fails the deployment. There is nothing to delete.
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

/** Sends the outcome to the address that CloudFormation gave. */
async function tell(event: CloudFormationCustomResourceEvent, fault?: string): Promise<void> {
  const { StackId, RequestId, LogicalResourceId, ResponseURL } = event;
  const body = JSON.stringify({
    Status: fault === undefined ? 'SUCCESS' : 'FAILED',
    ...(fault === undefined ? {} : { Reason: fault.slice(0, MOST_REASON_LENGTH) }),
    // Must never change: CloudFormation would take a new id for a new resource and delete this one.
    PhysicalResourceId: LogicalResourceId,
    StackId,
    RequestId,
    LogicalResourceId,
  });
  for (let tries = 1; ; tries++) {
    try {
      // The address is signed for a request without a content type.
      const headers = { 'content-type': '' };
      const { ok, status } = await fetch(ResponseURL, { method: 'PUT', headers, body });
      if (ok) return;
      throw new Error(`CloudFormation was told, and answered ${status}.`);
    } catch (error) {
      if (tries >= MOST_TRIES) throw error;
    }
  }
}
