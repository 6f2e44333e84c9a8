import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { KeptFiles } from '../../src/local/kept-files.ts';
import { localServer } from '../../src/local/local-server.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const ROWS = 40_000;
const made = makeDataset(
  tinyBlock,
  Array.from({ length: ROWS }, (_, number) => ({ street: `Street ${number} of many`, number })),
  { title: 'Made by a test' },
);
const PATH = '/api_v2/blocks/tiny.csv';

let server: Server;
let whole: Buffer;
beforeAll(async () => {
  const files = new KeptFiles({ folder: await temporaryFolder(), code: 'a test' });
  const { manifest, rows } = made;
  const served = serveDataset(
    { block: tinyBlock, manifest, store: memoryRows(tinyBlock.fields, rows) },
    { files: files.of(tinyBlock, manifest) },
  );
  server = localServer([served], SETTINGS);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ body: whole } = await get([]));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await cleanUp();
});

const connect = () => net.connect((server.address() as AddressInfo).port, '127.0.0.1');

/** What comes over the wire, to the end of the connection. */
async function get(headers: readonly string[], version = '1.1') {
  const socket = connect();
  const lines = [`GET ${PATH} HTTP/${version}`, 'Host: localhost', 'Connection: close', ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece);
  const all = Buffer.concat(pieces);
  const end = all.indexOf('\r\n\r\n');
  return { head: all.subarray(0, end).toString(), body: all.subarray(end + 4) };
}

test('a file of a megabyte comes with its length, and in no chunks', async () => {
  const { head } = await get([]);
  expect(whole.length).toBeGreaterThan(1_000_000);
  expect(whole.toString().split('\r\n')).toHaveLength(ROWS + 2);
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head).toContain(`\r\nContent-Length: ${whole.length}\r\n`);
  expect(head).not.toMatch(/transfer-encoding/i);
});

test.each([
  [300_000, 900_000],
  [5, 270_000],
  [1_000_000, 1_000_010],
])('so does a range of it: %i to %i', async (from, to) => {
  const { head, body } = await get([`Range: bytes=${from}-${to}`]);
  expect(head).toMatch(/^HTTP\/1\.1 206 Partial Content\r\n/);
  expect(head).toContain(`\r\nContent-Length: ${to + 1 - from}\r\n`);
  expect(head).toContain(`\r\nContent-Range: bytes ${from}-${to}/${whole.length}\r\n`);
  expect(body.equals(whole.subarray(from, to + 1))).toBe(true);
});

test('HTTP/1.0 gets all of it too, since its length is known', async () => {
  const { head, body } = await get([], '1.0');
  expect(head).toContain(`\r\nContent-Length: ${whole.length}\r\n`);
  expect(body.equals(whole)).toBe(true);
});

test('a reader who leaves in the middle leaves the file to others', async () => {
  const socket = connect();
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.resetAndDestroy();
  expect((await get([])).body.equals(whole)).toBe(true);
});
