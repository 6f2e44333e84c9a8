import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addBlock, copyCheckout, installed } from '../support/checkout.ts';
import { command } from '../support/command.ts';
import { cleanUp, startServer } from '../support/process.ts';
import { callers, type Service } from '../support/service.ts';

/** A measure that is not among ours: how far the greatest number lies from the least. */
const RANGE = `import { exactDecimal, nearestOf, unitsAt } from '../text/decimal.ts';
import { isNumeric } from '../values/field-types.ts';
import type { MatchingValues, MeasureKind, Aggregate } from './measure.ts';

export const range: MeasureKind<Ends> = {
  title: 'Range of',
  of: isNumeric,
  type: 'number',
  rankInForm: 6,
  aggregate: (mostGroups) => new Ends(mostGroups),
  results: ({ least, greatest }, groups) =>
    Array.from(groups, (group) => {
      const [low, high] = [least[group] as number, greatest[group] as number];
      return low > high ? null : difference(high, low);
    }),
};

class Ends implements Aggregate {
  readonly steps = 1;
  readonly least: Float64Array;
  readonly greatest: Float64Array;

  constructor(mostGroups: number) {
    this.least = new Float64Array(mostGroups).fill(Number.POSITIVE_INFINITY);
    this.greatest = new Float64Array(mostGroups).fill(Number.NEGATIVE_INFINITY);
  }

  add(groups: Uint16Array, { keys }: MatchingValues): void {
    for (const [i, group] of groups.entries()) {
      const key = keys[i] as number;
      if (Number.isNaN(key)) continue;
      this.least[group] = Math.min(this.least[group] as number, key);
      this.greatest[group] = Math.max(this.greatest[group] as number, key);
    }
  }
}

function difference(high: number, low: number): number {
  const [one, other] = [exactDecimal(high), exactDecimal(low)];
  const power = Math.min(one.power, other.power);
  return nearestOf({ units: unitsAt(one, power) - unitsAt(other, power), power });
}
`;

type Tree = { readonly kind: string | null; readonly tenths: number | null };

/** Heights in tenths, so that whole numbers tell what their ranges are. */
const trees: readonly Tree[] = fc.sample(
  fc.record({
    kind: fc.option(fc.constantFrom('elm', 'lime', 'oak', 'sallow'), { freq: 9 }),
    tenths: fc.option(fc.integer({ min: -50, max: 400 }), { freq: 6 }),
  }),
  { numRuns: 60, seed: 25 },
);

function naiveRanges(some: readonly Tree[]) {
  const kinds = [...new Set(some.map(({ kind }) => kind))].sort((a, b) =>
    a === null || b === null ? (a === null ? 1 : -1) : a < b ? -1 : 1,
  );
  return kinds.map((kind) => {
    const heights = some.flatMap((tree) =>
      tree.kind === kind && tree.tenths !== null ? [tree.tenths] : [],
    );
    const range = heights.length === 0 ? null : Math.max(...heights) - Math.min(...heights);
    return { kind, range_height: range === null ? null : range / 10 };
  });
}

let checkout: string;
/** It as it is installed. */
let blockyard: string;
let service: Service;
beforeAll(async () => {
  checkout = await copyCheckout();
  await writeFile(path.join(checkout, 'src/measures/range.ts'), RANGE);
  const list = path.join(checkout, 'src/measures/measures.ts');
  const text = await readFile(list, 'utf8');
  // One file, and one line in the list, which is an import and a name.
  await writeFile(
    list,
    `import { range } from './range.ts';\n${text.replace('median };', 'median, range };')}`,
  );
  await addBlock(checkout, {
    name: 'trees',
    fields: [
      { type: 'text', name: 'kind', title: 'Kind', main: true },
      { type: 'number', name: 'height', title: 'Height', unit: 'metres', alias: 'tall' },
      { type: 'date', name: 'planted', title: 'Planted' },
    ],
    csv: [
      'kind,height,planted',
      ...trees.map(({ kind, tenths }) => `${kind ?? ''},${tenths === null ? '' : tenths / 10},`),
      'oak,12.5,1990-05-17',
    ].join('\n'),
  });
  blockyard = await installed(checkout);
  const { url } = await startServer(
    {
      DATA_DIR: path.join(checkout, 'data'),
      BLOCKYARD_BLOCKS: checkout,
    },
    blockyard,
  );
  service = { ...callers(url), log: [], close: async () => {} };
});
afterAll(cleanUp);

describe('a measure is a file and a line: ranges are', () => {
  const all: readonly Tree[] = [...trees, { kind: 'oak', tenths: 125 }];
  const ranges = { _group: 'kind', _measure: 'range:height' };

  test('answered, as read naively', async () => {
    const { body } = await service.post('trees', ranges);
    expect(body.params.results).toEqual(naiveRanges(all));
    const low = await service.post('trees', { ...ranges, height_max: '3.1' });
    const matching = all.filter(({ tenths }) => tenths !== null && tenths <= 31);
    expect(low.body.params.results).toEqual(naiveRanges(matching));
  });

  test('beside the other measures, and sorted by', async () => {
    const { body } = await service.post('trees', {
      _measure: 'max:height,range:height,min:height',
    });
    const [of] = body.params.results;
    expect(of.range_height).toBeCloseTo(of.max_height - of.min_height, 9);
    const sorted = await service.post('trees', { ...ranges, _sort: '-range_height' });
    expect(sorted.status).toBe(200);
  });

  test('of numbers alone', async () => {
    const { status, body } = await service.post('trees', { _measure: 'range:planted' });
    expect([status, body.errors[0].code]).toEqual([400, 'not-a-choice']);
    expect(body.errors[0].allowed).toContain('range:height');
  });

  test('described, with their schema', async () => {
    const { body } = await service.get('/api_v2/blocks/trees');
    const { _measure: measure } = body.input_schema.properties;
    expect(measure.description).toContain('median and range with a field');
    expect(JSON.stringify(measure)).toContain('median|range|share:sum|p[1-9][0-9]):(?:height)');
  });

  test('in the OpenAPI document', async () => {
    const { text } = await service.get('/openapi.json');
    expect(text).toContain('median|range|share:sum|p[1-9][0-9]):(?:height)');
  });

  test('on the page: in the form and in words', async () => {
    const { text } = await service.get('/api_v2/blocks/trees?_group=kind&_measure=range:height', {
      accept: 'text/html',
    });
    expect(text).toContain('<optgroup label="Range of">');
    expect(text).toContain('value="range:height" selected');
    expect(text).toContain('Range of height');
  });

  test('in CSV', async () => {
    const { text } = await service.get(
      '/api_v2/blocks/trees?_group=kind&_measure=range:height&_format=csv&_limit=1',
    );
    expect(text.split('\r\n')[0]).toBe('kind,range_height');
  });

  test("in the client's types", async () => {
    const { code } = await command(process.execPath, ['--import', 'tsx', 'bin/generate.ts'], {
      cwd: checkout,
      env: { PATH: process.env.PATH },
    });
    expect(code).toBe(0);
    const types = await readFile(path.join(checkout, 'client/src/blocks.ts'), 'utf8');
    expect(types).toContain('median and range with a field');
  });

  test('in a tool of MCP', async () => {
    const { text } = await service.send('/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(text).toContain('count, sum:field, avg, min, max, median, range, distinct');
  });

  test('in chat and on the command line, by a field’s short name', async () => {
    const typed = await command(
      process.execPath,
      [
        'bin/blockyard.js',
        'run',
        'trees',
        '_group:kind',
        '_measure:range:tall',
        '--url',
        service.url,
      ],
      { cwd: blockyard, env: { PATH: process.env.PATH } },
    );
    const [, ...lines] = typed.output.split('\n');
    const shown = naiveRanges(all).map(({ kind, range_height: range }) => [kind ?? '', `${range}`]);
    expect(lines.slice(0, shown.length).map((line) => line.trim().split(/\s+/))).toEqual(
      shown.map((cells) => cells.filter((cell) => cell !== '')),
    );
  });
});
