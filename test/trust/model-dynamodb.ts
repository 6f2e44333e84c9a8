import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { oneOf, type Random, wholeNumber } from '../../bench/data/seeded-random.ts';
import { ID, type Item, indexName, itemBytes, SHARD } from '../../src/dynamodb/item.ts';
import type { Fault, FaultPlan, Operation } from './fault-plan.ts';

/** DynamoDB's own bounds ("Service, account, and table quotas"). */
const MOST_KEYS = 100;
const MOST_BATCH_BYTES = 16 * 2 ** 20;
const MOST_PAGE_BYTES = 2 ** 20;

/** What a request that DynamoDB itself would refuse gets; the product makes a 500 of it. */
class Invalid extends Error {}

/** The items of a table, by their keys and by its indexes. */
export class ModelTable {
  readonly name: string;
  readonly #items = new Map<string, Item>();
  readonly #indexes = new Map<string, Map<string, Item[]>>();

  constructor(name: string, items: readonly Item[]) {
    this.name = name;
    for (const item of items) this.#items.set(nameOf(item), item);
  }

  get(key: Item): Item | undefined {
    return this.#items.get(nameOf(key));
  }

  /** The items of an index's key, by their ids. An index has only items with its attribute. */
  withKey(index: string, attribute: string, key: string): readonly Item[] {
    if (index !== indexName(attribute.replace(/~key$/, ''))) throw new Invalid('no such index');
    let items = this.#indexes.get(index);
    if (items === undefined) {
      items = new Map();
      for (const item of this.#items.values()) {
        const its = item[attribute]?.S;
        if (its === undefined) continue;
        const same = items.get(its);
        if (same === undefined) items.set(its, [item]);
        else same.push(item);
      }
      for (const same of items.values()) same.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
      this.#indexes.set(index, items);
    }
    return items.get(key) ?? [];
  }
}

export type Model = {
  readonly table: ModelTable;
  /** A table of the same shape with other rows, whose columns come by mistake. */
  readonly other: ModelTable;
  readonly plan: FaultPlan;
};

/** Sends requests to the model, in place of the SDK's own handler: its retries and its reading of answers are real. */
export function modelHandler(model: Model) {
  let [calls, latest] = [0, ''];
  const invocations = new Map<string, number>();
  const handle = async (
    { headers, body }: { headers: Record<string, string>; body: string | Uint8Array },
    { abortSignal }: { abortSignal?: AbortSignal } = {},
  ) => {
    calls++;
    latest = headers['amz-sdk-invocation-id'] as string;
    const invocation = invocations.get(latest) ?? invocations.size + 1;
    invocations.set(latest, invocation);
    const attempt = Number(/attempt=(\d+)/.exec(headers['amz-sdk-request'] ?? '')?.[1] ?? 1);
    const operation = headers['x-amz-target']?.split('.')[1] as Operation;
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const fault = model.plan({ invocation, attempt, operation, text });
    // Other work goes on before an answer arrives.
    await new Promise(setImmediate);
    return respond(model, operation, JSON.parse(text), fault, abortSignal);
  };
  return {
    handle,
    destroy() {},
    /** The requests so far, without the SDK's retries. */
    get invocations() {
      return invocations.size;
    },
    get calls() {
      return calls;
    },
  };
}

type Request = {
  readonly RequestItems?: Record<string, { Keys: Item[] }>;
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Item;
  readonly ExclusiveStartKey?: Item;
};

async function respond(
  model: Model,
  operation: Operation,
  request: Request,
  fault: Fault,
  signal: AbortSignal | undefined,
) {
  const { kind, random } = fault;
  if (kind === 'silent') return noAnswer(fault.over, signal);
  if (kind === 'slow') throw Object.assign(new Error('timed out'), { name: 'TimeoutError' });
  if (kind === 'reset') throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  if (kind === 'failed') return answer(500, { __type: 'InternalServerError', message: 'm' });
  if (kind === 'throttled' || kind === 'limited') {
    const name =
      kind === 'throttled' ? 'ProvisionedThroughputExceededException' : 'ThrottlingException';
    return answer(400, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'm' });
  }
  try {
    const found =
      operation === 'Query' ? page(model, request, fault) : batch(model, request, fault);
    return answer(200, found, kind === 'cut-body' ? random : undefined);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return answer(400, { __type: 'ValidationException', message: error.message });
  }
}

/** Waits until the caller gives up, or the fault is over, as the SDK's own handler does after a second. */
function noAnswer(over: Promise<void> | undefined, signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (name: string) => reject(Object.assign(new Error(name), { name }));
    over?.then(() => fail('TimeoutError'));
    if (signal?.aborted) fail('AbortError');
    signal?.addEventListener('abort', () => fail('AbortError'), { once: true });
  });
}

function batch({ table, other }: Model, request: Request, { kind, random }: Fault): object {
  const [[name, { Keys: keys }] = ['', { Keys: [] as Item[] }], ...more] = Object.entries(
    request.RequestItems ?? {},
  );
  if (name !== table.name || more.length > 0) throw new Invalid('no such table');
  if (keys.length === 0 || keys.length > MOST_KEYS) throw new Invalid('number of keys');
  if (new Set(keys.map(nameOf)).size < keys.length) throw new Invalid('duplicate keys');
  if (keys.some((key) => Object.keys(key).length !== 2)) throw new Invalid('not a key');
  const most = kind === 'cut-page' ? wholeNumber(random, 0, keys.length - 1) : keys.length;
  const damaged = kind === 'cut-page' ? -1 : wholeNumber(random, 0, keys.length - 1);
  // DynamoDB answers in no order.
  const [found, unprocessed]: [Item[], Item[]] = [[], []];
  let bytes = 0;
  for (const [i, key] of shuffled(keys, random).entries()) {
    let item = table.get(key);
    if (i === damaged) item = damagedItem(kind, item, other.get(key), random);
    bytes += item === undefined ? 0 : itemBytes(item);
    if (kind === 'empty-page' || i >= most || bytes > MOST_BATCH_BYTES) unprocessed.push(key);
    else if (item !== undefined) found.push(item);
  }
  return {
    Responses: { [name]: found.map(wireItem) },
    UnprocessedKeys: unprocessed.length === 0 ? {} : { [name]: { Keys: unprocessed } },
  };
}

/** An item as a fault makes it. Rows have no checksum, and no other version's rows. */
function damagedItem(
  kind: Fault['kind'],
  item: Item | undefined,
  other: Item | undefined,
  random: Random,
): Item | undefined {
  if (kind === 'missing-item') return undefined;
  if (kind === 'other-version' && (item?.directory ?? item?.data) !== undefined) return other;
  const data = item?.data?.B;
  if (kind !== 'flipped-bit' || item === undefined || data === undefined) return item;
  const B = Buffer.from(data);
  const at = wholeNumber(random, 0, B.length - 1);
  B[at] = (B[at] as number) ^ (1 << wholeNumber(random, 0, 7));
  return { ...item, data: { B } };
}

function page({ table }: Model, request: Request, { kind, random }: Fault): object {
  const { TableName, IndexName = '', KeyConditionExpression, ExclusiveStartKey: start } = request;
  const attribute = request.ExpressionAttributeNames?.['#key'] ?? '';
  const key = request.ExpressionAttributeValues?.[':key']?.S;
  if (TableName !== table.name || key === undefined) throw new Invalid('no such table');
  if (KeyConditionExpression !== '#key = :key') throw new Invalid('condition');
  const all = table.withKey(IndexName, attribute, key);
  const from = start === undefined ? 0 : all.findIndex((item) => idOf(item) > idOf(start));
  const left = from < 0 ? [] : all.slice(from);
  let most = left.length;
  if (kind === 'cut-page') most = wholeNumber(random, 0, left.length);
  if (kind === 'empty-page') most = 0;
  const found: Item[] = [];
  let bytes = 0;
  for (const item of left.slice(0, most)) {
    bytes += itemBytes(item);
    if (bytes > MOST_PAGE_BYTES && found.length > 0) break;
    found.push(item);
  }
  const isCut = found.length < left.length || kind === 'cut-page' || kind === 'empty-page';
  const last = found.at(-1) ?? start ?? before(attribute, key);
  const at = Object.fromEntries([SHARD, ID, attribute].map((name) => [name, last[name]]));
  return {
    Items: found.map(wireItem),
    Count: found.length,
    ScannedCount: found.length,
    ConsumedCapacity: { TableName, CapacityUnits: Math.max(0.5, Math.ceil(bytes / 4096) / 2) },
    ...(isCut ? { LastEvaluatedKey: at } : {}),
  };
}

/** A key before all of an index's items: `-` comes before digits. */
function before(attribute: string, key: string): Item {
  return { [SHARD]: { S: '-' }, [ID]: { S: '-' }, [attribute]: { S: key } };
}

/** A response as the SDK takes it from its handler; the end of its body may be missing. */
function answer(statusCode: number, body: object, cut?: Random) {
  const bytes = Buffer.from(JSON.stringify(body));
  const sent = cut === undefined ? bytes : bytes.subarray(0, wholeNumber(cut, 0, bytes.length - 1));
  return {
    response: {
      statusCode,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: new Blob([sent]).stream(),
    },
  };
}

function wireItem(item: Item): object {
  return item.data?.B === undefined ? item : { ...item, data: wireData(item.data) };
}

function wireData({ B }: AttributeValue): object {
  return { B: Buffer.from(B as Uint8Array).toString('base64') };
}

function nameOf(key: Item): string {
  const [shard, id] = [key[SHARD]?.S, key[ID]?.S];
  if (shard === undefined || id === undefined) throw new Invalid('a key lacks an attribute');
  return `${shard}/${id}`;
}

function idOf(item: Item): string {
  return item[ID]?.S as string;
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const left = [...values];
  return values.map(() => left.splice(left.indexOf(oneOf(random, left)), 1)[0] as T);
}
