import { setTimeout as sleep } from 'node:timers/promises';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { backOff } from '../work/waiting.ts';
import { ID, type Item, SHARD } from './item.ts';
import type { TableReads } from './read-client.ts';

/** An item to read: its key, and its approximate size in bytes. */
export type AskedItem = {
  readonly key: Readonly<Record<string, AttributeValue>>;
  readonly bytes: number;
};

/**
 * Items that one request to DynamoDB reads, and their bytes, about. BatchGetItem takes 100 keys.
 *
 * Fewer bytes than its 16 MB arrive well within a request's time.
 */
const MOST_KEYS = 100;
const MOST_BYTES_ASKED = 4 * 2 ** 20;

/**
 * A read of items, whoever waits for it. Reads may go on after the run that wanted them has ended,
 * but not for ever.
 */
const WITHIN_MS = 20_000;

type Caller = {
  readonly resolve: (item: Item | undefined) => void;
  readonly reject: (error: unknown) => void;
};

/** An item to read, and the callers that wait for it. */
type Waiting = AskedItem & { readonly callers: Caller[] };

/**
 * Reads single items. All items that are wanted in one turn of the event loop are read together.
 */
export class ItemReader {
  readonly #client: TableReads;
  readonly #table: string;
  /** The items by the names of their keys. A request must not have the same key twice. */
  #waiting = new Map<string, Waiting>();

  constructor(client: TableReads, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Returns the item of a key. Undefined if there is none. */
  read(asked: AskedItem): Promise<Item | undefined> {
    return new Promise((resolve, reject) => {
      const name = nameOf(asked.key);
      const same = this.#waiting.get(name);
      if (same !== undefined) return same.callers.push({ resolve, reject });
      if (this.#waiting.size === 0) setImmediate(() => this.#readAll());
      this.#waiting.set(name, { ...asked, callers: [{ resolve, reject }] });
    });
  }

  #readAll(): void {
    const all = [...this.#waiting];
    this.#waiting = new Map();
    let [from, bytes] = [0, 0];
    for (const [i, [, asked]] of all.entries()) {
      if (i > from && (i - from === MOST_KEYS || bytes + asked.bytes > MOST_BYTES_ASKED)) {
        this.#readBatch(all.slice(from, i));
        [from, bytes] = [i, 0];
      }
      bytes += asked.bytes;
    }
    this.#readBatch(all.slice(from));
  }

  async #readBatch(batch: readonly (readonly [string, Waiting])[]): Promise<void> {
    const waiting = new Map(batch);
    const signal = AbortSignal.timeout(WITHIN_MS);
    try {
      let keys = batch.map(([, { key }]) => key);
      for (let attempt = 1; keys.length > 0; attempt++) {
        const { Responses, UnprocessedKeys } = await this.#client.batchGetItem(
          { RequestItems: { [this.#table]: { Keys: keys } } },
          signal,
        );
        const found = Responses?.[this.#table] ?? [];
        for (const item of found) {
          const name = nameOf(item);
          for (const { resolve } of waiting.get(name)?.callers ?? []) resolve(item);
          waiting.delete(name);
        }
        keys = (UnprocessedKeys?.[this.#table]?.Keys ?? []) as typeof keys;
        // An answer may lack items because of its size, which is no reason to wait. Throttling is
        // one.
        if (found.length === 0 && keys.length > 0) {
          await sleep(delayOfUnprocessed(attempt), undefined, { signal });
        }
      }
      for (const { callers } of waiting.values()) {
        for (const { resolve } of callers) resolve(undefined);
      }
    } catch (error) {
      for (const { callers } of waiting.values()) {
        for (const { reject } of callers) reject(error);
      }
    }
  }
}

/** How long to wait before asking again for the keys that a throttled table did not answer. */
const delayOfUnprocessed = backOff(25, 500);

function nameOf(key: Readonly<Record<string, AttributeValue>>): string {
  return `${key[SHARD]?.S}/${key[ID]?.S}`;
}
