import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fencesOf, readDocument } from '../docs/markdown.ts';
import { command, commandThatWorks, type Ended } from '../support/command.ts';
import { cleanUp, temporaryFolder, until } from '../support/process.ts';
import { endTree } from '../support/process-tree.ts';
import { ROOT } from '../support/service.ts';
import { leaveOutRules } from './bundled-checkout.ts';
import { urlOf } from './deployed-service.ts';
import { askAws, environmentOf, theEmulator } from './emulator.ts';

/** From `npm pack` to a deployment, as somebody goes who has no checkout. */
const emulator = theEmulator();
let folder: string;
let packed: string;

/** A command of the package, in the folder of its user, with nothing of this process's environment. */
const blockyard = (args: readonly string[]): Promise<Ended> =>
  command('npx', ['--no-install', 'blockyard', ...args], {
    cwd: folder,
    env: { ...environmentOf(emulator), BLOCKYARD_STACK_NAME: 'blockyard-package' },
  });

const npm = (args: readonly string[], cwd: string) =>
  commandThatWorks('npm', ['--silent', '--no-audit', '--no-fund', ...args], {
    cwd,
    env: process.env,
  });

beforeAll(async () => {
  folder = path.join(await temporaryFolder(), 'our-data');
  await mkdir(folder);
  const out = await temporaryFolder();
  const name = await npm(['pack', '--pack-destination', out], ROOT);
  packed = path.join(out, name.trim().split('\n').at(-1) as string);
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }');
  await npm(['install', packed], folder);
  await writeFile(path.join(folder, 'prices.csv'), 'product,price\nsalt,1.25\ntea,2.5\n');
  await writeFile(path.join(folder, 'trees.csv'), 'tree,height\nelm,12.5\noak,30\n');
});
afterAll(cleanUp);

test('is small, and holds no loader and no CDK', async () => {
  expect((await stat(packed)).size).toBeLessThan(5_000_000);
  const installed = await commandThatWorks('ls', [path.join(folder, 'node_modules')], {
    cwd: folder,
    env: process.env,
  });
  const names = installed.split('\n');
  expect(names).toContain('blockyard');
  expect(
    names.filter((name) => /^(?:tsx|typescript|aws-cdk|aws-cdk-lib|constructs)$/.test(name)),
  ).toEqual([]);
});

describe('in an empty folder', () => {
  test('start says how to make a block', async () => {
    const { code, stderr } = await blockyard(['start']);
    expect([code, stderr]).toEqual([
      1,
      `blockyard did not start: there are no blocks in ${folder}. Make one of a file: npx blockyard add inspections.csv\n`,
    ]);
  });

  test.each(['start', 'deploy', 'destroy', 'add', 'try', 'check', 'refresh', 'census'])(
    '%s --help says what it takes',
    async (name) => {
      const { code, stdout, stderr } = await blockyard([name, '--help']);
      expect([code, stdout, stderr]).toEqual([
        0,
        expect.stringMatching(`^npx blockyard ${name} `),
        '',
      ]);
    },
  );

  test('add makes blocks, and start serves them, with rows of their own', async () => {
    for (const file of ['prices.csv', 'trees.csv']) {
      const { code, output } = await blockyard(['add', file, '--yes']);
      expect([code, output]).toEqual([
        0,
        expect.stringContaining('Serve it: npx blockyard start;'),
      ]);
    }
    // Editors find the schema where the package is.
    const block = await readFile(path.join(folder, 'functions', 'trees', 'block.json'), 'utf8');
    const schema = path.join(folder, 'functions', 'trees', JSON.parse(block).$schema);
    expect(JSON.parse(await readFile(schema, 'utf8')).title).toBe('A data block');
    const rows = fencesOf(readDocument('docs/own-data.md')).find(({ lang }) => lang === 'ts');
    await writeFile(path.join(folder, 'functions', 'prices', 'rows.ts'), rows?.text as string);
    const server = spawn('npx', ['--no-install', 'blockyard', 'start'], {
      cwd: folder,
      env: { ...environmentOf(emulator), PORT: '0' },
    });
    let printed = '';
    for (const stream of [server.stdout, server.stderr]) {
      stream.on('data', (text) => {
        printed += text;
      });
    }
    try {
      await until(() => /^Data: /m.test(printed) || server.exitCode !== null, 'a start');
      const [, url = printed] = /^blockyard is at (\S+)$/m.exec(printed) ?? [];
      expect(await rowsOf(`${url}/api_v2/blocks/prices`)).toEqual(PRICES);
      const page = await fetch(`${url}/api_v2/blocks/trees?_view=table`, {
        headers: { Accept: 'text/html' },
      });
      expect(await page.text()).toMatch(/<td class="n[^"]*"[^>]*>12\.5<\/td>/);
      const ran = await blockyard(['run', 'trees', '--url', url]);
      expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('elm')]);
    } finally {
      await endTree(server.pid as number);
    }
  });

  test('deploy says what to install, then deploys, and ends no address unasked', async () => {
    const missing = await blockyard(['deploy']);
    const [, words = ''] = /Run: npm install --save-dev (.*)/.exec(missing.stderr) ?? [];
    expect([missing.code, words]).toEqual([1, expect.stringMatching(/ aws-cdk@\S+ aws-cdk-lib@/)]);
    await npm(['install', '--save-dev', ...words.split(' ')], folder);
    const first = await blockyard(['deploy']);
    const url = urlOf(emulator, /^blockyard is at (\S+)$/m.exec(first.output)?.[1] ?? first.output);
    expect(await rowsOf(`${url}/api_v2/blocks/prices`)).toEqual(PRICES);
    // They have been tried on all that the next deployment has.
    await leaveOutRules(path.join(folder, 'node_modules/blockyard/dist/bin/app.js'));
    await rm(path.join(folder, 'functions', 'trees'), { recursive: true });
    const refused = await blockyard(['deploy']);
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringContaining('an error:\n  /api_v2/blocks/trees\n'),
    ]);
    expect(refused.stderr).toContain('addresses would end, which somebody may call. Say --yes');
    expect((await fetch(`${url}/api_v2/blocks/trees`)).status).toBe(200);
    const agreed = await blockyard(['deploy', '--yes']);
    expect([agreed.code, agreed.output]).toEqual([
      0,
      expect.stringContaining(url.split('/').at(-1) as string),
    ]);
    expect(agreed.output).toContain('The addresses that ended answer 404.');
    expect((await fetch(`${url}/api_v2/blocks/trees`)).status).toBe(404);
    // The emulator has no copy of the routes, as AWS has: this shows that it would be renewed.
    const [restApiId] = /(?<=execute-api\/)[^/]+/.exec(url) ?? [];
    const [{ items }] = await askAws(emulator, [['apigateway', 'get_deployments', { restApiId }]]);
    expect(items.map(({ description }: { description?: string }) => description)).toContain(
      'Without the addresses that ended',
    );
    expect(await rowsOf(`${url}/api_v2/blocks/prices`)).toEqual(PRICES);
    expect((await blockyard(['destroy', '--force'])).code).toBe(0);
  });
});

const PRICES = [
  { product: 'salt', price: 125 },
  { product: 'tea', price: 250 },
];

async function rowsOf(address: string): Promise<unknown> {
  const answer = await fetch(address, { method: 'POST', body: '{}' });
  const { params } = (await answer.json()) as { params: { results: unknown } };
  return params.results;
}
