import { setTimeout as sleep } from 'node:timers/promises';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './item.ts';
import type { TableReads } from './read-client.ts';
import { ID, SHARD } from './table-shape.ts';

/** An item to read: its key, and about how many bytes it has. */
export type AskedItem = {
  readonly key: Readonly<Record<string, AttributeValue>>;
  readonly bytes: number;
};

/** BatchGetItem takes 100 keys; fewer bytes than its 16 MB arrive well within a request's time. */
const MOST_KEYS = 100;
const MOST_BYTES = 4 * 2 ** 20;

/** Reads may go on after the run that asked has ended, but not for ever. */
const WITHIN_MS = 20_000;

type Caller = {
  readonly resolve: (item: Item | undefined) => void;
  readonly reject: (error: unknown) => void;
};

/** An item, and those who wait for it. */
type Waiting = AskedItem & { readonly callers: Caller[] };

/** Reads single items: those asked for in one turn of the event loop are read together. */
export class ItemReader {
  readonly #client: TableReads;
  readonly #table: string;
  /** By the name of its key, since a request must not name a key twice. */
  #waiting = new Map<string, Waiting>();

  constructor(client: TableReads, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** The item of a key; undefined if there is none. */
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
      if (i > from && (i - from === MOST_KEYS || bytes + asked.bytes > MOST_BYTES)) {
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
      for (let attempt = 0; keys.length > 0; attempt++) {
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
        // Answers may be cut by their size, which is no reason to wait; throttling is.
        if (found.length === 0 && keys.length > 0) {
          await sleep(backOff(attempt), undefined, { signal });
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

/** Full jitter, up to half a second. */
function backOff(attempt: number): number {
  return Math.random() * Math.min(500, 25 * 2 ** attempt);
}

function nameOf(key: Readonly<Record<string, AttributeValue>>): string {
  return `${key[SHARD]?.S}/${key[ID]?.S}`;
}
