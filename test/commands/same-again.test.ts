import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { runAdd } from '../../src/commands/add-command.ts';
import { cleanUp } from '../support/process.ts';
import { sheetOf } from '../support/sheet-of.ts';
import { messyFile } from '../tape/messy-files.ts';
import { wideFile } from '../tape/wide-files.ts';
import { keptConsole } from './kept-console.ts';
import { OwnBlocks } from './own-blocks.ts';
import { expectSameAgain } from './same-again.ts';

afterAll(cleanUp);

const HOURS = Array.from({ length: 12 }, (_, hour) => 1_700_000_000 + 3600 * hour);

type Numbers = readonly (number | string)[];

/** A file of one column of numbers, in each format. JSON and CSV have the texts of numbers. */
const FORMATS: Readonly<Record<string, (header: string, all: Numbers) => string | Uint8Array>> = {
  csv: (header, all) => `${header},n\n${all.map((one, i) => `${one},${i}\n`).join('')}`,
  json: (header, all) => `[${all.map((one, i) => `{"${header}":${one},"n":${i}}`)}]`,
  geojson: (header, all) => {
    const features = all.map(
      (one, i) =>
        `{"type":"Feature","properties":{"${header}":${one}},"geometry":{"type":"Point","coordinates":[7.${i},46.5]}}`,
    );
    return `{"type":"FeatureCollection","features":[${features}]}`;
  },
  xlsx: (header, all) => sheetOf([[header, 'n'], ...all.map((one, i) => [Number(one), i])]),
  parquet: (header, all) => {
    const data = all.map(Number);
    const columnData = [{ name: header, data, type: 'DOUBLE' as const }];
    return new Uint8Array(parquetWriteBuffer({ columnData }));
  },
};

/** Adds a file, whose line must then give the same block again, and answers by these options. */
async function added(
  [name, content]: readonly [name: string, content: string | Uint8Array],
  options: readonly string[],
  answer?: (asked: string) => string,
) {
  const blocks = await OwnBlocks.inNewFolder();
  const file = await blocks.file(name, content);
  const { terminal, printed } = keptConsole(answer && (async (asked) => answer(asked)));
  const code = await runAdd([file, ...options], terminal, { blocks: blocks.folder });
  const { out, err } = printed;
  if (code !== 0) return { code, err, out };
  await expectSameAgain(out, blocks.folder);
  const [block = ''] = readdirSync(path.join(blocks.folder, 'functions'));
  const { fields } = blocks.blockFile(block);
  return { code, err, out, fields, rows: await blocks.rows(block) };
}

describe('numbers that count from a moment are the times that an option says, in every format', () => {
  const COUNTS: readonly (readonly [string, string, Numbers, string])[] = [
    ['timestamp', '%s', HOURS, '2023-11-14T22:13:20Z'],
    ['timestamp', '%Q', HOURS.map((one) => 1000 * one), '2023-11-14T22:13:20Z'],
    ['day', 'excel', HOURS.map((_, i) => 45_292 + i), '2024-01-01'],
  ];
  const cases = Object.keys(FORMATS).flatMap((format) =>
    COUNTS.map((count) => [format, ...count] as const),
  );
  test.each(cases)('%s: %s as %s', async (format, header, pattern, numbers, first) => {
    const file = [`f.${format}`, FORMATS[format]?.(header, numbers) as string] as const;
    const option = `--format ${header}=${pattern}`;
    const asked = await added(file, []);
    expect(asked).toMatchObject({ code: 1, err: expect.stringContaining(`  ${option} `) });
    const given = await added(file, option.split(' '));
    expect(given.rows?.[0]?.[header]).toBe(first);
    const answered = await added(file, [], (question) => {
      const lines = question.split('\n').filter((line) => line.includes(' is 202'));
      return lines[0]?.trim().charAt(0) ?? '';
    });
    expect(answered.fields).toEqual(given.fields);
    const isDay = pattern === 'excel';
    const typed = await added(file, [
      '--type',
      `${header}=${isDay ? 'date' : 'datetime'}`,
      '--yes',
    ]);
    expect(typed.fields).toEqual(given.fields);
    expect(typed.rows).toEqual(given.rows);
  });

  test.each([
    ['finer than a millisecond', '%s', HOURS.map((one) => `${one}.123456`)],
    ['with a point and a zero', '%s', HOURS.map((one) => `${one}.0`)],
    ['with an exponent', '%s', HOURS.map((one) => `${one / 1e9}E9`)],
    ['days with a point and a zero', 'excel', HOURS.map((_, i) => `${45_292 + i}.0`)],
    ['days with hours', 'excel', HOURS.map((_, i) => `${45_292 + i}.25`)],
  ])('%s', async (_, pattern, numbers) => {
    const file = ['f.json', FORMATS.json?.('time', numbers) as string] as const;
    const given = await added(file, ['--format', `time=${pattern}`]);
    expect(given.rows?.map(({ time }) => String(time).slice(0, 3))).toEqual(Array(12).fill('202'));
    const answered = await added(file, [], (question) => (question.includes(' is 202') ? '2' : ''));
    expect(answered.fields).toEqual(given.fields);
  });
});

describe('what a person says is never replaced by text', () => {
  const TWO_WAYS = `day,value\n${HOURS.map((_, i) => `0${1 + (i % 9)}/0${1 + (i % 8)}/2020,"${1 + (i % 9)},1${10 + i}"\n`).join('')}`;

  test('a type with two readings is asked for what is open, and --yes is no answer', async () => {
    const types = ['--type', 'value=number', '--type', 'day=date'];
    for (const more of [[], ['--yes']]) {
      const { code, err } = await added(['f.csv', TWO_WAYS], [...types, ...more]);
      expect(code).toBe(1);
      expect(err).toMatch(/ {2}--dates dmy .*\n {2}--dates mdy /);
      expect(err).toMatch(/ {2}--decimal \. .*\n {2}--decimal , /);
      expect(err).not.toContain('=text');
      expect(err).toContain('--yes is no answer to that.');
    }
    const open = [...types, '--decimal', '.', '--dates', 'mdy', '--yes'];
    const { rows } = await added(['f.csv', TWO_WAYS], open);
    expect(rows?.[1]).toMatchObject({ day: '2020-02-02', value: 2111 });
    expect(await added(['f.csv', TWO_WAYS], ['--yes'])).toMatchObject({
      fields: [{ type: 'text' }, { type: 'text' }],
    });
  });

  test('an order of dates is asked about years of two digits, and --yes is no answer', async () => {
    const born = `born\n${HOURS.map((_, i) => `0${1 + (i % 9)}.03.${60 + i}\n`).join('')}`;
    const { code, err } = await added(['f.csv', born], ['--dates', 'dmy', '--yes']);
    expect(code).toBe(1);
    expect(err).toMatch(/two digits\n {2}--type born=text .*\n {2}--type born=date /);
    expect(err).toContain('--yes is no answer to that.');
    expect(await added(['f.csv', born], ['--yes'])).toMatchObject({ fields: [{ type: 'text' }] });
  });

  test('a pattern beside a type is followed, or both are refused', async () => {
    const days = `d,x\n${HOURS.map((_, i) => `0${1 + (i % 9)}/05/2020,${i}\n`).join('')}`;
    const both = (pattern: string, type: string) =>
      added(['f.csv', days], ['--format', `d=${pattern}`, '--type', `d=${type}`]);
    const { rows } = await both('%d/%m/%Y', 'date');
    expect(rows?.[1]?.d).toBe('2020-05-02');
    expect((await both('%Y/%d/%m', 'date')).err).toContain('is not written as %Y/%d/%m');
    expect((await both('%d/%m/%Y', 'integer')).err).toContain(
      'column d: --type says integer, and --format is of dates and times; leave one out',
    );
  });

  test('a column without a value yet has the type and the pattern that are given', async () => {
    const blank = 'a,due,at\nx,,\ny,,\n';
    const options = ['--format', 'due=%d.%m.%Y', '--format', 'at=%d.%m.%Y %H:%M'];
    const { fields, out } = await added(['f.csv', blank], options);
    expect(out).not.toContain('after today');
    expect(fields).toMatchObject([
      { name: 'a' },
      { name: 'due', type: 'date', format: '%d.%m.%Y' },
      { name: 'at', type: 'datetime', format: '%d.%m.%Y %H:%M', local: true },
    ]);
  });
});

test('the line that gives the same again gives it for made-up files of all kinds', async () => {
  for (let number = 0; number < MADE_UP; number++) {
    const { name, bytes, options } = number % 2 ? messyFile(number) : wideFile(400 + number);
    await added([name, bytes], options);
  }
});

/** How many made-up files are tried. */
const MADE_UP = 60;
