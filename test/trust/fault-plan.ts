import { oneOf, type Random, seededRandom } from '../../bench/data/seeded-random.ts';

export type Operation = 'Query' | 'BatchGetItem';

/** What a request to DynamoDB meets. */
export const KINDS = [
  /** A Query's page ends anywhere; keys of a batch are left unprocessed. */
  'cut-page',
  /** A page without items, after which more follow; no key of a batch is processed. */
  'empty-page',
  'throttled',
  'limited',
  'failed',
  'reset',
  /** The end of the answer is missing. */
  'cut-body',
  /** No answer within the handler's time; it gives up at once, so that tests need not wait. */
  'slow',
  'missing-item',
  /** A chunk, or a directory, of another version with as many rows. */
  'other-version',
  'flipped-bit',
] as const;

/** `silent` is not answered until the fault is over. */
export type Kind = (typeof KINDS)[number] | 'silent' | 'none';

/** After these, the same answer as ever; the others may be met by a refusal. */
export const HARMLESS: readonly Kind[] = ['none', 'cut-page', 'empty-page'];

export type Fault = {
  readonly kind: Kind;
  readonly random: Random;
  /** Resolves when a silent store is given up. */
  readonly over?: Promise<void>;
};

export type Call = {
  /** The number of the request, from 1 on; the SDK's retries have the same. */
  readonly invocation: number;
  readonly attempt: number;
  readonly operation: Operation;
  readonly text: string;
};

export type FaultPlan = (call: Call) => Fault;

export function noFaults(): FaultPlan {
  const random = seededRandom(1);
  return () => ({ kind: 'none', random });
}

/** The nth request fails: at its first attempt, or at all. */
export function nthFails(
  n: number,
  kind: Kind,
  isForGood: boolean,
  seed: number,
  over?: Promise<void>,
): FaultPlan {
  const random = seededRandom(seed);
  return ({ invocation, attempt }) => {
    const fails = invocation === n && (isForGood || attempt === 1);
    return { kind: fails ? kind : 'none', random, ...(over === undefined ? {} : { over }) };
  };
}

/**
 * A share of all requests meets some fault. The fault depends on what is asked and how often it has
 * been, not on the order of requests: chunks are unpacked on other threads.
 */
export function seededFaults(seed: number, share: number, met: (kind: Kind) => void): FaultPlan {
  const times = new Map<string, number>();
  return ({ text }) => {
    const time = (times.get(text) ?? 0) + 1;
    times.set(text, time);
    const random = seededRandom(hashOf(`${seed}/${time}/${text}`));
    const kind = random() < share ? oneOf(random, KINDS) : 'none';
    met(kind);
    return { kind, random };
  };
}

/** FNV-1a by Fowler, Noll and Vo (public domain). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
