import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../bench/data/seeded-random.ts';
import { addBlock } from '../support/checkout.ts';
import { commandThatWorks } from '../support/command.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { httpfsPython, isInstalled } from '../support/tools.ts';
import { type Deployed, deployWell, destroy, MEMORY } from './deployed-service.ts';
import { askAws, theEmulator } from './emulator.ts';

const emulator = theEmulator();
const { slackSecret: _, ...context } = MEMORY.context;
const FILES = { ...MEMORY, stackName: 'files', context };
const FIELDS = [
  { type: 'integer', name: 'number', title: 'Number' },
  { type: 'text', name: 'text', title: 'Text' },
];

/** Rows whose texts hardly shrink, so that each of their files is longer than a function reads. */
const ROWS = 4000;
const LENGTH = 2400;
function csvOf(seed: number): string {
  const random = seededRandom(seed);
  const letter = () => String.fromCharCode(33 + Math.floor(random() * 90)).replace(/[",]/, 'x');
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `${i},"é${Array.from({ length: LENGTH }, letter).join('')}"\n`,
  );
  return `number,text\n${rows.join('')}`;
}

let folder: string;
let deployed: Deployed;
let blocks: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(path.join(folder, 'functions'));
  await mkdir(path.join(folder, 'seed-data'));
  const csv = csvOf(1);
  await addBlock(folder, { id: 'long', name: 'long', fields: FIELDS, csv });
  const few = csv.split('\n').slice(0, 20).join('\n');
  await addBlock(folder, { name: 'short', fields: FIELDS, csv: `${few}\n` });
  const environment = { BLOCKYARD_BLOCKS: folder };
  // test/lib tries CloudFormation's rules.
  deployed = await deployWell(emulator, FILES, { environment, isBundled: true });
  blocks = `${deployed.url}/api_v2/blocks`;
});
afterAll(cleanUp);

const ask = (below: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${blocks}/${below}`, { method, headers, redirect: 'manual' });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const described = async (name: string) => (await ask(name)).json();
const bucketsNow = async (): Promise<string[]> => {
  const [{ Buckets }] = await askAws(emulator, [['s3', 'list_buckets']]);
  return Buckets.map(({ Name }: { Name: string }) => Name).filter((name: string) =>
    name.startsWith(`${FILES.stackName}-`),
  );
};
const keysIn = async (Bucket: string): Promise<string[]> => {
  const [{ Contents = [] }] = await askAws(emulator, [['s3', 'list_objects_v2', { Bucket }]]);
  return Contents.map(({ Key }: { Key: string }) => Key);
};

const KINDS = ['csv', 'xlsx', 'ndjson', 'ndjson.gz', 'parquet'];

describe('the files of a version', () => {
  test('are told of by the description, with their lengths', async () => {
    for (const name of ['long', 'short']) {
      const { files, versions } = await described(name);
      expect(Object.keys(files).sort()).toEqual([...KINDS].sort());
      const [version] = versions;
      expect(versions).toHaveLength(1);
      for (const { url, bytes } of version.files) {
        const head = await fetch(`${deployed.url}${url}`, { method: 'HEAD', redirect: 'manual' });
        expect([url, head.status, head.headers.get('content-length')]).toEqual([
          url,
          200,
          String(bytes),
        ]);
      }
    }
  });

  test.each(KINDS)(
    'are read whole, and have one strong ETag wherever they are read: %s',
    async (kind) => {
      const { versions } = await described('long');
      const [{ id }] = versions;
      const at = `long/files/${id}.${kind}`;
      const head = await ask(at, {}, 'HEAD');
      const etag = head.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[^"]+"$/);
      expect(head.headers.get('accept-ranges')).toBe('bytes');
      const part = await ask(at, { range: 'bytes=5-50004' });
      expect([part.status, part.headers.get('etag')]).toEqual([206, etag]);
      const led = await ask(at);
      expect([led.status, led.headers.get('cache-control')]).toEqual([302, 'private, no-store']);
      const signed = led.headers.get('location') ?? '';
      expect(signed).toMatch(/X-Amz-Expires=3600&/);
      const whole = await fetch(signed);
      expect([whole.status, whole.headers.get('etag')]).toEqual([200, etag]);
      const bytes = await bytesOf(whole);
      expect(String(bytes.length)).toBe(head.headers.get('content-length'));
      expect((await bytesOf(part)).equals(bytes.subarray(5, 50_005))).toBe(true);
      for (const name of ['content-type', 'content-disposition']) {
        expect([name, whole.headers.get(name)]).toEqual([name, head.headers.get(name)]);
      }
    },
  );

  test('are the rows that the block answers with', async () => {
    const lines = await (await fetch(`${blocks}/long.ndjson`)).text();
    const answer = await fetch(`${blocks}/long?_format=ndjson`);
    expect(lines === (await answer.text())).toBe(true);
    expect(lines.trimEnd().split('\n')).toHaveLength(ROWS);
  });

  test('answer a range of up to 5 MB here, and lead a longer one to the bucket', async () => {
    const exactly = await ask('long/files/current.csv', { range: 'bytes=0-4999999' });
    expect([exactly.status, (await bytesOf(exactly)).length]).toEqual([206, 5_000_000]);
    const longer = await ask('long/files/current.csv', { range: 'bytes=0-5000000' });
    expect(longer.status).toBe(302);
    const there = await fetch(longer.headers.get('location') ?? '', {
      headers: { range: 'bytes=0-5000000' },
    });
    expect([there.status, (await bytesOf(there)).length]).toEqual([206, 5_000_001]);
  });

  test('are answered whole where they are short', async () => {
    const answer = await ask('short/files/current.csv');
    expect([answer.status, answer.headers.get('content-location')]).toEqual([
      200,
      expect.stringMatching(/^[0-9a-f]{20}\.csv$/),
    ]);
    expect((await answer.text()).split('\r\n')).toHaveLength(21);
  });

  test('refuse a range that they do not have, and know who has them', async () => {
    const at = 'long/files/current.parquet';
    expect((await ask(at, { range: 'bytes=99999999999-' })).status).toBe(416);
    const etag = (await ask(at, {}, 'HEAD')).headers.get('etag') ?? '';
    expect((await ask(at, { 'if-none-match': etag })).status).toBe(304);
    expect((await ask(at, { 'if-match': '"another"' })).status).toBe(412);
    expect((await ask(`long/files/${'0'.repeat(20)}.parquet`)).status).toBe(410);
  });

  test('have their short addresses, which lead below the block with the key', async () => {
    const led = await ask('long.parquet?api_key=a%26b');
    expect([led.status, led.headers.get('location')]).toEqual([
      302,
      '../../api_v2/blocks/long/files/current.parquet?api_key=a%26b',
    ]);
    for (const none of ['long.pdf', 'other.csv', 'long.csv?cache=1']) {
      expect([none, (await ask(none)).status]).not.toEqual([none, 302]);
    }
    expect((await ask('long.csv?number=1')).status).toBe(400);
  });

  test('lead no old client elsewhere, and take no POST', async () => {
    const old = await ask('long/files/current.csv?cache=1');
    expect([old.status, (await old.json())._errors[0].message]).toEqual([
      200,
      expect.stringMatching(/has at most 5,000,000 with cache/),
    ]);
    expect((await ask('long/files/current.csv', {}, 'POST')).status).toBe(405);
  });
});

describe('an address that is signed', () => {
  const signed = async () =>
    (await ask('long/files/current.parquet?api_key=secret')).headers.get('location') ?? '';

  test('has no key of the caller, and is for this file and for GET alone', async () => {
    const address = await signed();
    expect(address).not.toContain('secret');
    expect((await fetch(address, { method: 'HEAD' })).status).toBe(403);
    const other = address.replace('.parquet', '.csv');
    expect(other).not.toBe(address);
    expect((await fetch(other)).status).toBe(403);
    const [plain = ''] = address.split('?');
    expect((await fetch(plain)).status).toBe(403);
  });

  test('can be read by a page of any origin, also of none, with the headers that it needs', async () => {
    for (const origin of ['null', 'https://example.org']) {
      const answer = await fetch(await signed(), { headers: { origin, range: 'bytes=0-9' } });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        206,
        '*',
      ]);
      const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase();
      for (const name of ['etag', 'content-range', 'accept-ranges', 'content-length']) {
        expect(exposed).toContain(name);
      }
    }
  });
});

test('curl follows, and goes on with a download that was cut', async () => {
  if (!isInstalled('curl')) return;
  const address = `${blocks}/long.csv`;
  const file = path.join(folder, 'by-curl.csv');
  execFileSync('curl', ['-sSL', '-o', file, address]);
  const whole = await readFile(file);
  expect(whole.length).toBeGreaterThan(5_000_000);
  for (const cut of [1, whole.length - 6_000_000, whole.length - 5]) {
    await writeFile(file, whole.subarray(0, cut));
    execFileSync('curl', ['-sSL', '-C', '-', '-o', file, address]);
    expect([cut, (await readFile(file)).equals(whole)]).toEqual([cut, true]);
  }
});

test('DuckDB opens them by their names alone', async () => {
  const python = await httpfsPython();
  const file = path.join(import.meta.dirname, 'open_by_duckdb.py');
  const options = { cwd: folder, env: process.env };
  const printed = await commandThatWorks(python, [file, blocks], options);
  expect(JSON.parse(printed)).toEqual({
    parquet: [ROWS, (ROWS * (ROWS - 1)) / 2, LENGTH + 1],
    csv: [ROWS, (ROWS * (ROWS - 1)) / 2, LENGTH + 1],
  });
});

describe('files of other data', () => {
  let address: string;
  let etag: string;
  beforeAll(async () => {
    const led = await ask('long/files/current.csv');
    address = led.headers.get('location') ?? '';
    etag = (await ask('long/files/current.csv', {}, 'HEAD')).headers.get('etag') ?? '';
  });

  const deployAgain = async (seed: number) => {
    await writeFile(path.join(folder, 'seed-data', 'long.csv'), csvOf(seed));
    const environment = { BLOCKYARD_BLOCKS: folder };
    await deployWell(emulator, FILES, { environment, isBundled: true });
  };

  test('are beside those of the version before, and of no older one', async () => {
    const keysNow = async () => (await Promise.all((await bucketsNow()).map(keysIn))).flat();
    const first = await keysNow();
    await deployAgain(2);
    const second = await keysNow();
    expect(second).toEqual(expect.arrayContaining(first));
    expect(second.length - first.length).toBe(KINDS.length);
    // Who has begun goes on.
    expect((await fetch(address)).status).toBe(200);
    const now = await ask('long/files/current.csv', {}, 'HEAD');
    expect([now.status, now.headers.get('etag') === etag]).toEqual([200, false]);
    await deployAgain(3);
    const third = await keysNow();
    expect(third).toHaveLength(second.length);
    const gone = second.filter((key) => !third.includes(key));
    expect(gone.every((key) => key.startsWith('long/'))).toBe(true);
    expect(gone.sort()).toEqual(first.filter((key) => key.startsWith('long/')).sort());
    expect((await fetch(address)).status).not.toBe(200);
  });

  test('go with the stack, and their buckets', async () => {
    expect(await bucketsNow()).toHaveLength(2);
    const { code } = await destroy(emulator, FILES);
    expect([code, await bucketsNow()]).toEqual([0, []]);
  });
});
