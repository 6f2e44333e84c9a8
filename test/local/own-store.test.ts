import { cpSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { rename, truncate, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import path from 'node:path';
import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../bench/data/seeded-random.ts';
import type { Manifest } from '../../src/block/manifest.ts';
import { deleteTable, tableName } from '../../src/dynamodb/client.ts';
import { directoryKey, partKey } from '../../src/dynamodb/column-items.ts';
import type { Item } from '../../src/dynamodb/item.ts';
import { hashesOnce } from '../../src/import/seed-files.ts';
import { localService } from '../../src/local/local-server.ts';
import { OwnStore } from '../../src/local/own-store.ts';
import { type PreparedBlock, prepareBlocks } from '../../src/local/prepare-datasets.ts';
import { SETTINGS } from '../support/ample.ts';
import { madeOnce } from '../support/once/made-once.ts';
import {
  cleanUp,
  paste,
  type ServerProcess,
  startServer,
  storesOf,
  temporaryFolder,
} from '../support/process.ts';
import { requestOf } from '../support/request-of.ts';
import { ROOT } from '../support/service.ts';
import { tinyBlock } from '../support/tiny-block.ts';

afterAll(cleanUp);

/** The port of 127.0.0.1 that a process listens on (proc(5)). */
function portOf(pid: number): number {
  const sockets = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  const LISTENS = '0A';
  for (const line of readFileSync(`/proc/${pid}/net/tcp`, 'utf8').split('\n')) {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    if (state !== LISTENS || !sockets.includes(`socket:[${inode}]`)) continue;
    return Number.parseInt(local.slice(-4), 16);
  }
  throw new Error(`Process ${pid} listens on no port.`);
}

describe("a running server's own DynamoDB", () => {
  let server: ServerProcess;
  let port: number;
  beforeAll(async () => {
    server = await startServer(
      { DATA_DIR: await temporaryFolder(), BLOCKYARD_BLOCKS: ROOT },
      await madeOnce<string>('package'),
    );
    port = portOf(server.stores[0] as number);
  });

  const SIGNED =
    'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0';

  /** What it answers; without the headers that every answer of Node's has. */
  async function ask(method: string, target: string, body: object, more: OutgoingHttpHeaders) {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${target}`,
      'x-amz-date': '20260101T000000Z',
      ...more,
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = JSON.stringify(body);
      const length = { 'content-length': Buffer.byteLength(sent) };
      request({ host: '127.0.0.1', port, method, headers: { ...headers, ...length } }, resolve)
        .once('error', reject)
        .end(sent);
    });
    let text = '';
    for await (const piece of answer.setEncoding('utf8')) text += piece;
    const { date: _, connection: __, 'keep-alive': ___, ...rest } = answer.headers;
    return { status: answer.statusCode, headers: rest, text };
  }

  const bound = { authorization: SIGNED, host: 'example.org' };
  const asking = { origin: 'null', 'access-control-request-method': 'POST' };
  const STRANGERS: readonly (readonly [string, string, OutgoingHttpHeaders])[] = [
    ['a program without its secret', 'POST', {}],
    ['a program that signs with keys of its own', 'POST', { authorization: SIGNED }],
    ['a page', 'POST', { authorization: SIGNED, origin: 'https://example.org' }],
    ['a page that asks first', 'OPTIONS', asking],
    ['a page whose name was bound to this machine', 'POST', bound],
    ['a browser that looks', 'GET', {}],
  ];

  test.each(STRANGERS)('refuses %s, whatever it wants', async (_, method, headers) => {
    const TableName = 'blockyard-seals';
    for (const [target, body] of [
      ['ListTables', {}],
      ['Scan', { TableName }],
      ['PutItem', { TableName, Item: { table: { S: 'forged' } } }],
      ['DeleteTable', { TableName }],
    ] as const) {
      const refused = { status: 403, headers: { 'content-length': '0' }, text: '' };
      expect(await ask(method, target, body, headers)).toEqual(refused);
    }
    const { body } = await paste(`curl '${server.url}/api_v2/blocks/business-directory?_limit=1'`);
    expect(JSON.parse(body).params.total).toBe(120);
  });
});

const ROWS = 200;
const SUM = (ROWS * (ROWS - 1)) / 2;
const CSV = `street,number\n${Array.from({ length: ROWS }, (_, i) => `Street ${i % 20},${i}\n`).join('')}`;

/** Questions of each kind: a sum, groups, rows in order, texts, a row at its address. */
const QUESTIONS = [
  '?_measure=sum:number',
  '?_group=street&_measure=count,sum:number',
  '?number_min=150&_sort=-number&_limit=7',
  '?street=street+7&_limit=3',
  '/rows/VERSION-77',
] as const;

type Running = {
  readonly store: OwnStore;
  readonly table: string;
  readonly told: string[];
  readonly report: string;
  ask(
    question: string,
    block?: string,
  ): Promise<{ status: number; retryAfter: string | null; text: string }>;
};

describe('what is damaged is never served, and the next start imports it anew', () => {
  let folder: string;
  let seedData: string;
  const opened: OwnStore[] = [];
  beforeEach(async () => {
    folder = path.join(await temporaryFolder(), 'data');
    seedData = await temporaryFolder();
    await writeFile(path.join(seedData, 'f.csv'), CSV);
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.stop();
  });

  /** A server's store with one dataset, of which nothing stays in memory. */
  async function run(): Promise<Running> {
    const told: string[] = [];
    const onProgress = (line: string) => told.push(line);
    const store = new OwnStore(folder, onProgress);
    opened.push(store);
    const dataset = { file: 'f.csv', sources: [{ title: 'f' }] };
    const entries = [tinyBlock, { ...tinyBlock, id: 'other-id', name: 'other' }].map((block) => {
      return { kind: 'dataset' as const, block, declared: block, dataset };
    });
    const prepared = await store.fill(() =>
      prepareBlocks(entries, {
        clients: () => store.clients(),
        ...{ seedData, cacheBytes: 0, rowsPerChunk: 40, onProgress },
        kept: {
          folder: path.join(folder, 'imports'),
          build: 'build',
          code: 'code',
          hashOfFile: hashesOnce(seedData),
        },
      }),
    );
    const services = prepared.map(({ served }) => served);
    const request = requestOf(localService(services, SETTINGS));
    const { served, report } = prepared[0] as PreparedBlock;
    return {
      ...{ store, told, report: report.join() },
      table: tableName(served.manifest as Manifest),
      ask: async (question, block = 'tiny') => {
        const path = question.replace('VERSION', served.manifest?.version ?? '');
        const answer = await request(`/api_v2/blocks/${block}${path}`);
        const retryAfter = answer.headers.get('retry-after');
        return { status: answer.status, retryAfter, text: await answer.text() };
      },
    };
  }

  const sumIn = (text: string) => JSON.parse(text).params.results[0].sum_number;

  async function change(
    { store, table }: Running,
    key: Item,
    changed: (item: Item) => Item | undefined,
  ): Promise<void> {
    const { client } = await store.clients();
    const { Item: item } = await client.send(new GetItemCommand({ TableName: table, Key: key }));
    const other = changed(item as Item);
    if (other === undefined) {
      await client.send(new DeleteItemCommand({ TableName: table, Key: key }));
    } else {
      await client.send(new PutItemCommand({ TableName: table, Item: other }));
    }
  }

  const inDirectory = (forge: (entry: ForgedEntry) => void) => (running: Running) =>
    change(running, directoryKey('number'), (item) => {
      const directory = JSON.parse(item.directory?.S as string);
      for (const entry of directory.chunks) forge(entry);
      return { ...item, directory: { S: JSON.stringify(directory) } };
    });
  type ForgedEntry = { min: number; max: number; nulls: number; dictionary: { first: number } };

  const DAMAGES: readonly (readonly [string, (running: Running) => Promise<unknown>])[] = [
    [
      'a directory whose numbers are moved',
      inDirectory((entry) => {
        entry.dictionary.first += 1000;
        entry.min += 1000;
        entry.max += 1000;
      }),
    ],
    [
      'a chunk with one other bit',
      (running) =>
        change(running, partKey('number', 2, 0), ({ data, ...item }) => {
          const bytes = Uint8Array.from(data?.B as Uint8Array);
          bytes[0] = (bytes[0] as number) ^ 1;
          return { ...item, data: { B: bytes } };
        }),
    ],
    [
      'a chunk that is missing',
      (running) => change(running, partKey('number', 3, 0), () => undefined),
    ],
    [
      'a directory that is no JSON',
      (running) =>
        change(running, directoryKey('number'), (item) => ({ ...item, directory: { S: '{' } })),
    ],
    [
      'a table that is missing',
      async ({ store, table }) => deleteTable((await store.clients()).client, table),
    ],
  ];

  /** Ends a server and starts the next one, which has the same data. */
  async function restart({ store }: Running): Promise<Running> {
    await store.stop();
    return run();
  }

  test.each(DAMAGES)(
    '%s: a 503 and one line; then right after a start, which says why it imports',
    async (name, damage) => {
      const before = await run();
      await damage(before);
      for (let asked = 0; asked < 2; asked++) {
        expect(await before.ask(QUESTIONS[0])).toMatchObject({ status: 503, retryAfter: '1' });
      }
      expect(before.told).toEqual([expect.stringMatching(DAMAGED)]);
      // The others are served.
      const other = await before.ask(QUESTIONS[0], 'other');
      expect([other.status, sumIn(other.text)]).toEqual([200, SUM]);

      const after = await restart(before);
      expect(after.report).toContain('seeded');
      for (const block of ['tiny', 'other']) {
        expect([name, sumIn((await after.ask(QUESTIONS[0], block)).text)]).toEqual([name, SUM]);
      }
      const last = await restart(after);
      expect([last.told, last.report]).toEqual([[], expect.stringContaining('already there')]);
      expect(sumIn((await last.ask(QUESTIONS[0])).text)).toBe(SUM);
    },
  );
  const DAMAGED =
    /^tiny: what is stored of it is damaged \(.+\)\. Start blockyard again: that imports it anew\.$/;

  test('what is damaged stays until a whole import stands in its place', async () => {
    const before = await run();
    const [, damage] = DAMAGES[0] as (typeof DAMAGES)[number];
    await damage(before);
    expect((await before.ask(QUESTIONS[0])).status).toBe(503);
    const files = () => readdirSync(folder).filter((file) => file.endsWith('.log'));
    await rename(path.join(seedData, 'f.csv'), path.join(seedData, 'g.csv'));
    await before.store.stop();
    await expect(run()).rejects.toThrow('f.csv');
    expect(files()).not.toEqual([]);
    for (const store of opened.splice(0)) await store.stop();
    await rename(path.join(seedData, 'g.csv'), path.join(seedData, 'f.csv'));
    const after = await run();
    expect(sumIn((await after.ask(QUESTIONS[0])).text)).toBe(SUM);
    expect(files()).toEqual([]);
  });

  test('a store that cannot be opened is replaced, with a line', async () => {
    await (await run()).store.stop();
    await writeFile(path.join(folder, 'CURRENT'), 'nonsense');
    await writeFile(path.join(folder, 'of-somebody-else'), '');
    const running = await run();
    expect(running.told).toEqual([
      expect.stringMatching(
        /^The data in \S+ are damaged \(.*Corruption: [^;{]+\): they are imported again\.$/,
      ),
    ]);
    expect(sumIn((await running.ask(QUESTIONS[0])).text)).toBe(SUM);
    expect(readdirSync(folder)).toContain('of-somebody-else');
    expect(readdirSync(folder)).not.toContain('CURRENT');
  });

  test.each([0, 100])('so is one whose tables were cut off after %i bytes', async (length) => {
    await (await run()).store.stop();
    // Its next start writes LevelDB's log as a table.
    await (await run()).store.stop();
    const tables = readdirSync(folder).filter((file) => file.endsWith('.ldb'));
    expect(tables).not.toEqual([]);
    for (const table of tables) await truncate(path.join(folder, table), length);
    let running = await run();
    const first = await running.ask(QUESTIONS[0]);
    if (first.status === 200) expect(sumIn(first.text)).toBe(SUM);
    else running = await restart(running);
    expect(sumIn((await running.ask(QUESTIONS[0])).text)).toBe(SUM);
  });

  test('so is one whose process ends by its data: the server ends, and the next one is right', async () => {
    const running = await run();
    // Dynalite throws at an item that it cannot decode; a signal of a crash does as well.
    process.kill(storesOf(process.pid)[0] as number, 'SIGABRT');
    expect((await running.store.lost).message).toContain('SIGABRT');
    const after = await restart(running);
    expect(after.report).toContain('seeded');
    expect(sumIn((await after.ask(QUESTIONS[0])).text)).toBe(SUM);
  });

  test('bytes that flip anywhere in its files change no answer', async () => {
    const before = await run();
    const right = [];
    for (const question of QUESTIONS) right.push((await before.ask(question)).text);
    await before.store.stop();
    // Its next start writes LevelDB's log as a table.
    await (await run()).store.stop();
    const whole = `${folder}-whole`;
    cpSync(folder, whole, { recursive: true });
    const random = seededRandom(24);
    for (let trial = 0; trial < 4; trial++) {
      folder = `${whole}-${trial}`;
      cpSync(whole, folder, { recursive: true });
      const files = readdirSync(folder, { recursive: true })
        .map((file) => path.join(folder, String(file)))
        .filter((file) => !/LO/.test(path.basename(file)) && statSync(file).isFile())
        .sort((a, b) => statSync(b).size - statSync(a).size);
      for (let flips = 0; flips < 3; flips++) {
        // The columns are in the largest.
        const file = files[trial % 2 === 0 ? 0 : Math.floor(random() * files.length)] as string;
        const bytes = readFileSync(file);
        const at = Math.floor(random() * bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ 16;
        await writeFile(file, bytes);
      }
      let running = await run();
      for (const [i, question] of QUESTIONS.entries()) {
        let answer = await running.ask(question);
        if (answer.status === 503) {
          running = await restart(running);
          answer = await running.ask(question);
        }
        expect([trial, question, answer.status, answer.text]).toEqual([
          trial,
          question,
          200,
          right[i],
        ]);
      }
      await running.store.stop();
    }
  });
});
