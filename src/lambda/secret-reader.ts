import { type ReadSecrets, secretsIn, secretUnavailable } from '../channels/slack/slash-command.ts';
import { once } from '../work/once.ts';

/** Every instance knows a changed secret after this time. */
const KEPT_MS = 5 * 60_000;

/** The wait before another try if a read failed; the older secrets stay valid meanwhile. */
const RETRY_MS = 10_000;

/**
 * A function's secrets, fetched on first use and again when they are five minutes old; if a later
 * fetch fails, the older ones stay valid. `name` is the name of a SecureString parameter of SSM, or
 * the ARN of a secret in Secrets Manager.
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

/** Loaded from a separate file, so that a function's start does not wait for the AWS clients. */
const loadFetcher = () => import('./fetch-secret.ts');

/** Adds the name, for the log and the deployment: SSM's error for a missing one has no text. */
function unread(name: string, { name: code, message }: Error): Error {
  const error = new Error(`The secret ${name} cannot be read: ${code}: ${message}`);
  error.name = code;
  return error;
}
