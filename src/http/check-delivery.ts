import { checkSignature } from '../webhooks/standard-webhooks.ts';
import type { AppSettings } from './run-app.ts';
import { isSigned } from './webhook-mark.ts';

/**
 * Refuses a delivery that carries a signature's header and is not signed as it should be, where
 * there are secrets to tell by. It is called before anything in the body is read.
 */
export function checkDelivery(
  headers: Headers,
  body: Uint8Array,
  { webhookSecrets }: Pick<AppSettings, 'webhookSecrets'>,
): Promise<void> | undefined {
  if (webhookSecrets === undefined || !isSigned(headers)) return undefined;
  const signed = {
    'webhook-id': headers.get('webhook-id'),
    'webhook-timestamp': headers.get('webhook-timestamp'),
    'webhook-signature': headers.get('webhook-signature'),
  };
  const now = Math.floor(Date.now() / 1000);
  return webhookSecrets().then((secrets) => checkSignature(signed, body, secrets, now));
}
