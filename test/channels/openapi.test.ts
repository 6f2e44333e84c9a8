import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openapiOfBlock, openapiText } from '../../src/channels/openapi/openapi-document.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { command } from '../support/command.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT, type Service, startService } from '../support/service.ts';
import { toolCommand, toolPython } from '../support/tools.ts';
import { PYTHON_CACHE } from '../support/virtual-environment.ts';

const loaded = await loadBlocks(path.join(ROOT, 'functions'));
const names = loaded.map(({ block }) => block.name);

// biome-ignore lint/suspicious/noExplicitAny: a document is of any shape
type Any = any;

let service: Service;
let folder: string;
let document: Any;
beforeAll(async () => {
  service = await startService();
  folder = await temporaryFolder();
  document = (await service.get('/openapi.json')).body;
});
afterAll(async () => {
  await service?.close();
  await cleanUp();
});

async function ownText(name: string): Promise<string> {
  return (await service.get(`/api_v2/blocks/${name}/openapi.json`)).text;
}

/** Writes the document of so many blocks that it refers to their own, and these, as a service has them. */
async function writtenOfMany(): Promise<string> {
  const blocks = Array.from({ length: 15 }, (_, i) => {
    const { block } = loaded[i % loaded.length] as (typeof loaded)[number];
    const name = `${block.name}-${100 + i}`;
    return { block: { ...block, name, id: name } };
  });
  for (const each of blocks) {
    const own = path.join(folder, 'api_v2', 'blocks', each.block.name);
    await mkdir(own, { recursive: true });
    await writeFile(path.join(own, 'openapi.json'), await openapiOfBlock(each)(new Scheduler()));
  }
  const text = await openapiText(blocks, new Scheduler());
  expect(JSON.parse(text).paths[`/blocks/${blocks[0]?.block.name}`].$ref).toBeDefined();
  const file = path.join(folder, 'many.json');
  await writeFile(file, text);
  return file;
}

/** The document after a change that makes it wrong. */
async function written(change: (document: Any) => void = () => {}): Promise<string> {
  const changed = structuredClone(document);
  change(changed);
  const file = path.join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(changed));
  return file;
}

describe('redocly', () => {
  test('finds nothing', async () => {
    const { code, found } = await lint(await written());
    expect([code, found]).toEqual([0, { errors: 0, warnings: 0, ignored: 0 }]);
  });

  test.each(names)('finds nothing in the document of %s', async (name) => {
    const file = path.join(folder, 'one.json');
    await writeFile(file, await ownText(name));
    const { code, found } = await lint(file);
    expect([code, found]).toEqual([0, { errors: 0, warnings: 0, ignored: 0 }]);
  });

  test('finds nothing in the document of many blocks, whose references it follows', async () => {
    const { code, found } = await lint(await writtenOfMany());
    expect([code, found]).toEqual([0, { errors: 0, warnings: 0, ignored: 0 }]);
  });

  // Of one document: each run first takes seconds to begin.
  test('would find a missing summary, a reference to nothing, an unused component, an example that is not valid', async () => {
    const changed = await written(({ paths, components }) => {
      delete paths['/blocks'].get.summary;
      delete components.schemas.Warning;
      components.schemas.Unused = {};
      const { content } = paths['/blocks/rgb-to-color-name'].post.requestBody;
      content['application/json'].examples['example-1'].value.R = 256;
    });
    const { code, problems } = await lint(changed);
    const rules = new Set(problems.map(({ ruleId }: Any) => ruleId));
    expect([code, [...rules].sort()]).toEqual([
      1,
      [
        'no-invalid-media-type-examples',
        'no-unresolved-refs',
        'no-unused-components',
        'operation-summary',
      ],
    ]);
  });

  async function lint(file: string) {
    const config = path.join(import.meta.dirname, 'openapi-redocly.yaml');
    const args = ['lint', '--config', config, '--format', 'json', file];
    const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { code, stdout } = await command(toolCommand('redocly'), args, {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    const { totals, problems } = JSON.parse(stdout);
    return { code, found: totals, problems };
  }
});

/** The fewest cases of an operation, of which a block has two. `npm run test:long` asks for 500. */
const CASES = Number(process.env.SCHEMATHESIS_CASES ?? 100);

/**
 * Up to so many parameters, each is also tried with each other one. That makes 28,000 cases for the
 * 179 of the census.
 */
const MOST_PAIRED = CASES > 100 ? 120 : 30;

describe('schemathesis', () => {
  test.each(names)(
    `%s does what the document says, in ${CASES} cases an operation`,
    async (name) => {
      const isPaired = document.paths[`/blocks/${name}`].get.parameters.length <= MOST_PAIRED;
      const phases = isPaired ? PHASES : ['examples', 'fuzzing'];
      // Of the cases that it makes, it leaves out those that it has had.
      const asked = Math.ceil((isPaired ? 0.4 : 1.1) * CASES);
      const report = await check(await written(), [`/blocks/${name}`], asked, phases);
      expect(report).toMatchObject({ ...FLAWLESS, phases: passed(phases) });
      expect(report.operations).toMatchObject({ tested: 2, skipped: 0 });
      expect(report.test_cases.generated).toBeGreaterThanOrEqual(2 * CASES);
    },
  );

  test('the list of blocks and a data package do too', async () => {
    const addresses = ['/blocks', '/blocks/census-neighborhoods/datapackage.json'];
    const report = await check(await written(), addresses, 100);
    expect(report).toMatchObject({ ...FLAWLESS, phases: {} });
    expect(report.operations).toMatchObject({ tested: 2 });
  });

  const properties = ({ components }: Any) => {
    const { 'rgb-to-color-name.arguments': body } = components.schemas;
    return body.properties;
  };

  // Two faults a run: each run first takes seconds to begin.
  test.each<[string, readonly string[], string, (document: Any) => void]>([
    [
      'what is refused and should be taken, and the other way about',
      ['RejectedPositiveData', 'AcceptedNegativeData'],
      'coverage',
      (changed) => {
        properties(changed).R.anyOf[0].maximum = 300;
        properties(changed).G.anyOf[0].maximum = 200;
      },
    ],
    [
      'an answer with a status or with a member of its own',
      ['UndefinedStatusCode', 'JsonSchemaError'],
      'fuzzing',
      ({ components, paths }) => {
        delete paths['/blocks/rgb-to-color-name'].post.responses[400];
        delete components.schemas['rgb-to-color-name.value'].properties.hex;
      },
    ],
  ])('would find %s', async (_, types, phase, change) => {
    const report = await check(await written(change), ['/blocks/rgb-to-color-name'], 30, [phase]);
    expect(report.exit_code).toBe(1);
    const found = report.failures.map((failure: Any) => failure.type);
    expect(found).toEqual(expect.arrayContaining([...types]));
  });

  test('would find a place that is refused and should be taken', async () => {
    const changed = await written(({ components, paths }) => {
      const args = components.schemas['business-directory.arguments'];
      const { _near, _sort } = args.properties;
      _near.anyOf.find(({ pattern }: Any) => pattern).pattern = '^0,95$';
      // Of all parameters, it would seldom make this one.
      Object.assign(args, { properties: { _near, _sort }, required: ['_near'] });
      delete paths['/blocks/business-directory'].get;
    });
    const report = await check(changed, ['/blocks/business-directory'], 30, ['fuzzing']);
    expect(report.failures.map((failure: Any) => failure.type)).toContain('RejectedPositiveData');
  });

  const PHASES = ['examples', 'coverage', 'fuzzing'];
  const passed = (phases: readonly string[]) =>
    Object.fromEntries(phases.map((phase) => [phase, { status: 'success' }]));

  /** No failure, no error, and no warning. */
  const FLAWLESS = {
    complete: true,
    exit_code: 0,
    failures: [],
    errors: [],
    warnings: [],
    test_cases: { with_failures: 0, errored: 0, without_checks: 0 },
    phases: passed(PHASES),
  };

  /** Runs all checks on some addresses; the same cases each time. Its report. */
  async function check(
    file: string,
    addresses: readonly string[],
    cases: number,
    phases: readonly string[] = PHASES,
    checks = 'all',
  ): Promise<Any> {
    const report = path.join(folder, 'report.json');
    const args = ['run', file, '--url', `${service.url}/api_v2`];
    args.push(
      ...addresses.flatMap((address) => ['--include-path', address]),
      '--phases',
      phases.join(),
      '--checks',
      checks,
      '--seed',
      '1',
      '--max-examples',
      String(cases),
    );
    args.push(
      '--continue-on-failure',
      '--generation-database',
      'none',
      '--report-json-path',
      report,
      '--no-color',
    );
    const { output } = await command(path.join(path.dirname(toolPython()), 'schemathesis'), args, {
      cwd: folder,
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: path.join(import.meta.dirname, 'openapi_hooks.py'),
        PYTHONPYCACHEPREFIX: PYTHON_CACHE,
      },
    });
    const found = JSON.parse(await readFile(report, 'utf8'));
    // What it says of each failure, with a line to repeat it.
    if (found.exit_code !== 0 && cases > 30) console.error(output);
    return { ...found, warnings: Object.values(found.warnings).flat() };
  }
});
