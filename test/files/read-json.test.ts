import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readJson, readNdjson } from '../../src/files/json/read-json.ts';
import type { SourceTable } from '../../src/files/source-table.ts';
import { pieces } from '../support/pieces.ts';

const all = async (table: SourceTable) => {
  const rows: (readonly string[])[] = [];
  for await (const { cells } of table.records) rows.push(cells);
  return [table.headers, ...rows];
};
const json = async (text: string, at?: string) =>
  all(await readJson(pieces(text, 7), 'f.json', at === undefined ? {} : { property: at }));
const ndjson = async (text: string | Uint8Array) =>
  all(await readNdjson(pieces(text, 7), 'f.ndjson'));

describe('a cell holds what the file says', () => {
  test.each([
    ['1.10', '1.10'],
    ['-0', '-0'],
    ['1e400', '1e400'],
    ['1E-7', '1E-7'],
    ['12345678901234567890', '12345678901234567890'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['true', 'true'],
    ['null', ''],
    ['""', ''],
    ['"null"', 'null'],
    ['"007"', '007'],
    [String.raw`"a\"\\\n\u00e9\ud83d\ude00"`, 'a"\\\né😀'],
    ['[ 1.0, "a b", {"x" : [ ]} ]', '[1.0,"a b",{"x":[]}]'],
    ['[]', '[]'],
  ])('%s is %j', async (value, cell) => {
    expect(await json(`[{"a":${value}}]`)).toEqual([['a'], [cell]]);
    expect(await ndjson(`{"a":${value}}`)).toEqual([['a'], [cell]]);
  });
});

describe('columns are the members of all records, in order of first appearance', () => {
  test('absent ones are blank', async () => {
    expect(await json('[{"b":1},{"a":2,"b":null},{"c":3}]')).toEqual([
      ['b', 'a', 'c'],
      ['1', '', ''],
      ['', '2', ''],
      ['', '', '3'],
    ]);
  });

  test('objects within become a.b; two ways to one name stay two columns', async () => {
    expect(await json('[{"a":{"b":1,"c":{"d":2}},"a.b":3},{"a":"x"},{"a":{}}]')).toEqual([
      ['a.b', 'a.c.d', 'a.b', 'a'],
      ['1', '2', '3', ''],
      ['', '', '', 'x'],
      ['', '', '', ''],
    ]);
  });

  test('at most eight levels; what lies below stays text', async () => {
    const nested = `${'{"a":'.repeat(10)}1${'}'.repeat(10)}`;
    expect(await json(`[${nested}]`)).toEqual([['a.a.a.a.a.a.a.a'], ['{"a":{"a":1}}']]);
  });

  test('names that objects have anyway are names', async () => {
    const text = '{"__proto__":{"x":1},"constructor":2,"toString":3,"":4}';
    const expected = [
      ['__proto__.x', 'constructor', 'toString', ''],
      ['1', '2', '3', '4'],
    ];
    expect(await json(`[${text}]`)).toEqual(expected);
    expect(await ndjson(text)).toEqual(expected);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('the rows of one object are the only array of objects in it', () => {
  test('each a member of an object, as many as a data set has', async () => {
    const members = (count: number) =>
      `{${Array.from({ length: count }, (_, i) => `"id${i}":{"n":${i}}`)}}`;
    const { records, headers } = await readJson(pieces(members(12_000)), 'f.json');
    const rows: (readonly string[])[] = [];
    for await (const { cells } of records) rows.push(cells);
    expect(headers).toEqual(['key', 'n']);
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([
      ...[12_000, ['id0', '0'], ['id11999', '11999']],
    ]);
    await expect(readJson(pieces(members(250_001)), 'f.json')).rejects.toThrow(
      "an object of over 250,000 members; if each is a row, make a list of them: jq '[to_entries[] | {key} + .value]' <this file> > new.json",
    );
  });

  test('at the top, or at most three names inside', async () => {
    const rows = [['a'], ['1']];
    expect(await json('{"n":2,"tags":["x"],"data":[{"a":1}]}')).toEqual(rows);
    expect(await json('{"result":{"records":[{"a":1}],"x":{}}} ')).toEqual(rows);
  });

  test('what stands beside it is named', async () => {
    const table = await readJson(
      pieces('{"next":"/2","data":{"a":[{"b":1}]},"total":9}'),
      'f.json',
    );
    expect(table.notes).toEqual(['left out what stands beside data.a: next, total']);
  });

  test('of several, one is to be named', async () => {
    const text = '{"result":{"fields":[{"id":"x"}],"records":[{"a":1},{"a":2}]}}';
    await expect(json(text)).rejects.toThrow(
      'f.json: several lists may be the rows: result.fields (1 object), result.records (2 objects); --property names one: --property result.records',
    );
    expect(await json(text, 'result.records')).toEqual([['a'], ['1'], ['2']]);
    await expect(json(text, 'x')).rejects.toThrow('it has no list x, but result.fields');
  });

  test.each([
    ['a list beside them', '{"columns":["a","b"],"index":[0,1],"data":[[1.50,"x,]"],[2,null]]}'],
    [
      'one of equal length',
      '{"r":{"index":["p","q"],"fields":["a","b"],"v":[[1.50,"x,]"],[2,null]]}}',
    ],
    ['the first of them', '[["a","b"],[1.50,"x,]"],[2,null]]'],
    ['the first of them, within', '{"data":[["a","b"],[1.50,"x,]"],[2,null]]}'],
  ])('lists have their names from %s', async (_, text) => {
    expect(await json(text)).toEqual([
      ['a', 'b'],
      ['1.50', 'x,]'],
      ['2', ''],
    ]);
  });

  test('a list with fewer values than names is a bad row', async () => {
    const text = '{"columns":["a","b"],"data":[[1,2],[3],[4,5]]}';
    await expect(json(text)).rejects.toThrow(
      'column 36: expected a list of 2 values, as there are',
    );
    const { records, headers } = await readJson(pieces(text), 'f.json', { badRows: 'skip' });
    const good: number[] = [];
    for await (const { line, bad } of records) if (bad === undefined) good.push(line);
    expect([headers, good]).toEqual([
      ['a', 'b'],
      [1, 3],
    ]);
  });

  test.each([
    ['the file', '{"p":{"n":1.50,"t":[{"x":1}]},"q":{"t":[{"x":2}],"n":2}}', 'key'],
    ['one member', '{"data":{"p":{"n":1.50,"key":"k"},"q":{"n":2,"key":"l"}},"v":3}', 'id'],
  ])(
    'members that are alike objects are the rows of %s, with their names',
    async (_, text, key) => {
      const [headers = [], ...rows] = await json(text);
      expect(headers.slice(0, 2)).toEqual([key, 'n']);
      expect(rows.map((cells) => cells.slice(0, 2))).toEqual([
        ['p', '1.50'],
        ['q', '2'],
      ]);
    },
  );

  test.each([
    ['{"a":{"x":1},"b":{"y":2}}', 'it has no list of rows'],
    ['{"a":{"0":1,"1":2},"b":{"0":3,"1":4}}', "write it with orient='records'"],
    ['{"a":{"x":1,"r":[{"c":1}]},"b":{"x":2}}', undefined],
  ])('but not objects of other kinds: %s', async (text, reason) => {
    if (reason === undefined) expect(await json(text)).toEqual([['c'], ['1']]);
    else await expect(json(text)).rejects.toThrow(reason);
  });

  test('arrays of arrays have no names', async () => {
    await expect(json('{"data":[[1,2]]}')).rejects.toThrow('data (1 array): expected objects');
  });
});

test.each([
  ['without a sign', '{"a":1.50,"b":{"c":2}}{"a":3}'],
  ['over several lines', '{\n "a":1.50,\n "b":{"c":2}\n}\n{\n "a":3\n}\n'],
  ['with commas', '{"a":1.50,"b":{"c":2}},\n{"a":3},\n'],
  ['with lists in them', '{"a":1.50,"b":{"c":2},"d":[{"e":1}]}{"a":3}'],
])('objects that stand one behind the other are the rows: %s', async (_, text) => {
  const { headers, records, notes } = await readJson(pieces(text, 7), 'f.json');
  const rows: (readonly string[])[] = [];
  for await (const { cells } of records) rows.push(cells.slice(0, 2));
  expect([headers.slice(0, 2), ...rows]).toEqual([
    ['a', 'b.c'],
    ['1.50', '2'],
    ['3', ''],
  ]);
  expect(notes).toContain('each of the objects that stand one after another is a row');
});

test('records can be gone through again, and know their number', async () => {
  const table = await readJson(pieces('[\n{"a":1},\n\n{"a":2}]'), 'f.json');
  const lined = await readNdjson(pieces('\ufeff{"a":1}\r\n\r\n{"a":2}'), 'f.ndjson');
  for (let i = 0; i < 2; i++) {
    const [numbers, lines]: number[][] = [[], []];
    for await (const { line } of table.records) numbers?.push(line);
    for await (const { line } of lined.records) lines?.push(line);
    expect([numbers, lines]).toEqual([
      [1, 2],
      [1, 3],
    ]);
  }
  expect([table.counts, lined.counts]).toEqual(['record', 'line']);
});

describe('what is wrong is one line: file, line, column, reason', () => {
  const nested = '['.repeat(1_000_000);
  test.each([
    ['a repeated member', '[\n {"a":1,"a":2}]', 'line 2, column 9: the member "a" is there twice'],
    ['one within a text cell', '[{"a":[{"b":1,"b":2}]}]', 'column 15: the member "b" is there'],
    ['one spelt in two ways', String.raw`[{"a":1,"\u0061":2}]`, 'column 9: the member "a"'],
    ['a lone surrogate', String.raw`[{"a":"\ud800"}]`, 'line 1, column 7: half of a surrogate'],
    ['a wrong escape', String.raw`[{"a":"\x"}]`, 'line 1, column 7: a backslash that is no'],
    ['a newline in a text', '[{"a":"x\ny"}]', 'line 1, column 9: a control character in a text'],
    ['a trailing comma', '[{"a":1,}]', 'line 1, column 9: expected a name in quotes'],
    ['a trailing comma of the array', '[{"a":1},]', 'line 1, column 10: expected a value'],
    ['Infinity', '[{"a":Infinity}]', 'line 1, column 7: expected a value, found Infinity'],
    ['NaN in a list', '[{"a":[NaN]}]', 'line 1, column 8: expected a value, found NaN'],
    ['a leading zero', '[{"a":007}]', 'line 1, column 7: expected a value, found 007'],
    ['a number in two pieces', '[{"a":1.}]', 'line 1, column 7: expected a value, found 1.'],
    ['a record that is none', '[{"a":1},\n2]', 'line 2, column 1: expected an object, found 2'],
    ['a record in an array', '[[1]]', 'line 1, column 2: expected an object, found an array'],
    ['a file that is cut off', '[{"a":1},{"a":', 'column 10: the file ends inside the value'],
    ['one cut off between', '[{"a":1}', 'column 9: the file ends where , or ] is missing'],
    ['brackets that do not match', '[{"a":[1}]}]', 'column 9: expected ",", found }'],
    ['a repeated list', '{"a":[{"b":1}],"a":[]}', 'column 19: the member "a" is there twice'],
    ['more behind the end', '[{"a":1}]\n[', 'line 2, column 1: the JSON ends before this place'],
    ['no records', '[]', 'f.json: it holds no objects'],
    ['no array', '{"a":1}', 'f.json: it has no list of rows; write it as a list of objects'],
    ['no JSON', 'hello', 'line 1, column 1: expected a JSON array or object'],
    ['a million brackets', `[{"a":${nested}`, 'column 2: the file ends inside the value'],
    [
      'a million brackets and their ends',
      `[{"a":${nested}${']'.repeat(1_000_000)}}]`,
      'line 1, column 107: nested over 100 levels deep',
    ],
  ])('%s', async (_, text, message) => {
    const failed = readJson(pieces(text, 100_000), 'f.json');
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toThrow(/^f\.json[^\n]*$/);
  });

  test('in a line of NDJSON', async () => {
    await expect(ndjson('{"a":1}\n{"a":"x')).rejects.toThrow(
      'line 2, column 6: a text that begins',
    );
    await expect(ndjson('{"a":1}\n{"a":1}{')).rejects.toThrow(
      'line 2, column 8: the object ends before this place',
    );
  });

  test.each([
    [[0x7b, 0x7d, 0x0a, 0x61, 0xc3, 0xa9, 0xff, 0x0a], 'line 2, column 3: a byte that'],
    [[0x7b, 0xe2, 0x82], 'line 1, column 2: a byte that is not UTF-8; save the file as UTF-8'],
    [
      [0xff, 0xfe, 0x7b, 0x00],
      'line 1, column 1: the file begins like UTF-16; save the file as UTF-8',
    ],
  ])('a byte that is not UTF-8: %j', async (bytes, message) => {
    for (const length of [1, 2, 3, 100]) {
      const failed = readNdjson(pieces(Uint8Array.from(bytes), length), 'f.ndjson');
      await expect(failed).rejects.toThrow(message);
    }
  });

  test('bounds: columns, a record, a line', async () => {
    const wide = Array.from({ length: 2001 }, (_, i) => `"${i}":1`).join(',');
    await expect(json(`[{${wide}}]`)).rejects.toThrow('over 2,000 different members');
    const long = 'x'.repeat(17_000_000);
    await expect(readJson(pieces(`[{"a":"${long}"}]`, 1e6), 'f.json')).rejects.toThrow(
      'f.json, line 1, column 2: a value of over 16 million characters begins here',
    );
    await expect(readNdjson(pieces(`{"a":"${long}"}`, 1e6), 'f.json')).rejects.toThrow(
      'line 1: a line of over 16 million characters',
    );
  });
});

test('a value without an end is refused before it is all in memory', async () => {
  let read = 0;
  const endless = async function* () {
    yield Buffer.from('[{"a":"');
    for (; read < 100; read++) yield Buffer.alloc(1_000_000, 'x');
  };
  await expect(readJson(endless, 'f.json')).rejects.toThrow('over 16 million characters');
  expect(read).toBeLessThan(40);
  read = 0;
  await expect(readNdjson(endless, 'f.json')).rejects.toThrow('over 16 million characters');
  expect(read).toBeLessThan(20);
});

type Value = string | { readonly text: string } | readonly (readonly [string, Value])[];

const name = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom('__proto__', 'constructor', 'a', 'b', 'a.b', 'c'),
);
const literal = fc.record({
  text: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc.bigInt().map(String),
    fc.constantFrom('true', 'false', '1.50', '-0.0', '1e999'),
  ),
});
const { record } = fc.letrec<{ value: Value; record: readonly (readonly [string, Value])[] }>(
  (tie) => ({
    value: fc.oneof({ maxDepth: 3 }, fc.string({ unit: 'binary' }), literal, tie('record')),
    record: fc.uniqueArray(fc.tuple(name, tie('value')), {
      selector: ([key]) => key,
      maxLength: 6,
    }),
  }),
);

const written = (value: Value, space: string): string => {
  if (typeof value === 'string') return JSON.stringify(value);
  if ('text' in value) return value.text;
  const members = value.map(([key, of]) => `${JSON.stringify(key)}${space}:${written(of, space)}`);
  return `{${members.join(`${space},`)}${space}}`;
};
const cellsOf = (value: Value, way: readonly string[] = []): (readonly [string, string])[] => {
  if (typeof value === 'string') return [[JSON.stringify(way), value]];
  if ('text' in value) return [[JSON.stringify(way), value.text]];
  return value.flatMap(([key, of]) => cellsOf(of, [...way, key]));
};

test('random records read back cell for cell', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 8 }),
      fc.constantFrom('', ' ', '\t'),
      fc.integer({ min: 1, max: 40 }),
      async (records, space, length) => {
        const texts = records.map((each) => written(each, space));
        const cells = records.map((each) => new Map(cellsOf(each)));
        const ways = [...new Set(cells.flatMap((each) => [...each.keys()]))];
        const expected = [
          ways.map((way) => (JSON.parse(way) as string[]).join('.')),
          ...cells.map((each) => ways.map((way) => each.get(way) ?? '')),
        ];
        const asArray = pieces(`[${texts.join(`${space},\n`)}]`, length);
        const asLines = pieces(texts.join('\n'), length);
        expect(await all(await readJson(asArray, 'f.json'))).toEqual(expected);
        expect(await all(await readNdjson(asLines, 'f.json'))).toEqual(expected);
      },
    ),
    { seed: 14, numRuns: 150 },
  );
});
