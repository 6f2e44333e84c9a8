import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { command } from '../support/command.ts';
import { cleanUp, startServer, temporaryFolder } from '../support/process.ts';
import { recipes } from '../support/recipes.ts';
import { callers } from '../support/service.ts';

const FILE = `Package: base
Size: 1200
Built: 2024-05-17

Package: stats
Size: 800

Package: utils
Size: 950
Built: 2023-11-02
`;

let checkout: string;
let folder: string;
let blocks: string;
let file: string;
const blockyard = (...words: readonly string[]) =>
  command(process.execPath, ['bin/blockyard.js', ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });

beforeAll(async () => {
  ({ checkout, installed: folder } = await recipes());
  blocks = await temporaryFolder();
  file = path.join(await temporaryFolder(), 'packages.dcf');
  await writeFile(file, FILE);
});
afterAll(cleanUp);

describe('a format of files is a file and a line: DCF is', () => {
  test('named by the usage, by refusals, and in the schema of block.json', async () => {
    expect((await blockyard('add', '--help')).output).toContain('.xlsx, Parquet or DCF');
    await writeFile(`${file}.xml`, '<?xml version="1.0"?>');
    expect((await blockyard('try', `${file}.xml`)).output).toContain('.xlsx, Parquet or DCF');
    const schema = JSON.parse(
      await readFile(path.join(checkout, 'docs/block.schema.json'), 'utf8'),
    );
    expect(schema.properties.format.enum).toEqual(expect.arrayContaining(['csv', 'dcf']));
  });

  test('recognised, added, checked and served', async () => {
    const added = await blockyard('add', file, '--blocks', blocks);
    expect(added).toMatchObject({ code: 0 });
    const block = JSON.parse(
      await readFile(path.join(blocks, 'functions/packages/block.json'), 'utf8'),
    );
    expect(block.format).toBe('dcf');
    const checked = await blockyard('check', 'packages', file, '--blocks', blocks);
    expect(checked).toMatchObject({ code: 0 });
    const { url } = await startServer(
      { DATA_DIR: path.join(blocks, 'data'), BLOCKYARD_BLOCKS: blocks },
      folder,
    );
    const { body } = await callers(url).post('packages', { size_max: 1000 });
    expect(body.params.results).toEqual([
      { package: 'stats', size: 800, built: null },
      { package: 'utils', size: 950, built: '2023-11-02' },
    ]);
  });

  test('refused where a file of it is expected, and by its own reader', async () => {
    const csv = path.join(path.dirname(file), 'packages.csv');
    await writeFile(csv, 'Package,Size\nbase,1200\n');
    const { code, output } = await blockyard('check', 'packages', csv, '--blocks', blocks);
    expect(code).not.toBe(0);
    expect(output).toContain('is csv now; block.json reads dcf');
    await writeFile(file, 'Package: base\nno name\n');
    expect((await blockyard('add', file, '--blocks', blocks, '--name', 'other')).output).toContain(
      'packages.dcf: a line without a name',
    );
  });
});
