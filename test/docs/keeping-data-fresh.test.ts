import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { MOST_REDIRECTS } from '../../src/fetch/fetch-answer.ts';
import { DEADLINE_MS, HEADERS_MS, IDLE_MS, MOST_BYTES } from '../../src/fetch/fetch-file.ts';
import { OwnBlocks } from '../commands/own-blocks.ts';
import { atHome, CA, type FileServer, LOCAL_REACH, serveTls } from '../files/file-server.ts';
import { command, endCommands } from '../support/command.ts';
import { madeOnce } from '../support/once/made-once.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';
import { fencesOf, readDocument, tableOf } from './markdown.ts';

const yaml: { load(text: string): unknown } = createRequire(import.meta.url)('js-yaml');

type Job = { readonly steps: readonly { readonly id?: string; readonly run?: string }[] };
type Workflow = { readonly jobs: Readonly<Record<string, Job>> };

const document = readDocument('docs/keeping-data-fresh.md');

const FIRST = `Permit No;Name;Opened;Score
00123;Canton;03/04/2020;97,5
00124;Fells Point;13/05/2021;88,0
00125;Hampden;28/02/2019;
`;
const NEXT = `Permit No;Name;Opened;Score
00123;Canton;03/04/2020;91,0
00125;Hampden;28/02/2019;
00126;Guilford;01/11/2026;74,5
00127;Abell;02/11/2026;
`;
const FILES: Record<string, string> = {
  'next.csv': NEXT,
  'broken.csv': NEXT.replace('Opened', 'Opened on')
    .replace('2019;', '2019;A+')
    .replace('74,5', 'B'),
};

let server: FileServer;
let content: string;
let blocks: OwnBlocks;
beforeEach(async () => {
  content = FIRST;
  server = await serveTls((_request, response) => response.end(content));
  blocks = await OwnBlocks.inNewFolder({ reach: LOCAL_REACH, resolve: atHome, ca: CA });
  const address = `https://data.test:${server.port}/inspections.csv`;
  expect((await blocks.run('add', address)).code).toBe(0);
});
afterEach(async () => {
  await endCommands();
  await server.close();
});
afterAll(cleanUp);

describe('the commands', () => {
  const fences = fencesOf(document);
  const shown = fences.flatMap(({ lang, text, line }, i) =>
    lang === 'sh' ? [{ typed: text, line, printed: fences[i + 1]?.text }] : [],
  );

  test('are some', () => {
    expect(shown.map(({ typed }) => typed.split(' ')[2])).toEqual(['check', 'check', 'refresh']);
  });

  test.each(shown)('line $line: $typed', async ({ typed, printed }) => {
    content = NEXT;
    const [npx, blockyard, name, ...words] = typed.split(' ');
    expect([npx, blockyard]).toEqual(['npx', 'blockyard']);
    const args = words.map(async (word) => {
      const file = FILES[word];
      return file === undefined ? word : blocks.file(word, file);
    });
    const isBroken = typed.includes('broken');
    const ran = await blocks.run(name as 'check' | 'refresh', ...(await Promise.all(args)));
    expect(`${ran.err}${ran.out}`).toBe(`${printed}\n`);
    expect(ran.code).toBe(isBroken ? 3 : 0);
  });

  test('run in a shell, and end with the codes of the table', async () => {
    const codes = tableOf(document, ['it ends with', 'if'])?.map(([code]) => Number(code));
    const bin = path.join(await madeOnce<string>('package'), 'bin/blockyard.js');
    const found: (number | null)[] = [];
    for (const args of [
      ['check', 'inspections', await blocks.file('next.csv', NEXT)],
      ['refresh', 'inspection'],
      ['check', 'inspections', await blocks.file('broken.csv', FILES['broken.csv'] as string)],
    ]) {
      const env = { PATH: process.env.PATH, BLOCKYARD_BLOCKS: blocks.folder };
      found.push((await command(process.execPath, [bin, ...args], { cwd: ROOT, env })).code);
    }
    expect(found).toEqual(codes);
  });
});

describe('the workflow', () => {
  const workflow = fencesOf(document).find(({ lang }) => lang === 'yaml')?.text ?? '';
  const runs = [...workflow.matchAll(/^ +(?:- )?run: (?:\|\n((?: {10}.*(?:\n|$))+)|(.+))/gm)].map(
    ([, many, one]) => (many ?? one ?? '').replace(/^ {10}/gm, ''),
  );
  const keep = runs[2] as string;

  test('has these steps', () => {
    expect(runs).toEqual([
      'npm ci',
      'npx blockyard refresh',
      expect.stringContaining('git commit'),
      'npm run deploy',
    ]);
  });

  test('refreshes, keeps what changed in the repository, and nothing if nothing did', async () => {
    const [remote, outputs] = [await temporaryFolder(), await temporaryFolder()];
    const output = path.join(outputs, 'output');
    const env = {
      PATH: process.env.PATH,
      HOME: outputs,
      GIT_CONFIG_NOSYSTEM: '1',
      GITHUB_OUTPUT: output,
    };
    const run = (file: string, ...args: string[]) =>
      execFileSync(file, args, { cwd: blocks.folder, env, encoding: 'utf8', stdio: 'pipe' });
    run('git', 'init', '--quiet', '--bare', '--initial-branch=main', remote);
    run('git', 'init', '--quiet', '--initial-branch=main');
    run('git', 'remote', 'add', 'origin', remote);
    run('git', 'config', 'push.autoSetupRemote', 'true');
    run('git', 'add', 'functions', 'seed-data');
    run('git', '-c', 'user.name=a', '-c', 'user.email=a@data.test', 'commit', '-qm', 'Add');
    run('git', 'push', '--quiet');

    expect((await blocks.run('refresh')).code).toBe(0);
    run('sh', '-e', '-c', keep);
    expect(existsSync(output)).toBe(false);

    content = NEXT;
    expect((await blocks.run('refresh')).code).toBe(0);
    run('sh', '-e', '-c', keep);
    expect(readFileSync(output, 'utf8')).toBe('changed=true\n');
    expect(run('git', '-C', remote, 'log', '--format=%s', 'main')).toBe('Refresh the data\nAdd\n');
    const { file } = blocks.blockFile('inspections');
    const kept = run('git', '-C', remote, 'ls-tree', '-r', '--name-only', 'main').split('\n');
    expect(kept).toEqual(['functions/inspections/block.json', `seed-data/${file}`, '']);
  });
});

test.each([
  `at most ${MOST_REDIRECTS}, each checked`,
  `${MOST_BYTES / 2 ** 30} GiB, as sent and as unpacked`,
  `${HEADERS_MS / 1000} s until an answer begins, ${IDLE_MS / 1000} s between two pieces of it, ${DEADLINE_MS / 60_000} minutes in all`,
])('docs/keeping-data-fresh.md has the bound: %s', (bound) => {
  expect(document).toContain(bound);
});

describe('the workflow', () => {
  const workflow = fencesOf(document).find(({ lang }) => lang === 'yaml')?.text ?? '';

  test('pins each action to a commit, and says which version that is', () => {
    const used = [...workflow.matchAll(/uses: (.*)$/gm)].map(([, one]) => one);
    expect(used.length).toBeGreaterThan(2);
    for (const one of used) expect(one).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('gets its role only on one branch of one repository, by a policy that is JSON', () => {
    const [policy] = fencesOf(document).filter(({ lang }) => lang === 'json');
    const [statement] = JSON.parse(policy?.text ?? '').Statement;
    expect(statement.Action).toBe('sts:AssumeRoleWithWebIdentity');
    const { StringEquals: equals } = statement.Condition;
    const issuer = statement.Principal.Federated.split('oidc-provider/')[1];
    expect(equals[`${issuer}:aud`]).toBe('sts.amazonaws.com');
    expect(equals[`${issuer}:sub`]).toMatch(/^repo:[\w-]+\/[\w-]+:ref:refs\/heads\/\w+$/);
    expect(workflow).toMatch(/^ {2}id-token: write$/m);
  });

  // GitHub's own workflows of this checkout are held by the same schema.
  const ours = readdirSync(path.join(ROOT, '.github/workflows')).map(
    (name) => `.github/workflows/${name}`,
  );
  test.each(['docs/keeping-data-fresh.md', ...ours])(
    'is one by the schema of workflows: %s',
    (file) => {
      const text = file.startsWith('docs/') ? workflow : readDocument(file);
      const schema = JSON.parse(readDocument('test/docs/github/workflow.schema.json'));
      const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema);
      const read = yaml.load(text) as Workflow;
      expect([isValid(read), isValid.errors]).toEqual([true, null]);
      const broken = structuredClone(read);
      Object.assign(Object.values(broken.jobs)[0] as object, { 'timeout-minute': 3 });
      expect(isValid(broken)).toBe(false);
    },
  );

  test('asks only for outputs of steps before', () => {
    const { steps } = Object.values((yaml.load(workflow) as Workflow).jobs)[0] as Job;
    const asked = steps.flatMap((step, i) =>
      [...JSON.stringify(step).matchAll(/steps\.(\w+)\.outputs\.(\w+)/g)].map(([, id, output]) => ({
        id,
        output,
        before: steps.slice(0, i),
      })),
    );
    expect(asked.length).toBeGreaterThan(0);
    for (const { id, output, before } of asked) {
      const step = before.find((one) => one.id === id);
      expect(step?.run).toMatch(new RegExp(`echo '${output}=\\w+' >> "\\$GITHUB_OUTPUT"`));
    }
  });

  // The linter is a program of its own: where it is installed, it has the last word.
  const hasLinter = spawnSync('actionlint', ['-version']).status === 0;
  (hasLinter ? test : test.skip)('has no fault that actionlint finds', () => {
    const { status, stdout } = spawnSync('actionlint', ['-'], { input: workflow });
    expect([status, String(stdout)]).toEqual([0, '']);
  });
});
