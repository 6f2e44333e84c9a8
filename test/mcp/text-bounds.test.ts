import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { datasetBlock } from '../../src/block/block.ts';
import { fittingFaults, problemText } from '../../src/channels/mcp/call-tool.ts';
import { rowsInWords, rowsText, tableText } from '../../src/channels/mcp/rows-text.ts';
import type { ProblemDetails } from '../../src/problem/problem.ts';
import type { RowsParams } from '../../src/query/answer-in-words.ts';
import type { FilterHelp } from '../../src/query/why-empty.ts';
import { anyCharacter } from '../support/any-character.ts';

/** About 2,000 tokens: what no answer's text is over, whatever is in it. */
const MOST_CHARACTERS = 8000;

const names = Array.from({ length: 40 }, (_, i) => `field_${i}`);
const block = datasetBlock({
  id: 'wide',
  name: 'wide',
  title: 'Wide',
  description: 'Forty texts.',
  noun: 'rows',
  fields: names.map((name) => ({ type: 'text', name, title: name })),
  examples: [],
});

const manifest = { block: 'wide', version: 'v', rows: 1000 };
const linesOf = (given: Record<string, unknown>, params: RowsParams) =>
  rowsText(rowsInWords(block, given, params, manifest, 'https://a/'));

const SEED = { seed: 7, numRuns: 100 };
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.string({ minLength: 256, maxLength: 300 }),
);

describe('the text of an answer', () => {
  test('is bounded, well-formed, and has a line for a row, whatever is in the rows', () => {
    const row = fc.record(Object.fromEntries(names.map((name) => [name, fc.option(text)])));
    const rows = fc.array(row, { minLength: 1, maxLength: 30 });
    const values = fc.dictionary(
      fc.constantFrom(...names),
      fc.array(text, { minLength: 1, maxLength: 20 }),
    );
    const keysOfRows = fc.array(text.map(encodeURIComponent), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(rows, values, keysOfRows, (results, given, keys) => {
        const params = { results, count: results.length, total: 5000, next: 'x'.repeat(1024) };
        const addresses = keys.slice(0, results.length).map((key) => `wide/rows/${key}`);
        const lines = linesOf(given, { ...params, addresses });
        expect(lines.join('\n').length).toBeLessThanOrEqual(MOST_CHARACTERS);
        expect(lines.join('\n').isWellFormed()).toBe(true);
        const table = lines.slice(1).filter((line) => line.split(' | ').length > 1);
        expect(table.length).toBeGreaterThanOrEqual(2);
        expect(new Set(table.map((line) => line.split(' | ').length)).size).toBe(1);
      }),
      SEED,
    );
  });

  test('has an address in full or not at all', () => {
    const keys = ['a', 'b'.repeat(120), 'c'.repeat(121)];
    const { lines } = tableText(['n'], [{ n: 1 }, { n: 2 }, { n: 3 }], keys);
    expect(lines).toEqual(['n | <row>', '1 | a', `2 | ${keys[1]}`, '3 | -']);
  });

  test('is bounded where no row matches and every filter has help', () => {
    const help: FilterHelp[] = names.map((name) => ({
      parameters: [name],
      alone: 0,
      without: 9,
      empties: true,
      containing: 3,
      nearest: ['x'.repeat(250), 'y'.repeat(250), 'z'.repeat(250)],
    }));
    const given = Object.fromEntries(names.map((name) => [name, Array(5).fill('x'.repeat(256))]));
    const params = { results: [], count: 0, total: 0, next: null, help };
    const told = linesOf(given, params).join('\n');
    expect(told.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(told.match(/Did you mean/g)).toHaveLength(8);
  });

  test('of a refusal is bounded, and tells each fault once', () => {
    const errors = Array.from({ length: 50 }, (_, i) => ({
      code: 'unknown-parameter' as const,
      detail: `${i % 25} ${'x'.repeat(1000)}`,
      allowed: names.map((name) => name.repeat(5)),
    }));
    const problem: ProblemDetails = {
      type: '',
      title: 'The arguments are not valid',
      status: 400,
      detail: '',
      instance: 'urn:uuid:0',
      code: 'invalid-arguments',
      errors,
      _errors: [],
    };
    const lines = problemText(problem, 3);
    expect(lines.join('\n').length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(lines).toContain('15 more are in structuredContent.');
    expect(lines).toContain('3 more are left out.');
  });
});

describe('the faults of a refusal as data', () => {
  const fault = { code: 'not-text' as const, detail: 'x'.repeat(900), parameter: 'a' };

  test('are as many as fit, at least one', () => {
    const many = fittingFaults(Array(50).fill(fault));
    expect(many.length).toBeGreaterThan(10);
    expect(JSON.stringify(many).length).toBeLessThanOrEqual(16_100);
    const long = { ...fault, detail: 'x'.repeat(50_000) };
    expect(fittingFaults([long, long])).toEqual([long]);
  });

  test('have no pointer that is longer than a fault', () => {
    const pointed = { ...fault, pointer: '#/a' };
    const long = { ...fault, pointer: `#/${'a'.repeat(1000)}` };
    expect(fittingFaults([pointed, long])).toEqual([pointed, fault]);
  });
});

describe('a table', () => {
  test('has as many rows as fit, at least one, and says how many', () => {
    const rows = Array.from({ length: 50 }, (_, i) => ({ a: i, b: 'x'.repeat(i * 10) }));
    const { lines, shown } = tableText(['a', 'b'], rows);
    expect(shown).toBe(20);
    expect(lines).toHaveLength(21);
    const wide = Array.from({ length: 5 }, () =>
      Object.fromEntries(names.map((name) => [name, 'x'.repeat(100)])),
    );
    expect(tableText(names, wide).shown).toBe(1);
  });

  test('keeps what looks like its own marks out of its cells', () => {
    const { lines } = tableText(['a', 'b'], [{ a: 'x | y\nz', b: null }]);
    expect(lines).toEqual(['a | b', 'x y z | -']);
  });
});
