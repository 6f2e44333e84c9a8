import { once } from '../http/served-block.ts';
import { type ReadSecrets, secretsIn } from '../slack/read-secrets.ts';
import { secretUnavailable } from '../slack/signature.ts';

/** A changed secret is known everywhere this long after. */
const KEPT_MS = 5 * 60_000;

/** After a read that failed, where older secrets hold. */
const RETRY_MS = 10_000;

/**
 * The secrets of a function, read from where they are kept when they are first asked for, and then
 * every five minutes; where a later read fails, those before hold on. `name` is that of a
 * SecureString parameter of SSM, or the ARN of a secret in Secrets Manager.
 */
export function secretReader(name: string, now: () => number = Date.now): ReadSecrets {
  const fetcher = once(async () => (await loadFetcher()).secretFetcher(name));
  let kept: { readonly secrets: readonly string[]; readonly until: number } | undefined;
  return async () => {
    if (kept !== undefined && now() < kept.until) return kept.secrets;
    try {
      const fetchText = await fetcher();
      const secrets = secretsIn(await fetchText());
      if (secrets.length === 0) throw new Error(`${name} is empty.`);
      kept = { secrets, until: now() + KEPT_MS };
    } catch (cause) {
      if (kept === undefined) throw secretUnavailable(unread(name, cause as Error));
      kept = { ...kept, until: now() + RETRY_MS };
    }
    return kept.secrets;
  };
}

/** In a function a file of its own: its start does not wait for the clients of AWS. */
const loadFetcher = () => import('./fetch-secret.ts');

/** What its log and its deployment say: SSM alone has no words for a parameter that is not there. */
function unread(name: string, { name: code, message }: Error): Error {
  const error = new Error(`The secret ${name} cannot be read: ${code}: ${message}`);
  error.name = code;
  return error;
}
