import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  cleanUp,
  paste,
  type ServerProcess,
  startServer,
  temporaryFolder,
} from '../support/process.ts';

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
    server = await startServer({ DATA_DIR: await temporaryFolder() });
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
