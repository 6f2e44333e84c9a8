import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { memoryRows } from '../../src/columns/memory-rows.ts';
import { serveDataset } from '../../src/http/served-block.ts';
import { makeDataset } from '../../src/importer/import-dataset.ts';
import { localServer } from '../../src/local/local-server.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const ROWS = 40_000;
const dataset = makeDataset(
  tinyBlock,
  Array.from({ length: ROWS }, (_, number) => ({ street: `Street ${number} of many`, number })),
  { title: 't', publisher: 'p', license: 'l', date: '2026' },
);
const store = memoryRows(tinyBlock.fields, dataset.rows);
const settings = { build: 'test', record: () => {} };
const served = [serveDataset({ block: tinyBlock, manifest: dataset.manifest, store })];

const PATH = '/api_v2/blocks/tiny';

let server: Server;
beforeAll(async () => {
  server = localServer(served, settings);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const connect = () => net.connect((server.address() as AddressInfo).port, '127.0.0.1');

describe('HTTP/1.0, which cannot tell a part from the whole', () => {
  const get = async (query: string) => {
    const socket = connect();
    socket.write(`GET ${PATH}?${query} HTTP/1.0\r\n\r\n`);
    let text = '';
    for await (const piece of socket.setEncoding('utf8')) text += piece;
    return text;
  };

  test('gets a whole result that fits one answer, with its length', async () => {
    const text = await get('_format=csv&number_max=999');
    expect(text).toMatch(/^HTTP\/1.1 200 OK/);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toContain(`Content-Length: ${body.length}`);
  });

  test('is refused a larger one', async () => {
    const text = await get('_format=csv');
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({
      code: 'result-too-large',
      errors: [{ parameter: '_limit' }],
    });
  });
});
