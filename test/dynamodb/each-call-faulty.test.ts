import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rowSegment } from '../../src/block/row-key.ts';
import { ColumnCache, DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { createClient, seedTable, tableName } from '../../src/dynamodb/client.ts';
import { datasetStore } from '../../src/dynamodb/dataset-store.ts';
import { ReadClient } from '../../src/dynamodb/read-client.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import type { Row } from '../../src/values/field-type.ts';
import { AMPLE_MS, SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { requestOf } from '../support/request-of.ts';
import { sampleSpots, spotsBlock } from '../support/spots-block.ts';

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const spots = sampleSpots(200, 5);
const dataset = makeDataset(spotsBlock, spots, SOURCE, { rowsPerChunk: 80 });
const { manifest } = dataset;

/** One of each path through the executor. */
const QUESTIONS = [
  '_limit=5',
  'kind=Retail',
  'kind=Retail&seats_min=0&_sort=-seats',
  'kind=r*&_limit=3',
  '_q=court',
  '_q=cafe&_sort=name&_limit=2',
  '_sort=-seats&_limit=5',
  '_sort=-seats,name&_limit=5',
  '_near=40.68,-73.99',
  '_near=40.68,-73.99&_within=1km&kind=Retail',
  '_bbox=-74,40,-73,41',
  '_group=kind&_measure=avg:seats,median:seats,distinct:name',
  '_group=name&_having.count_min=2&_sort=-count&_limit=3',
  '_group=seats.10&_group=kind',
  '_group=place.2km',
  '_facets=kind',
  'name=nothing&seats_max=5',
  `seats=${Array.from({ length: 150 }, (_, i) => i).join('&seats=')}`,
  '_format=csv',
  '_format=csv&_sort=-seats',
  '_format=ndjson&_q=cafe',
  '_format=geojson',
  '_format=parquet',
  '_format=html&kind=Retail',
];

/** A row's page, with the rows before and after it and what is near. */
const ROW = `/rows/${rowSegment(spotsBlock, manifest, spots[7] as Row, 7)}?_format=html&seats_min=0`;

type Way = DynamoDBClient['config']['requestHandler'];
type Sent = Parameters<Way['handle']>;
type Answer = { statusCode: number; headers: Record<string, string>; body: Buffer };
// biome-ignore lint/suspicious/noExplicitAny: an answer of DynamoDB
type Body = any;

/** What happens to a call, which `send` makes as it should be. */
type Fault = (send: () => Promise<Answer>) => Promise<Answer>;

const withBody = ({ statusCode }: Answer, change: (body: Body) => void, answer: Buffer): Answer => {
  const body = JSON.parse(answer.toString());
  change(body);
  return { statusCode, headers: {}, body: Buffer.from(JSON.stringify(body)) };
};
const changed =
  (change: (body: Body) => void): Fault =>
  async (send) => {
    const answer = await send();
    return withBody(answer, change, answer.body);
  };
const fails: Fault = async () => ({
  statusCode: 500,
  headers: {},
  body: Buffer.from('{"__type":"InternalServerError","message":"SECRET"}'),
});
const hangs: Fault = async () => {
  throw Object.assign(new Error('SECRET'), { name: 'TimeoutError' });
};
const isSlow: Fault = async (send) => {
  await sleep(20);
  return send();
};
const isCut: Fault = async (send) => {
  const answer = await send();
  return { ...answer, body: answer.body.subarray(0, answer.body.length >> 1) };
};
/** A part of the items now, and which are to be asked for again. */
const returnsLess: Fault = changed((body) => {
  if (body.Responses === undefined) {
    if (body.Items.length < 2) return;
    body.Items.splice(1);
    body.Count = 1;
    const { '~shard': shard, '~id': id, 'kind~key': kind } = body.Items[0];
    body.LastEvaluatedKey = { '~shard': shard, '~id': id, 'kind~key': kind };
    return;
  }
  const [[table, found]] = Object.entries<Body[]>(body.Responses) as [[string, Body[]]];
  const Keys = found.splice(Math.ceil(found.length / 2)).map((item) => {
    return { '~shard': item['~shard'], '~id': item['~id'] };
  });
  if (Keys.length > 0) body.UnprocessedKeys = { [table]: { Keys } };
});
/** Less than there is, as if that were all. */
const loses: Fault = changed((body) => {
  for (const found of Object.values<Body[]>(body.Responses ?? {})) found.pop();
  if (body.Items !== undefined) body.Items.pop();
});

/** A way to DynamoDB on which the calls that `isFaulty` names, counted from 1, meet a fault. */
class FaultyWay {
  calls = 0;
  readonly #way: Way = new DynamoDBClient({ region: 'local' }).config.requestHandler;
  readonly #fault: Fault;
  readonly #isFaulty: (call: number) => boolean;

  constructor(fault: Fault, isFaulty: (call: number) => boolean) {
    this.#fault = fault;
    this.#isFaulty = isFaulty;
  }

  async handle(...sent: Sent) {
    const send = async (): Promise<Answer> => {
      const { response } = await this.#way.handle(...sent);
      const pieces: Uint8Array[] = [];
      for await (const piece of response.body) pieces.push(piece);
      const { statusCode, headers } = response;
      return { statusCode, headers, body: Buffer.concat(pieces) };
    };
    const { body, ...answer } = await (this.#isFaulty(++this.calls) ? this.#fault(send) : send());
    return { response: { ...answer, body: new Blob([new Uint8Array(body)]).stream() } };
  }

  destroy(): void {
    this.#way.destroy?.();
  }
}

let store: Awaited<ReturnType<typeof startEmbeddedDynamodb>>;
beforeAll(async () => {
  store = await startEmbeddedDynamodb();
  const client = createClient(store);
  await seedTable(client, dataset);
  client.destroy();
});
afterAll(() => store.stop());

/** A question's answer, if nothing is in memory yet; `undefined` for one that breaks off. */
async function answerOf(question: string, way: FaultyWay) {
  const client = new ReadClient({
    ...store,
    requestHandler: way as never,
    requestTimeout: AMPLE_MS,
  });
  const table = { client, name: tableName(manifest), block: spotsBlock, manifest };
  const rows = datasetStore(table, new ColumnCache(DEFAULT_CACHE_BYTES));
  const routes = blockRoutes(serveDataset({ block: spotsBlock, manifest, store: rows }));
  const request = requestOf(serviceOf(routes, SETTINGS));
  try {
    const isOfRow = question.startsWith('/');
    const response = await request(`/api_v2/blocks/spots${isOfRow ? '' : '?'}${question}`);
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  } finally {
    client.destroy();
  }
}

const ask = async (question: string, fault: Fault, isFaulty: (call: number) => boolean) => {
  const way = new FaultyWay(fault, isFaulty);
  return { found: await answerOf(question, way), calls: () => way.calls };
};
type Found = Awaited<ReturnType<typeof answerOf>>;

const isRight = (found: Found, right: Found) => found?.status === 200 && found.text === right?.text;
const isRefusal = (found: Found) =>
  found === undefined || (found.status === 503 && !found.text.includes('SECRET'));
const isEither = (found: Found, right: Found) => isRight(found, right) || isRefusal(found);

let rights: readonly { question: string; right: Found; calls: number }[];
beforeAll(async () => {
  rights = await Promise.all(
    [...QUESTIONS, ROW].map(async (question) => {
      const { found: right, calls } = await ask(question, fails, () => false);
      expect([question, right?.status, calls() > 0]).toEqual([question, 200, true]);
      return { question, right, calls: calls() };
    }),
  );
});

/** Asks each question with a fault of the n-th call, or of it and all later ones, for every n. */
async function wrongAnswers(
  fault: Fault,
  isOnce: boolean,
  isAsItShouldBe: (found: Found, right: Found) => boolean,
) {
  const asked = rights.flatMap(({ calls, ...one }) =>
    Array.from({ length: calls }, (_, i) => ({ ...one, n: i + 1 })),
  );
  const wrong: unknown[] = [];
  const askNext = async () => {
    for (let one = asked.pop(); one !== undefined; one = asked.pop()) {
      const { question, right, n } = one;
      const { found } = await ask(question, fault, (call) => (isOnce ? call === n : call >= n));
      if (!isAsItShouldBe(found, right))
        wrong.push([question, n, found?.status, found?.text.slice(0, 300)]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askNext));
  return wrong;
}

/** More would be no faster: they share a processor and a store. */
const AT_ONCE = 16;

test.each<[string, Fault]>([
  ['fails', fails],
  ['gets no answer', hangs],
  ['is slow', isSlow],
  ['is cut', isCut],
  ['returns less, and says so', returnsLess],
  ['loses an item', loses],
])('no answer is wrong if the n-th call %s', async (_, fault) => {
  expect(await wrongAnswers(fault, true, isEither)).toEqual([]);
});

test.each<[string, Fault]>([
  ['fails', fails],
  ['gets no answer', hangs],
  ['is cut', isCut],
])('each question is refused if its n-th call and each later one %s', async (_, fault) => {
  expect(await wrongAnswers(fault, false, isRefusal)).toEqual([]);
});

test('no answer is wrong if each call from the n-th returns less, and says so', async () => {
  expect(await wrongAnswers(returnsLess, false, isEither)).toEqual([]);
});
