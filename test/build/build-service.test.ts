import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describedIn } from '../../src/block/describe-block.ts';
import { type BuiltBlock, handlerSource } from '../../src/build/build-block.ts';
import { type BuiltService, buildService } from '../../src/build/build-service.ts';
import type { Item } from '../../src/dynamodb/item.ts';
import { type LoadedBlock, loadBlocks } from '../../src/import/load-blocks.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import { LIST_IDS } from '../color/named-lists.ts';
import { OPEN } from '../support/ample.ts';
import { copyCheckout } from '../support/checkout.ts';
import { datasetItems, importDataset } from '../support/datasets.ts';
import { builtService } from '../support/deployment.ts';
import { cleanUp } from '../support/process.ts';
import { ROOT, type Service, startService } from '../support/service.ts';

const blocks = await loadBlocks(path.join(ROOT, 'functions'));

let built: BuiltService;
let service: Service;
beforeAll(async () => {
  built = await builtService();
  service = await startService();
});
afterAll(async () => {
  await service?.close();
  await cleanUp();
});

const of = (name: string) => built.blocks.find(({ block }) => block.name === name) as BuiltBlock;

const loadedOf = (name: string) => blocks.find(({ block }) => block.name === name) as LoadedBlock;

/** Calls a built function in a process of its own, as Lambda would, with no AWS to ask. */
async function call(code: string, environment: object, event: object) {
  const script = `const { handler } = await import('./index.mjs');
process.stdout.write('ANSWER' + JSON.stringify(await handler(${JSON.stringify(event)}) ?? null));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    { cwd: code, env: { PATH: process.env.PATH, AWS_REGION: 'local', ...OPEN, ...environment } },
  );
  return JSON.parse(stdout.slice(stdout.indexOf('ANSWER') + 'ANSWER'.length));
}

const post = (block: string, body: unknown) => ({
  httpMethod: 'POST',
  path: `/api_v2/blocks/${block}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  isBase64Encoded: false,
  requestContext: {},
});

describe("a function's bundle", () => {
  /** The bounds of issue 4, data apart. */
  test.each(blocks.map(({ kind, block }) => [block.name, kind === 'value' ? 164 : 750]))(
    '%s is at most %i KB, with its source map beside it',
    (name, kilobytes) => {
      const { code } = of(name as string);
      expect(statSync(path.join(code, 'index.mjs')).size).toBeLessThan(
        (kilobytes as number) * 1000,
      );
      const map = JSON.parse(readFileSync(path.join(code, 'index.mjs.map'), 'utf8'));
      expect(map.sources.join()).toContain(
        handlerSource(loadedOf(name as string), { root: ROOT, blocks: ROOT }),
      );
      expect(map.sourcesContent).toBeUndefined();
    },
  );

  test.each(blocks.map(({ kind, block }) => [block.name, kind]))(
    '%s has the code that writes Parquet and Excel in files of their own, if its rows are a dataset (%s)',
    async (name, kind) => {
      const { code } = of(name as string);
      const files = await readdir(code);
      for (const file of ['parquet.mjs', 'xlsx.mjs']) {
        expect(files.includes(file)).toBe(kind === 'dataset');
      }
      const map = await readFile(path.join(code, 'index.mjs.map'), 'utf8');
      expect(JSON.parse(map).sources.join()).not.toMatch(
        /hyparquet|formats\/(?:parquet|xlsx)-writer/,
      );
    },
  );

  test.each(blocks.map(({ kind, block }) => [block.name, kind]))(
    '%s has the client of its files in a file of its own, if its rows are a dataset (%s)',
    async (name, kind) => {
      const { code } = of(name as string);
      expect((await readdir(code)).includes('bucket.mjs')).toBe(kind === 'dataset');
      const map = await readFile(path.join(code, 'index.mjs.map'), 'utf8');
      expect(JSON.parse(map).sources.join()).not.toMatch(/client-s3|s3-request-presigner/);
      if (kind !== 'dataset') return;
      const { bucketReader } = await import(path.join(code, 'bucket.mjs'));
      expect(Object.keys(bucketReader('a-bucket'))).toEqual(['etagOf', 'read', 'address']);
    },
  );

  test.each(blocks.map(({ kind, block }) => [block.name, kind]))(
    '%s has the earth below maps in a file of its own, if its rows are a dataset (%s)',
    async (name, kind) => {
      const { code } = of(name as string);
      const files = await readdir(code);
      expect(files.includes('earth.mjs')).toBe(kind === 'dataset');
      for (const map of files.filter((file) => /^(?!earth).*mjs\.map$/.test(file))) {
        const { sources } = JSON.parse(await readFile(path.join(code, map), 'utf8'));
        expect(sources.join()).not.toMatch(/figure\/earth|d3-geo|topojson/);
      }
      if (kind !== 'dataset') return;
      const { earth } = await import(path.join(code, 'earth.mjs'));
      const asked = { box: [-20, 30, 40, 60], places: [], addresses: [], language: ENGLISH };
      expect(earth.groundOf(asked).under()).toHaveLength(2);
    },
  );

  test('names no path of this machine', () => {
    const folders = [...built.blocks.map(({ code }) => code), built.catalog, built.keyAuthorizer];
    for (const folder of folders) {
      const text = readFileSync(path.join(folder, 'index.mjs'), 'utf8');
      expect(text).not.toContain(ROOT);
      expect(text).not.toContain(folder);
    }
  });

  test.each(blocks.map(({ kind, block }) => [block.name, kind]))(
    '%s has no compiler of schemas, and the SDK only where there is a table',
    async (name, kind) => {
      const map = await readFile(path.join(of(name as string).code, 'index.mjs.map'), 'utf8');
      const files: string[] = JSON.parse(map).sources;
      expect(files.filter((file) => /node_modules\/ajv\/dist\/(?!runtime\/)/.test(file))).toEqual(
        [],
      );
      const ofTables = files.filter((file) => /@aws-sdk|@smithy|src\/dynamodb/.test(file));
      if (kind === 'value') expect(ofTables).toEqual([]);
      else expect(ofTables.length).toBeGreaterThan(10);
      const unneeded =
        /event-streams[\\/]|credential-provider-(?:http|imds|ini|process|sso|web-identity)/;
      expect(files.filter((file) => unneeded.test(file))).toEqual([]);
      // A dataset's declaration was checked by the build.
      const checks = files.filter((file) => /block\/declaration\.ts$/.test(file));
      expect(checks).toHaveLength(kind === 'value' ? 1 : 0);
    },
  );
});

describe('the channels to all blocks', () => {
  const bundled = async (folder: string) =>
    JSON.parse(await readFile(path.join(folder, 'index.mjs.map'), 'utf8')).sources.join('\n');

  const codeOf = (name: string) =>
    built.channels.find((channel) => channel.name === name)?.code as string;

  test.each([
    ['the list of tools', 'tools/list', {}],
    ['find', 'tools/call', { name: 'find', arguments: { words: 'laundries in Canton' } }],
    ['describe', 'tools/call', { name: 'describe', arguments: { block: 'business-directory' } }],
  ])('MCP answers %s as on one machine, by what is beside its code', async (_, method, params) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    };
    const sent = { ...post('', { jsonrpc: '2.0', id: 1, method, params }), path: '/mcp', headers };
    const environment = { SERVICE_NAME: 'blockyard', BUILD: 'b' };
    const { statusCode, body } = await call(codeOf('mcp'), environment, sent);
    const local = await service.send('/mcp', { method: 'POST', headers, body: sent.body });
    expect([statusCode, body]).toEqual([200, local.text]);
    expect(body).toContain('type_of_business');
  });

  test('MCP knows the files of each dataset, and how long they are, for its receipts', async () => {
    const text = await readFile(path.join(codeOf('mcp'), 'blocks.json'), 'utf8');
    for (const { block, filesNow } of describedIn(text)) {
      const { files } = of(block.name);
      expect(filesNow?.().map(({ extension, bytes }) => [extension, bytes])).toEqual(
        files?.files.map(({ extension, bytes }) => [extension, bytes]),
      );
    }
    expect(text).not.toContain(built.blocks[0]?.code);
  });

  test('MCP carries its package without ajv, and no data, store, page or client of secrets', async () => {
    const sources = await bundled(codeOf('mcp'));
    expect(sources).toContain('node_modules/@modelcontextprotocol/server');
    expect(sources).toContain('src/lambda/channel-handler.ts');
    expect(sources).not.toMatch(/ajv|dynamodb|src\/page|client-ssm|client-secrets-manager/);
    expect((await readdir(codeOf('mcp'))).sort()).toEqual([
      'blocks.json',
      'index.mjs',
      'index.mjs.map',
    ]);
  });

  test('Slack carries neither MCP nor data nor a store, and its secrets in a file for later', async () => {
    const sources = await bundled(codeOf('slack'));
    expect(sources).toContain('src/channels/chat/read-command.ts');
    expect(sources).not.toMatch(/modelcontextprotocol|ajv|dynamodb|client-ssm|src\/page\/.*tsx/);
    expect((await readdir(codeOf('slack'))).sort()).toEqual([
      'blocks.json',
      'index.mjs',
      'index.mjs.map',
      'secrets.mjs',
      'secrets.mjs.map',
    ]);
  });

  test('the check carries its clients and no block', async () => {
    const sources = await bundled(built.check);
    expect(sources).toMatch(/client-lambda[\s\S]*src\/lambda\/check-version\.ts/);
    expect(sources).toMatch(/client-s3[\s\S]*src\/lambda\/copy-files\.ts/);
    const own = sources.split('\n').filter((source: string) => !source.includes('node_modules'));
    expect(sources).not.toContain('ajv');
    expect(own.join('\n')).not.toMatch(/functions\/|src\/(?:page|mcp|slack|resident)\//);
    expect((await readdir(built.check)).sort()).toEqual([
      'checks.json',
      'index.mjs',
      'index.mjs.map',
    ]);
  });

  test('no other function carries a channel, a client of Lambda or of secrets', async () => {
    for (const { code } of built.blocks) {
      expect(await bundled(code)).not.toMatch(
        /modelcontextprotocol|src\/(?:mcp|slack|chat)\/|client-(?:ssm|secrets-manager|lambda)/,
      );
      expect(await readdir(code)).not.toContain('secrets.mjs');
    }
  });
});

describe('a schema compiled ahead', () => {
  test.each(blocks.map(({ block }) => [block.name]))(
    'of %s is the one in its folder, and has a check for each definition',
    async (name) => {
      const { code } = of(name);
      const schema = JSON.parse(readFileSync(path.join(code, 'schema.json'), 'utf8'));
      const written = readFileSync(path.join(ROOT, 'functions', name, 'schema.json'), 'utf8');
      expect(schema).toEqual(JSON.parse(written));
      const { checksOf } = await import(path.join(code, 'compiled-schema.mjs'));
      const odd = Symbol('nothing takes this');
      for (const [name, form] of Object.entries(schema.$defs)) {
        expect([name, checksOf()(form)(odd).length > 0]).toEqual([name, true]);
      }
    },
  );

  test.each([
    [{ R: 300, G: 'abc', B: 1.5 }],
    [{ R: 1 }],
    [{ R: 1, G: 2, B: 3, list: 'nowhere', alternatives: 11 }],
    [{ R: 1, G: 2, B: 3, _fields: ['name', 'colour'], _explain: 'perhaps' }],
    [{ R: [1, 2], G: 2, B: 3, extra: true }],
    [{ R: 18, G: 52, B: 86, list: 'css', alternatives: 2 }],
  ])('answers as the one that is compiled at the start: %j', async (body) => {
    const { code, environment } = of('rgb-to-color-name');
    const local = await service.post('rgb-to-color-name', body);
    const { statusCode, body: text } = await call(
      code,
      environment,
      post('rgb-to-color-name', body),
    );
    expect(statusCode).toBe(local.status);
    const { instance: _, ...deployed } = JSON.parse(text);
    const { instance: __, ...expected } = local.body;
    expect(deployed).toEqual(expected);
  });

  test('refuses a range whose ends are the wrong way round', async () => {
    const { code, environment } = of('census-neighborhoods');
    const answer = await call(
      code,
      { ...environment, TABLE_NAME: 'none', DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' },
      post('census-neighborhoods', { under_5_min: 9, under_5_max: 3 }),
    );
    expect(answer.statusCode).toBe(400);
    expect(
      JSON.parse(answer.body).errors.map(({ code: fault }: { code: string }) => fault),
    ).toEqual(['min-above-max', 'min-above-max']);
  });

  test('refuses what its page refuses, which is another bundle', async () => {
    const { code, environment } = of('business-directory');
    const category = Array.from({ length: 9000 }, (_, i) => `none-${i}`);
    const answer = await call(
      code,
      { ...environment, TABLE_NAME: 'none', DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' },
      post('business-directory', { category, _format: 'html' }),
    );
    expect([answer.statusCode, answer.headers['Content-Type']]).toEqual([
      400,
      'text/html; charset=utf-8',
    ]);
  });
});

describe('a dataset', () => {
  test.each(blocks.filter(({ kind }) => kind === 'dataset').map(({ block }) => [block.name]))(
    "%s: the file to import has the items that a local table gets, and the function the dataset's manifest",
    async (name) => {
      const loaded = blocks.find(({ block }) => block.name === name);
      if (loaded?.kind !== 'dataset') throw new Error('not a dataset');
      const seedData = path.join(ROOT, 'seed-data');
      const imported = await importDataset(loaded.block, loaded.dataset, seedData);
      const { manifest } = imported;
      const { table, code, environment } = of(name);
      const lines = gunzipSync(await readFile(table?.file ?? ''))
        .toString()
        .trimEnd()
        .split('\n');
      const inJson = ({ data, ...item }: Item) =>
        data?.B === undefined
          ? item
          : { ...item, data: { B: Buffer.from(data.B).toString('base64') } };
      expect(lines.map((line) => JSON.parse(line))).toEqual(
        Array.from(datasetItems(imported), (item) => ({ Item: inJson(item) })),
      );
      expect(table).toMatchObject({ version: manifest.version, rows: manifest.rows });
      const shipped = await readFile(path.join(code, environment.DATASET_MANIFEST ?? ''), 'utf8');
      expect(JSON.parse(shipped)).toEqual(JSON.parse(JSON.stringify(manifest)));
    },
  );

  test.each(blocks.map(({ block }) => [block.name]))(
    '%s: the first answer that its check expects is the one that is given',
    async (name) => {
      const { block } = of(name);
      const checks = JSON.parse(await readFile(path.join(built.check, 'checks.json'), 'utf8'));
      const { example, answer: shipped, manifest } = checks[name];
      expect(example).toMatchObject(block.examples[0]?.arguments ?? {});
      const { manifest: imported } = of(name);
      expect(manifest?.rows).toBe(imported?.rows);
      const { body } = await service.post(name, block.examples[0]?.arguments);
      if (block.answers === 'value') expect(JSON.parse(shipped.value)).toEqual(body.params);
      else {
        const rows = shipped.rows.map((row: string) => JSON.parse(row));
        expect(rows.length).toBeGreaterThan(0);
        expect(rows).toEqual(body.params.results.slice(0, 10));
        expect(shipped.isCut).toBe(body.params.total > 10);
      }
    },
  );

  test('that is corrupt stops the build', async () => {
    const copy = await copyCheckout();
    const seedData = path.join(copy, 'seed-data');
    const file = (blocks.find(({ kind }) => kind === 'dataset') as { dataset: { file: string } })
      .dataset.file;
    const before = await readFile(path.join(seedData, file), 'utf8');
    await writeFile(path.join(seedData, file), before.slice(0, -200));
    const folders = { root: ROOT, blocks: copy, out: path.join(copy, 'build') };
    await expect(buildService(folders)).rejects.toThrow(file);
  });
});

test('a value block ships what it names of the seed data, and no more', async () => {
  const { code, environment } = of('rgb-to-color-name');
  const shipped = path.join(code, environment.SEED_DATA ?? '');
  expect(await readdir(shipped)).toEqual(['color-names']);
  const files = await readdir(path.join(shipped, 'color-names'));
  // Each list with what else would be made of it at the start.
  for (const list of LIST_IDS)
    expect(files).toEqual(expect.arrayContaining([`${list}.txt`, `${list}.packed`]));
});

test('the catalogue lists every block, and has a 404 for all else', async () => {
  const get = (address: string) => ({
    ...post('', null),
    httpMethod: 'GET',
    path: address,
    body: null,
  });
  const list = await call(built.catalog, {}, get('/api_v2/blocks'));
  expect(JSON.parse(list.body)).toEqual((await service.get('/api_v2/blocks')).body);
  const unknown = await call(built.catalog, {}, get('/api_v2/blocks/census'));
  expect(unknown.statusCode).toBe(404);
  expect(JSON.parse(unknown.body).errors[0].allowed).toContain('census-neighborhoods');
  const headers = { accept: 'text/html' };
  const listIn = (html: string) => /<ul class="blocks">.*<\/ul>/s.exec(html)?.[0];
  for (const q of [undefined, 'laundry']) {
    const asked = q === undefined ? null : { q: [q] };
    const event = { ...get('/'), headers, multiValueQueryStringParameters: asked };
    const { body } = await call(built.catalog, {}, event);
    const local = await service.get(q === undefined ? '/' : `/?q=${q}`, headers);
    expect(listIn(body)).toBe(listIn(local.text));
    expect(listIn(body)).toContain(
      q === undefined ? '<svg class="picture"' : '<bdi>Laundries</bdi>',
    );
  }
});
