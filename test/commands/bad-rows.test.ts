import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { dataPackageOf, describeBlock } from '../../src/block/describe-block.ts';
import { toolOf } from '../../src/channels/mcp/tool-of.ts';
import { runAdd } from '../../src/commands/add-command.ts';
import { runCheck } from '../../src/commands/check-command.ts';
import { DYNAMODB } from '../../src/dynamodb/storage.ts';
import { importDataset } from '../../src/import/import-dataset.ts';
import { loadDataBlock } from '../../src/import/load-blocks.ts';
import { DAMAGES, damagedFile } from '../files/damaged-files.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-bad-rows-'));

/** Runs `add` on a file in a folder of its own; `ask` gets each question. */
const add = async (
  text: string,
  options: readonly string[],
  ask?: (asked: string) => string,
  name = 'f.csv',
) => {
  const blocks = await mkdtemp(path.join(folder, 'b-'));
  const file = path.join(blocks, name);
  await writeFile(file, text);
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = {
    out: (line: string) => out.push(line),
    err: (line: string) => err.push(line),
    ...(ask === undefined ? {} : { ask: async (asked: string) => ask(asked) }),
  };
  const code = await runAdd([file, '--blocks', blocks, ...options], terminal, { blocks });
  return { code, out: out.join('\n'), err: err.join('\n'), blocks };
};

/** The block as a start would serve it. */
const imported = async (blocks: string) => {
  const { block, dataset } = await loadDataBlock(path.join(blocks, 'functions', 'f'));
  const whole = await importDataset(block, dataset, path.join(blocks, 'seed-data'), DYNAMODB);
  return { ...whole, values: Array.from(whole.rows, ({ values }) => Object.values(values)) };
};

const GOOD = Array.from({ length: 300 }, (_, i) => `${i},"name ${i}",2024-01-${10 + (i % 20)}\n`);
const HEAD = 'id,name,day\n';
const MENDED = '300,5" pipe,2024-02-01\n';
const UNSURE = '301,a,2024-02-02,b,c\n';
const FILE = HEAD + GOOD.join('') + MENDED + UNSURE;

describe('a file with a few bad rows', () => {
  test('stops a script, which is told the ways on', async () => {
    const { code, err, blocks } = await add(FILE, []);
    expect(code).toBe(1);
    expect(err).toContain('f.csv: 2 of 302 rows cannot be read as they stand.');
    expect(err).toContain(
      '  line 302: 300,5" pipe,2024-02-01 is read as 300 | 5" pipe | 2024-02-01\n',
    );
    expect(err).toContain('  line 303, more cells than the header: 301,a,2024-02-02,b,c');
    expect(err).toContain('  --bad-rows mend   1 row is mended, 1 row is set aside');
    expect(err).toContain('  --bad-rows skip   2 rows are set aside');
    expect(await readdir(blocks)).toEqual(['f.csv']);
  });

  test.each([
    ['--yes', ['--yes'], 301],
    ['--bad-rows mend', ['--bad-rows', 'mend'], 301],
    ['--bad-rows skip', ['--bad-rows', 'skip'], 300],
  ])('is added with %s, and every door says what became of them', async (_, options, rows) => {
    const { code, out, blocks } = await add(FILE, options);
    expect(code).toBe(0);
    const setAside = 302 - rows;
    const mended = 2 - setAside;
    expect(out).toMatch(/The same again: .* --bad-rows (mend|skip)/);
    const { block, manifest, values } = await imported(blocks);
    expect(values.length).toBe(rows);
    expect(values.at(-1)).toEqual(
      mended === 1 ? [300, '5" pipe', '2024-02-01'] : [299, 'name 299', '2024-01-29'],
    );
    expect(manifest.badRows).toEqual({ mended, setAside });
    expect(JSON.parse(describeBlock(block, manifest)).dataset.bad_rows).toEqual({
      mended,
      set_aside: setAside,
    });
    expect(dataPackageOf(block, manifest, { path: 'f.csv' })).toMatchObject({
      badRows: { mended, setAside },
    });
    expect(toolOf({ block, manifest }).description).toContain(
      `${setAside} of 302 rows of the file could not be read${mended === 1 ? '; 1 was mended' : ''}.`,
    );
    const files = await readdir(path.join(blocks, 'seed-data'));
    const list = files.find((file) => file.endsWith('.bad-rows.csv')) as string;
    const listed = await readFile(path.join(blocks, 'seed-data', list), 'utf8');
    expect(listed).toContain('303,set aside,more cells than the header,"301,a,2024-02-02,b,c",\n');
    expect(listed).toContain(`302,${mended === 1 ? 'mended' : 'set aside'},`);
  });

  test('is asked about at a terminal', async () => {
    const asked: string[] = [];
    const answers = ['1'];
    const { code, blocks } = await add(FILE, [], (text) => {
      if (text.includes('Enter skips')) return '';
      asked.push(text);
      return answers.shift() ?? '';
    });
    expect([code, asked.length]).toEqual([0, 1]);
    expect(asked[0]).toMatch(/2 of 302 rows .*\n[\s\S]*1 {2}1 row is mended, 1 row is set aside\n/);
    expect((await imported(blocks)).manifest.badRows).toEqual({ mended: 1, setAside: 1 });
    const stopped = await add(FILE, [], () => '3');
    expect([stopped.code, await readdir(stopped.blocks)]).toEqual([1, ['f.csv']]);
  });

  test('with more than 1 % to set aside needs an answer of its own', async () => {
    const many = HEAD + GOOD.join('') + UNSURE.repeat(4);
    const { code, err } = await add(many, ['--yes']);
    expect(code).toBe(1);
    expect(err).toContain('More than 1 % would be set aside');
    expect(err).toContain('--bad-rows skip   4 rows are set aside');
    expect((await add(many, ['--yes', '--bad-rows', 'skip'])).code).toBe(0);
  });

  test('with more bad rows than good ones is no table', async () => {
    const { code, err } = await add(`${HEAD}1,a,2024-01-01\n${UNSURE.repeat(2)}`, [
      '--bad-rows',
      'skip',
    ]);
    expect(code).toBe(1);
    expect(err).toContain('2 of 3 rows cannot be read as they stand, so it is no such table');
  });

  test('stops a start if other rows of it are bad than block.json says', async () => {
    const { blocks } = await add(FILE, ['--yes']);
    const file = path.join(blocks, 'functions', 'f', 'block.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"mended": 1', '"mended": 2'));
    await expect(imported(blocks)).rejects.toThrow(
      /line 303: 1 row is mended, 1 row is set aside, and functions\/f\/block\.json says 2 rows are mended, 1 row is set aside/,
    );
  });
});

describe('a record of JSON that cannot be read', () => {
  const objects = Array.from({ length: 300 }, (_, i) => `{"id":${i},"name":"name ${i}"}`);
  const features = objects.map(
    (properties, i) =>
      `{"type":"Feature","properties":${properties},"geometry":{"type":"Point","coordinates":[${i / 10},50]}}`,
  );
  const collection = (all: readonly string[]) =>
    `{"type":"FeatureCollection","features":[${all.join(',\n')}]}`;

  test.each([
    ['f.ndjson', objects.join('\n'), objects[7], '{"id":7,"name":"x', 'line 8, a text that'],
    ['f.ndjson', objects.join('\n'), objects[7], '{"id":7,"new":"\\ud800"}', 'line 8, half of a'],
    ['f.json', `[${objects}]`, objects[7], '{"new":1,"name":}', 'record 8, expected a value'],
    ['f.json', `{"data":[${objects}]}`, objects[7], '[7]', 'record 8, expected an object'],
    ['f.geojson', collection(features), '[0.7,50]', '["a",50]', 'feature 8, these are no'],
    ['f.geojson', collection(features), '[0.7,50]', '[700,50]', 'feature 8, the position 700'],
    [
      'f.geojson',
      features.join('\n'),
      '"properties":{"id":7',
      '"properties":{"id":7,"id":7',
      'feature 8, the member',
    ],
  ])('is set aside: %s, %#', async (name, text, from, to, said) => {
    const damaged = text.replace(from as string, to);
    const stopped = await add(damaged, [], undefined, name);
    expect(stopped.err).toContain(`1 of 300 rows cannot be read as they stand.\n  ${said}`);
    const { code, out, blocks } = await add(damaged, ['--yes'], undefined, name);
    expect(code).toBe(0);
    expect(out).toMatch(/The same again: .* --bad-rows skip/);
    const { manifest, values, block } = await imported(blocks);
    expect(manifest.badRows).toEqual({ mended: 0, setAside: 1 });
    expect(values.map(([id]) => id)).toEqual(
      Array.from({ length: 300 }, (_, i) => i).filter((i) => i !== 7),
    );
    // What it alone has is no column.
    expect(block.fields.map(({ name }) => name).slice(0, 2)).toEqual(['id', 'name']);
    expect(block.fields.some(({ name }) => name === 'new')).toBe(false);
    const files = await readdir(path.join(blocks, 'seed-data'));
    const list = files.find((file) => file.endsWith('.bad-rows.csv')) as string;
    const [head, row] = (await readFile(path.join(blocks, 'seed-data', list), 'utf8')).split('\n');
    expect(
      `${head?.split(',')[0]} ${row?.split(',')[0]}, ${row?.split(',')[2]?.replace('"', '')}`,
    ).toContain(said);
    const next = path.join(blocks, name.replace('f.', 'next.'));
    await writeFile(next, damaged.replace('"id":9,', '"id":900,'));
    const told: string[] = [];
    const print = (line: string) => told.push(line);
    const args = ['f', next, '--blocks', blocks];
    expect(await runCheck(args, { out: print, err: print }, { blocks })).toBe(0);
    expect(told.join('\n')).toContain(said);
  });

  test('of a file that had none stops the next one, which is told the way on', async () => {
    const { blocks } = await add(objects.join('\n'), [], undefined, 'f.ndjson');
    const next = path.join(blocks, 'next.ndjson');
    await writeFile(next, [...objects, '{"id":'].join('\n'));
    const told: string[] = [];
    const print = (line: string) => told.push(line);
    const args = ['f', next, '--blocks', blocks];
    expect(await runCheck(args, { out: print, err: print }, { blocks })).toBe(3);
    expect(told.join('\n')).toContain("(in block.json, the dialect's badRows)");
  });

  test('stops where no record can be read, and says what is wrong with the first', async () => {
    const { code, err } = await add('{"a":1\n{"a":2\n', ['--yes'], undefined, 'f.ndjson');
    expect(code).toBe(1);
    expect(err).toContain('f.ndjson, line 1, column 7: expected ",", found the end');
  });
});

test('of lines that are one row or several, none is lost for the sake of the first', async () => {
  const rows = Array.from({ length: 400 }, (_, i) => `${i},name ${i},${i}\n`).join('');
  const { out } = await add(`id,name,n\n${rows}500,zz\n600,yy\n`, ['--bad-rows', 'mend']);
  // As one row they are `500,zz 600,yy`, whose last cell is no number.
  expect(out).toContain('1 row is set aside:');
  expect(out).toContain('500,zz 600,yy');
  expect(out).not.toContain('read as');
});

test('NaN, as Python writes a number that is missing, is nothing, which is told', async () => {
  const text = '[{"id":1,"n":2.5},{"id":2,"n":NaN},{"id":3,"n":NaN}]';
  const { code, out, blocks } = await add(text, [], undefined, 'f.json');
  expect(code).toBe(0);
  expect(out).toContain('NaN, which JSON does not have, is nothing in 2 cells, first in record 2');
  expect((await imported(blocks)).values.map(([, n]) => n)).toEqual([2.5, null, null]);
});

describe('a row that no item holds', () => {
  const large = (length: number) => HEAD + GOOD.join('').replace('"name 7"', 'ä'.repeat(length));

  test('is set aside, by add and by the next file', async () => {
    const { code, out, blocks } = await add(large(150_000), ['--yes']);
    expect(code).toBe(0);
    expect(out).toContain('line 9, more than DynamoDB takes in an item: 450,');
    const { manifest, values } = await imported(blocks);
    expect([manifest.badRows, values.length]).toEqual([{ mended: 0, setAside: 1 }, 299]);
  });

  test('is a row as long as one does', async () => {
    const { code, out, blocks } = await add(large(130_000), []);
    expect([code, out.includes('set aside')]).toEqual([0, false]);
    expect((await imported(blocks)).values[7]?.[1]).toBe('ä'.repeat(130_000));
  });
});

test('the next file is read likewise, unless far more of it is bad', async () => {
  const { blocks } = await add(FILE, ['--yes']);
  const check = async (text: string) => {
    const file = path.join(blocks, 'next.csv');
    await writeFile(file, text);
    const said: string[] = [];
    const print = (line: string) => said.push(line);
    const args = ['f', file, '--blocks', blocks];
    const code = await runCheck(args, { out: print, err: print }, { blocks });
    return { code, said: said.join('\n') };
  };
  const fits = await check(`${FILE}302,x,2024-02-03\n303,"y,2024-02-04\n`);
  expect(fits.code).toBe(0);
  expect(fits.said).toContain('303 rows, 301 before: 2 added');
  expect(fits.said).toContain('2 rows are mended, 1 row is set aside:');
  const unfit = await check(FILE + UNSURE.repeat(9));
  expect(unfit.code).toBe(3);
  expect(unfit.said).toContain('10 rows cannot be read and would be left out, 1 before');
});

describe('damaged files', () => {
  test.each(Object.keys(DAMAGES))('with %s lose hardly a cell, and no other row', async (name) => {
    let [cells, right] = [0, 0];
    for (let number = 0; number < 3; number++) {
      const { text, rows, damaged } = damagedFile(DAMAGES[name] as never, number);
      const { code, err, blocks } = await add(text, ['--yes', '--bad-rows', 'mend']);
      expect([code, err]).toEqual([0, '']);
      const { values, badRows } = await imported(blocks);
      const found = new Map(
        values.map((row) => [String(row[0]), row.map((cell) => String(cell ?? ''))]),
      );
      for (const [i, row] of rows.entries()) {
        const expected = row.map((cell, column) => (column === 3 ? String(Number(cell)) : cell));
        const got = found.get(row[0] as string) ?? [];
        cells += expected.length;
        right += expected.filter((cell, column) => cell === got[column]).length;
        if (!damaged.has(i)) expect(got).toEqual(expected);
      }
      const isWhole = rows.every((row) => found.has(row[0] as string));
      if (!isWhole) expect(badRows.setAside.length).toBeGreaterThan(0);
    }
    expect(right / cells).toBeGreaterThan(0.98);
  });
});
