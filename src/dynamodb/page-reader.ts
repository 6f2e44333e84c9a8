import { setMaxListeners } from 'node:events';
import {
  type AttributeValue,
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { Field } from '../fields/field.ts';
import type { KeyedRow } from '../query/predicate.ts';
import type { Usage } from '../query/row-store.ts';
import { withinSignal } from '../waiting/within.ts';
import { AWS_PRICES } from './aws-prices.ts';
import { readItem } from './item.ts';
import { storeUnavailable } from './store-unavailable.ts';
import { ID } from './table-shape.ts';

export type PositionedRow = KeyedRow & { readonly position: number };

/** Rows in order of position; the source has no further matches up to `completeUpTo`. */
export type Batch = { readonly rows: readonly PositionedRow[]; readonly completeUpTo: number };

type ReadPage = Batch & { readonly startKey: Record<string, AttributeValue> | undefined };

/** Sends the Queries of one read: counts them, stops at a bound, and adds up their cost. */
export class PageReader {
  readonly #client: DynamoDBClient;
  readonly #fields: readonly Field[];
  readonly #signal: AbortSignal;
  readonly #mostPages: number;
  readonly #until: number;
  #pages = 0;
  #itemsRead = 0;
  #capacityUnits = 0;

  /** `until`: the time after which no page is started, in ms of `performance.now()`. */
  constructor(
    client: DynamoDBClient,
    fields: readonly Field[],
    signal: AbortSignal,
    bounds: { mostPages: number; until: number },
  ) {
    this.#client = client;
    this.#fields = fields;
    this.#signal = signal;
    // Every request adds a listener; the number of requests is bounded elsewhere.
    setMaxListeners(0, signal);
    this.#mostPages = bounds.mostPages;
    this.#until = bounds.until;
  }

  get usage(): Usage {
    const capacityUnits = this.#capacityUnits;
    const usd = (capacityUnits * AWS_PRICES.millionReadUnits) / 1e6;
    return { itemsRead: this.#itemsRead, capacityUnits, usd };
  }

  /** The pages of one Query, including empty ones; undefined once a bound is reached. */
  async *pages(input: QueryCommandInput): AsyncGenerator<Batch | undefined> {
    let startKey: Record<string, AttributeValue> | undefined;
    do {
      if (this.#isSpent()) return yield undefined;
      const page = await this.#readPage({ ...input, ExclusiveStartKey: startKey });
      yield page;
      startKey = page.startKey;
    } while (startKey !== undefined);
  }

  #isSpent(): boolean {
    return this.#pages >= this.#mostPages || performance.now() > this.#until;
  }

  async #send(command: QueryCommand): Promise<QueryCommandOutput> {
    try {
      const sent = this.#client.send(command, { abortSignal: this.#signal });
      // The SDK's back-off does not listen to the signal; a read must not outlive it.
      return await withinSignal(sent, this.#signal);
    } catch (cause) {
      throw storeUnavailable(cause);
    }
  }

  async #readPage(input: QueryCommandInput): Promise<ReadPage> {
    this.#pages++;
    const command = new QueryCommand({ ...input, ReturnConsumedCapacity: 'TOTAL' });
    const output = await this.#send(command);
    this.#itemsRead += output.ScannedCount ?? 0;
    this.#capacityUnits += output.ConsumedCapacity?.CapacityUnits ?? 0;
    const startKey = output.LastEvaluatedKey;
    return {
      rows: (output.Items ?? []).map((item) => readItem(this.#fields, item)),
      completeUpTo: startKey === undefined ? Number.POSITIVE_INFINITY : Number(startKey[ID]?.S),
      startKey,
    };
  }
}

/**
 * Yields the pages of all sources in sequence, while reading up to `ahead` of them at once. `endOf`
 * gives a source's last position, whether or not that row passed the filter.
 */
export async function* inSequence(
  sources: readonly AsyncGenerator<Batch | undefined>[],
  ahead: number,
  endOf: (source: number) => number,
): AsyncGenerator<Batch | undefined> {
  const first = sources.map(
    () => undefined as Promise<IteratorResult<Batch | undefined>> | undefined,
  );
  for (const [i, source] of sources.entries()) {
    for (let j = i; j < Math.min(sources.length, i + ahead); j++) {
      first[j] ??= quietly((sources[j] as typeof source).next());
    }
    for (let page = await first[i]; page && !page.done; page = await source.next()) {
      const { value } = page;
      // The end of a shard is not the end of the dataset.
      const isEnd = value?.completeUpTo === Number.POSITIVE_INFINITY && i < sources.length - 1;
      yield isEnd ? { ...(value as Batch), completeUpTo: endOf(i) } : value;
      if (value === undefined) return;
    }
  }
}

/** Merges the pages of all sources, the keys of an index, in order of position. */
export async function* merged(
  sources: readonly AsyncGenerator<Batch | undefined>[],
): AsyncGenerator<Batch | undefined> {
  const streams = await Promise.all(
    sources.map(async (source) => ({ source, ...(await nextBatch(source)) })),
  );
  for (;;) {
    if (streams.some(({ budgetSpent }) => budgetSpent)) return yield undefined;
    const completeUpTo = Math.min(...streams.map((stream) => stream.completeUpTo));
    const rows = streams.flatMap((stream) => {
      const count = stream.rows.filter(({ position }) => position <= completeUpTo).length;
      return stream.rows.splice(0, count);
    });
    yield { rows: rows.sort((a, b) => a.position - b.position), completeUpTo };
    if (completeUpTo === Number.POSITIVE_INFINITY) return;
    for (const stream of streams) {
      if (stream.completeUpTo === completeUpTo) {
        const { rows: more, ...rest } = await nextBatch(stream.source);
        stream.rows.push(...more);
        Object.assign(stream, rest);
      }
    }
  }
}

async function nextBatch(
  source: AsyncGenerator<Batch | undefined>,
): Promise<{ rows: PositionedRow[]; completeUpTo: number; budgetSpent: boolean }> {
  const { value, done } = await source.next();
  if (done) return { rows: [], completeUpTo: Number.POSITIVE_INFINITY, budgetSpent: false };
  if (value === undefined) return { rows: [], completeUpTo: -1, budgetSpent: true };
  return { rows: [...value.rows], completeUpTo: value.completeUpTo, budgetSpent: false };
}

// A page read ahead may fail before anyone awaits it; that must not end the process.
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
