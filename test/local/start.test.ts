import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '../../src/dynamodb/client.ts';
import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { start } from '../../src/local/start.ts';
import { addBlock } from '../support/checkout.ts';
import { commandThatWorks } from '../support/command.ts';
import { madeOnce } from '../support/once/made-once.ts';
import {
  cleanUp,
  paste,
  type ServerProcess,
  startInVain,
  startServer,
  temporaryFolder,
} from '../support/process.ts';
import { ROOT } from '../support/service.ts';

const COLOR = '/api_v2/blocks/rgb-to-color-name';

/** blockyard as it is installed. */
let installed: string;
beforeAll(async () => {
  installed = await madeOnce<string>('package');
  // The first command of the checkout would say that it compiles it.
  const env = { PATH: process.env.PATH };
  await commandThatWorks(process.execPath, ['bin/blockyard.js', '--help'], { cwd: ROOT, env });
});
afterAll(cleanUp);

/** The blocks of the checkout, served by what is installed. */
const startInstalled = (env: Record<string, string>) =>
  startServer({ BLOCKYARD_BLOCKS: ROOT, ...env }, installed);

describe('a server that was started', () => {
  let server: ServerProcess;
  let data: string;
  beforeAll(async () => {
    data = path.join(await temporaryFolder(), 'data');
    // As `npm start` does.
    server = await startServer({ DATA_DIR: data });
  });

  test('prints its URL, a curl line for each block, and what was imported from where', () => {
    const lines = server.report.split('\n');
    expect(lines.length).toBeLessThan(100);
    expect(lines[0]).toMatch(/^blockyard is at http:\/\/127\.0\.0\.1:\d+$/);
    expect(lines.filter((line) => line.startsWith('curl '))).toHaveLength(3);
    expect(server.report).toMatch(
      /business-directory: 120 rows of seed-data\/brooklyn-11231-businesses\.csv, version [0-9a-f]{20}, imported/,
    );
    expect(server.report).toMatch(
      /census-neighborhoods: 56 rows of seed-data\/\S+\.csv, .*, imported/,
    );
    expect(server.report).toMatch(/^Data: \S+\/data$/m);
    expect(server.report).not.toContain('DynamoDB');
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

  test('shares its data folder with another server, even one of other code', async () => {
    // What is installed has other sources: it imports anew, and removes the versions of the first.
    const other = await startInstalled({ DATA_DIR: data });
    expect(other.report).toMatch(/business-directory: 120 rows .*, imported/);
    for (const { url } of [server, other]) {
      const { body } = await paste(`curl '${url}/api_v2/blocks/census-neighborhoods?_limit=1'`);
      expect(JSON.parse(body).params.total).toBe(56);
    }
    other.kill('SIGTERM');
    expect(await other.ended()).toMatchObject({ code: 0, stderr: '' });
  });

  test('finishes a request that is under way at SIGTERM, then ends', async () => {
    await finishesAt('SIGTERM', server);
    expect((await server.ended()).stderr).toBe('');
  });

  test('finds its rows already there when it is started again, and ends at Ctrl-C too', async () => {
    const first = await startServer({ DATA_DIR: data });
    // A kill takes nothing from the next start.
    first.kill('SIGKILL');
    await first.ended();
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
}

function connect(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => resolve(socket));
    socket.on('error', reject);
  });
}

test('first starts at the same time share their data folder', async () => {
  const data = await temporaryFolder();
  const servers = await Promise.all([1, 2, 3].map(() => startInstalled({ DATA_DIR: data })));
  for (const { url } of servers) {
    const { body } = await paste(`curl '${url}/api_v2/blocks/census-neighborhoods?_limit=1'`);
    expect(JSON.parse(body).params.total).toBe(56);
  }
  for (const server of servers) server.kill('SIGTERM');
  for (const server of servers) expect(await server.ended()).toMatchObject({ code: 0, stderr: '' });
  const last = await startInstalled({ DATA_DIR: data });
  expect(last.report).toMatch(/census-neighborhoods: 56 rows .*, already there/);
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
    const line = await complaintOf({ PORT: String(port) });
    other.close();
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

  test.each([
    'https://dynamodb.eu-central-1.amazonaws.com',
    'http://123456789012.ddb.us-east-1.amazonaws.com/',
    'https://dynamodb.cn-north-1.amazonaws.com.cn',
    'https://DYNAMODB.us-east-1.API.aws.',
  ])('the endpoint is %s, of AWS', async (endpoint) => {
    expect(await complaintOf({ DYNAMODB_ENDPOINT: endpoint })).toBe(
      `DYNAMODB_ENDPOINT is "${endpoint}", an address of AWS; it takes that of an emulator. To publish in AWS: npx blockyard deploy, or npm run deploy in a checkout.`,
    );
  });

  test('--dynamodb, and what is installed has none', async () => {
    const bare = await temporaryFolder();
    for (const name of ['bin', 'dist', 'package.json']) {
      cpSync(path.join(installed, name), path.join(bare, name), { recursive: true });
    }
    mkdirSync(path.join(bare, 'node_modules'));
    for (const name of ['esbuild', '@esbuild']) {
      symlinkSync(path.join(ROOT, 'node_modules', name), path.join(bare, 'node_modules', name));
    }
    expect(await complaintOf({}, { root: bare, args: ['--dynamodb'] })).toBe(
      '--dynamodb is for a checkout of blockyard, which has an embedded DynamoDB; DYNAMODB_ENDPOINT takes the address of another.',
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
      `blockyard did not start: ${file} cannot be a folder for data; set DATA_DIR to another (ENOTDIR: not a directory, mkdir '${file}/versions')\n`,
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
    { root = installed, args = [] }: { root?: string; args?: readonly string[] } = {},
  ): Promise<string> {
    const folder = await temporaryFolder();
    const { code, stdout, stderr } = await startInVain(
      { DATA_DIR: folder, BLOCKYARD_BLOCKS: small, ...env },
      root,
      args,
    );
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
    return stderr.trimEnd().replace('blockyard did not start: ', '');
  }
});

describe('seed data that cannot be read stop a start, in this process too', () => {
  const startWith = async (blocks: string) =>
    start({
      ...{ root: ROOT, blocks, port: 0, record: () => {} },
      dataFolder: await temporaryFolder(),
    });

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

describe('a start that keeps its data in a DynamoDB', () => {
  const ROWS = 60;
  let blocks: string;
  beforeAll(async () => {
    blocks = await temporaryFolder();
    for (const name of ['functions', 'seed-data']) mkdirSync(path.join(blocks, name));
    const rows = Array.from({ length: ROWS }, (_, i) => `Town ${i % 6}`);
    await addBlock(blocks, {
      name: 'towns',
      fields: [{ type: 'text', name: 'town', title: 'Town', indexed: true }],
      csv: `town\n${rows.join('\n')}\n`,
    });
  });

  test('DYNAMODB_ENDPOINT names an emulator, which has rows and indexes as a deployment', async () => {
    const emulator = await startEmbeddedDynamodb();
    const env = { DYNAMODB_ENDPOINT: emulator.endpoint, BLOCKYARD_BLOCKS: blocks, HOST: '::1' };
    const server = await startInstalled(env);
    expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(server.report).toMatch(/^towns: 60 rows .*, imported$/m);
    expect(server.report).toContain(`DynamoDB: ${emulator.endpoint}\n`);
    const { body } = await paste(`curl '${server.url}/api_v2/blocks/towns?town=town+4&_explain=1'`);
    const { params, _explain } = JSON.parse(body);
    expect([params.total, _explain.itemsRead, _explain.capacityUnits > 0]).toEqual([10, 1, true]);
    server.kill('SIGTERM');
    expect((await server.ended()).code).toBe(0);
    // The emulator keeps the tables, and the next start finds them.
    const again = await startInstalled(env);
    expect(again.report).toMatch(/^towns: 60 rows .*, already there$/m);
    const [, version] = /, version ([0-9a-f]{20}),/.exec(again.report) ?? [];
    const client = createClient(emulator);
    const { Count } = await client.send(
      new QueryCommand({
        ...{ TableName: `towns-${version}`, IndexName: 'by-town' },
        KeyConditionExpression: '#key = :key',
        ExpressionAttributeNames: { '#key': 'town~key' },
        ExpressionAttributeValues: { ':key': { S: 'town 4' } },
      }),
    );
    expect(Count).toBe(10);
    client.destroy();
    again.kill('SIGTERM');
    await again.ended();
    await emulator.stop();
  });

  test('--dynamodb starts one in memory, which ends with the server', async () => {
    const env = { DATA_DIR: path.join(blocks, 'data') };
    const server = await startServer(env, ROOT, ['--dynamodb']);
    expect(server.report).toMatch(/^DynamoDB: http:\/\/127\.0\.0\.1:\d+, embedded and in memory$/m);
    for (const line of server.report.split('\n').filter((text) => text.startsWith('curl '))) {
      expect((await paste(line)).status).toBe(200);
    }
    server.kill('SIGTERM');
    expect(await server.ended()).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(env.DATA_DIR)).toBe(false);
  });
});
