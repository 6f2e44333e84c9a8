import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '../../src/dynamodb/client.ts';
import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { start } from '../../src/local/start.ts';
import { AMPLE_MS } from '../support/ample.ts';
import { addBlock } from '../support/checkout.ts';
import { startEmulator } from '../support/emulator.ts';
import { madeOnce } from '../support/once/made-once.ts';
import {
  cleanUp,
  type Ended,
  gone,
  paste,
  type ServerProcess,
  startInVain,
  startServer,
  storeEnded,
  temporaryFolder,
} from '../support/process.ts';
import { ROOT } from '../support/service.ts';

const COLOR = '/api_v2/blocks/rgb-to-color-name';

/** blockyard as it is installed: it starts in half the time that a checkout takes. */
let installed: string;
beforeAll(async () => {
  installed = await madeOnce<string>('package');
});
afterAll(cleanUp);

/** The blocks of the checkout, served by what is installed. */
const startInstalled = (env: Record<string, string>) =>
  startServer({ BLOCKYARD_BLOCKS: ROOT, ...env }, installed);

describe('a server that was started', () => {
  let server: ServerProcess;
  let data: string;
  let second: Promise<Ended>;
  beforeAll(async () => {
    data = path.join(await temporaryFolder(), 'data');
    // As `npm start` does.
    server = await startServer({ DATA_DIR: data });
    // It tries for seconds, while others are tested.
    second = startInVain({ DATA_DIR: data, BLOCKYARD_BLOCKS: ROOT }, installed);
  });

  test('prints its URL, a curl line for each block, and what was seeded from where', () => {
    const lines = server.report.split('\n');
    expect(lines.length).toBeLessThan(100);
    expect(lines[0]).toMatch(/^blockyard is at http:\/\/127\.0\.0\.1:\d+$/);
    expect(lines.filter((line) => line.startsWith('curl '))).toHaveLength(3);
    expect(server.report).toMatch(
      /business-directory: 120 rows of seed-data\/brooklyn-11231-businesses\.csv, version [0-9a-f]{20}, seeded/,
    );
    expect(server.report).toMatch(
      /census-neighborhoods: 56 rows of seed-data\/\S+\.csv, .*, seeded/,
    );
    expect(server.report).toContain(path.basename(data));
    expect(server.report).toMatch(/^DynamoDB: embedded, for this server alone; data in \S+$/m);
    expect(server.report).toContain('Slack: off (no SLACK_SIGNING_SECRET)\n');
    expect(server.report).not.toContain('WEBHOOK_SECRET');
  });

  test('each curl line answers with rows or a name when pasted into a shell', async () => {
    for (const line of server.report.split('\n').filter((text) => text.startsWith('curl '))) {
      const { status, body } = await paste(line);
      const { params } = JSON.parse(body);
      expect([line, status]).toEqual([line, 200]);
      expect(params.name ?? params.results[0]).toBeTruthy();
    }
  });

  test('answers an upload of 10 MB with 413, and does not reset it', async () => {
    const file = path.join(await temporaryFolder(), 'large.json');
    writeFileSync(file, `{"R":"${'1'.repeat(10 * 2 ** 20)}"}`);
    const type = '-H content-type:application/json';
    const { status, body } = await paste(
      `curl ${type} --data-binary @${file} ${server.url}${COLOR}`,
    );
    expect(status).toBe(413);
    expect(JSON.parse(body).code).toBe('body-too-large');
    const chunked = await paste(
      `curl ${type} -H transfer-encoding:chunked --data-binary @${file} ${server.url}${COLOR}`,
    );
    expect(chunked.status).toBe(413);
  });

  test('logs nothing when a caller goes away in the middle of a body', async () => {
    const socket = await connect(server.url);
    socket.write(`POST ${COLOR} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"R":1`);
    socket.destroy();
    const { status } = await paste(`curl '${server.url}${COLOR}?R=1&G=2&B=3'`);
    expect(status).toBe(200);
    // The test of its end looks at what it had to say.
  });

  test('keeps a second server from its data folder, which says so in a line', async () => {
    const { code, stdout, stderr } = await second;
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /^blockyard did not start: \S+ is in use by another blockyard; .*DATA_DIR.*\n$/,
    );
  });

  test('finishes a request that is under way at SIGTERM, then leaves no process', async () => {
    await finishesAt('SIGTERM', server);
    expect((await server.ended()).stderr).toBe('');
  });

  test('finds its rows already there when it is started again, and ends at Ctrl-C too', async () => {
    const again = await startServer({ DATA_DIR: data, WEBHOOK_SECRET: 'whsec_x' });
    expect(again.report).toMatch(/business-directory: 120 rows .*, already there/);
    expect(again.report).toMatch(/census-neighborhoods: 56 rows .*, already there/);
    expect(again.report).toContain('WEBHOOK_SECRET is not used any more (docs/webhooks.md)\n');
    expect(again.report).not.toContain('whsec_x');
    await finishesAt('SIGINT', again);
  });
});

/** Half a request is sent, then the signal; the other half once nobody listens any more. */
async function finishesAt(signal: NodeJS.Signals, server: ServerProcess): Promise<void> {
  expect(server.stores).toHaveLength(1);
  const body = '{"R":18,"G":52,"B":86}';
  const socket = await connect(server.url);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `POST ${COLOR} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  // The half is there once a whole request behind it has been answered.
  expect((await paste(`curl '${server.url}${COLOR}?R=1&G=2&B=3'`)).status).toBe(200);
  server.kill(signal);
  let listens = true;
  while (listens) {
    listens = await connect(server.url).then(
      (probe) => {
        probe.destroy();
        return true;
      },
      () => false,
    );
  }
  socket.write(body.slice(5));
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain('"exact":');
  expect(await server.ended()).toMatchObject({ code: 0, signal: null });
  await Promise.all(server.stores.map(gone));
}

function connect(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => resolve(socket));
    socket.on('error', reject);
  });
}

test('ends with a line if its embedded DynamoDB does, the next start goes on, and a kill -9 ends both', async () => {
  const data = await temporaryFolder();
  const server = await startInstalled({ DATA_DIR: data });
  const [store] = server.stores;
  process.kill(store as number, 'SIGKILL');
  const { code, stderr } = await server.ended();
  expect([code, stderr]).toEqual([
    1,
    `blockyard ends: the embedded DynamoDB has ended: SIGKILL; start blockyard again\n`,
  ]);
  const again = await startInstalled({ DATA_DIR: data });
  expect(again.report).toMatch(/business-directory: 120 rows .*, already there/);
  again.kill('SIGKILL');
  await again.ended();
  expect(again.stores).toHaveLength(1);
  await Promise.all(again.stores.map(gone));
});

describe('a start that cannot succeed says why in one line, and exits with 1', () => {
  /** A folder with a block: little is to be loaded and imported. */
  let small: string;
  const ENDPOINTS: readonly (readonly [string, (response: ServerResponse) => unknown, string])[] = [
    ['never answers', () => {}, 'no answer within 10 s'],
    [
      'answers without end',
      (response) => response.writeHead(200).write(' '),
      'no answer within 10 s',
    ],
    ['fails', (response) => response.writeHead(500).end(), 'UnknownError'],
    [
      'is another service',
      (response) => response.end('{"Responses":null}'),
      'what answers there is none',
    ],
  ];
  // All at once, while others are tested: each may wait for as long as an endpoint has.
  let complaints: Promise<readonly [endpoint: string, complaint: string]>[];
  beforeAll(async () => {
    small = await temporaryFolder();
    for (const name of ['functions', 'seed-data']) mkdirSync(path.join(small, name));
    await addBlock(small, {
      name: 'towns',
      fields: [{ type: 'text', name: 'town', title: 'Town' }],
      csv: 'town\nBern\n',
    });
    complaints = ENDPOINTS.map(async ([, answer]) => {
      const other = createServer((_, response) => answer(response));
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const endpoint = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const complaint = await complaintOf({ DYNAMODB_ENDPOINT: endpoint });
      other.closeAllConnections();
      other.close();
      return [endpoint, complaint] as const;
    });
  });

  test('the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const data = await temporaryFolder();
    const line = await complaintOf({ PORT: String(port) }, { data });
    other.close();
    // Its lock is free, and its data are whole.
    await (await startEmbeddedDynamodb(data)).stop();
    expect(line).toBe(
      `127.0.0.1:${port} is in use; stop what listens there, or choose another by --port.`,
    );
  });

  test('the port is a number over 65535', async () => {
    const expected = 'PORT is "65536"; expected a number from 0 to 65535.';
    expect(await complaintOf({ PORT: '65536' })).toBe(expected);
  });

  test('the host is none of this machine', async () => {
    expect(await complaintOf({ HOST: '192.0.2.1' })).toMatch(
      /^cannot listen on 192\.0\.2\.1 \(EADDRNOTAVAIL\); set HOST or PORT\.$/,
    );
  });

  test('the host is no address, or the endpoint none', async () => {
    expect(await complaintOf({ HOST: '256.1.1.1' })).toMatch(
      /^no machine is called "256\.1\.1\.1" \(\w+\); set HOST to an address of this one\.$/,
    );
    expect(await complaintOf({ DYNAMODB_ENDPOINT: 'localhost:8000' })).toBe(
      'DYNAMODB_ENDPOINT is "localhost:8000"; expected an address such as http://127.0.0.1:8000.',
    );
  });

  test('a cell of a seed file is no number', async () => {
    const file = 'baltimore-2010-sf1-tracts.csv';
    const blocks = await brokenSeedData((folder) =>
      edit(folder, file, (text) => text.replace(',Canton,3022,', ',Canton,many,')),
    );
    expect(await complaintOf({ BLOCKYARD_BLOCKS: blocks }, { root: ROOT })).toBe(
      `${file}, line 2, column total_population: "many" is not a number`,
    );
  });

  test('the data folder is a file', async () => {
    const file = path.join(await temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { code, stderr } = await startInVain(
      { DATA_DIR: file, BLOCKYARD_BLOCKS: small },
      installed,
    );
    expect([code, stderr]).toEqual([
      1,
      `blockyard did not start: ${file} cannot be a folder for data; set DATA_DIR to another (EEXIST: file already exists, mkdir '${file}')\n`,
    ]);
  });

  describe('the endpoint', () => {
    test.each(ENDPOINTS.map(([name, , reason], i) => [name, reason, i] as const))(
      '%s',
      async (_, reason, i) => {
        const [endpoint, complaint] = (await complaints[i]) as readonly [string, string];
        expect(complaint).toBe(
          `no DynamoDB answers at ${endpoint} (${reason}); start one, or set DYNAMODB_ENDPOINT to its address.`,
        );
      },
    );
  });

  async function complaintOf(
    env: Record<string, string>,
    { data, root = installed }: { data?: string; root?: string } = {},
  ): Promise<string> {
    const folder = data ?? (await temporaryFolder());
    const { code, stdout, stderr } = await startInVain(
      { DATA_DIR: folder, BLOCKYARD_BLOCKS: small, ...env },
      root,
    );
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
    await storeEnded(folder);
    return stderr.trimEnd().replace('blockyard did not start: ', '');
  }
});

describe('seed data that cannot be read stop a start, in this process too', () => {
  // The endpoint of no DynamoDB: the data are read before it is asked for anything.
  const startWith = (blocks: string) =>
    start({ root: ROOT, blocks, endpoint: 'http://127.0.0.1:9', port: 0, record: () => {} });

  test('a colour list is another than its source says', async () => {
    const file = 'color-names/full.txt';
    const blocks = await brokenSeedData((folder) =>
      edit(folder, file, (text) => text.replace(/\n([0-9a-f]{6}) /, '\n$1 Not ')),
    );
    await expect(startWith(blocks)).rejects.toThrow(
      `${file}: not the file that source.json describes; see seed-data/README.md`,
    );
  });

  test('a colour list is missing', async () => {
    const file = 'color-names/css.txt';
    const blocks = await brokenSeedData((folder) => rmSync(path.join(folder, file)));
    await expect(startWith(blocks)).rejects.toThrow(
      `${file}: is missing in ${path.join(blocks, 'seed-data')}`,
    );
  });

  test('the seed folder is missing', async () => {
    const blocks = await brokenSeedData((folder) => rmSync(folder, { recursive: true }));
    await expect(startWith(blocks)).rejects.toThrow(/^\S+: is missing in \S+\/seed-data$/);
  });
});

async function brokenSeedData(damage: (folder: string) => void): Promise<string> {
  const blocks = await temporaryFolder();
  const folder = path.join(blocks, 'seed-data');
  cpSync(path.join(ROOT, 'seed-data'), folder, { recursive: true });
  symlinkSync(path.join(ROOT, 'functions'), path.join(blocks, 'functions'));
  damage(folder);
  return blocks;
}

function edit(folder: string, file: string, change: (text: string) => string): void {
  const whole = path.join(folder, file);
  const before = readFileSync(whole, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(whole, after);
}

test('DYNAMODB_ENDPOINT names another DynamoDB, and HOST where to listen', async () => {
  const emulator = await startEmulator();
  const server = await startInstalled({ DYNAMODB_ENDPOINT: emulator.endpoint, HOST: '::1' });
  expect(server.stores).toEqual([]);
  expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect(server.report).toContain(`DynamoDB: ${emulator.endpoint}`);
  for (const line of server.report.split('\n').filter((text) => text.startsWith('curl '))) {
    expect((await paste(line)).status).toBe(200);
  }
  server.kill('SIGTERM');
  expect((await server.ended()).code).toBe(0);
  // It is not the server's own: it goes on, with the tables.
  const client = createClient({ ...emulator, requestTimeout: AMPLE_MS });
  const { TableNames } = await client.send(new ListTablesCommand({}));
  expect(TableNames).toContainEqual(expect.stringContaining('business-directory'));
  client.destroy();
  await emulator.stop();
});
