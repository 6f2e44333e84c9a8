import { describe, expect, test } from '@jest/globals';
import { faultTexts } from '../../src/channels/chat/usage.ts';
import type { Fault } from '../../src/problem/errors.ts';
import { described } from './described.ts';

const census = described('census-neighborhoods');
const fault = (parameter: string, detail: string, more: Partial<Fault> = {}): Fault => ({
  code: 'not-text',
  detail,
  parameter,
  ...more,
});

describe('what a block refused, as a line would say it', () => {
  test('has the names that were typed', () => {
    const typed = new Map([
      ['persons_per_acre_min', 'density'],
      ['neighborhood_1', 'neighborhood_1'],
    ]);
    const faults = [
      fault('persons_per_acre_min', 'persons_per_acre_min is 1.'),
      fault('neighborhood_1', 'neighborhood_1 is 2.'),
    ];
    expect(faultTexts(census, typed, faults)).toEqual(['density is 1.', 'neighborhood_1 is 2.']);
  });

  test('has the shortest of a name that was not typed', () => {
    const detail = 'persons_per_acre_min is 2 and persons_per_acre_max is 1.';
    const faults = ['persons_per_acre_min', 'persons_per_acre_max'].map((name) =>
      fault(name, detail),
    );
    expect(faultTexts(census, new Map(), faults)).toEqual([
      'density_min is 2 and density_max is 1.',
    ]);
  });

  test('leaves a value as it was sent, and a name that is none of the faults', () => {
    const detail =
      'neighborhood_1 is "neighborhood_1 \\" neighborhood_1", not persons_per_acre_min.';
    expect(faultTexts(census, new Map(), [fault('neighborhood_1', detail)])).toEqual([
      'name is "neighborhood_1 \\" neighborhood_1", not persons_per_acre_min.',
    ]);
  });

  test('leaves a name that no term has, and one of every object', () => {
    const faults = [fault('toString', 'toString is not known.'), fault('x', 'constructor x')];
    expect(faultTexts(census, new Map(), faults)).toEqual([
      'toString is not known.',
      'constructor x',
    ]);
  });

  test('says a suggestion once', () => {
    const faults = [
      fault('_format', 'Did you mean csv?', { suggestion: 'csv' }),
      fault('_format', 'Not so.', { suggestion: 'csv' }),
    ];
    expect(faultTexts(census, new Map(), faults)).toEqual([
      'Did you mean csv?',
      'Not so. Did you mean csv?',
    ]);
  });
});
