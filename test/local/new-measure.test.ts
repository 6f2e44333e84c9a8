import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { command } from '../support/command.ts';
import { recipes, TREES, type Tree } from '../support/recipes.ts';
import { callers, type Service } from '../support/service.ts';

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

let blockyard: string;
let checkout: string;
let service: Service;
beforeAll(async () => {
  const made = await recipes();
  blockyard = made.installed;
  checkout = made.checkout;
  service = { ...callers(made.url), log: [], close: async () => {} };
});

describe('a measure is a file and a line: ranges are', () => {
  const all: readonly Tree[] = [...TREES, { kind: 'oak', tenths: 125 }];
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
    expect(text).toContain('value="range:height" selected="">range of Height<');
    expect(text).toContain('Range of Height');
  });

  test('in CSV', async () => {
    const { text } = await service.get(
      '/api_v2/blocks/trees?_group=kind&_measure=range:height&_format=csv&_limit=1',
    );
    expect(text.split('\r\n')[0]).toBe('kind,range_height');
  });

  test("in the client's types", async () => {
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
