import type { Row } from '../../src/values/field-type.ts';
import type { Arguments } from './queries.ts';

/** What every server must answer: the first rows that match, in order, and how many match. */
export type Answer = { readonly rows: readonly Row[]; readonly total: number };

/** The answer by looking at every row; it shares no code with any server. */
export function bruteForce(rows: readonly Row[], { _limit, ...conditions }: Arguments): Answer {
  const tests = Object.entries(conditions).map(([name, value]) => testOf(name, value));
  const matching = rows.filter((row) => tests.every((test) => test(row)));
  return { rows: matching.slice(0, Number(_limit)), total: matching.length };
}

function testOf(name: string, value: string | number): (row: Row) => boolean {
  if (typeof value === 'string') {
    if (!value.includes('*')) return (row) => row[name] === value;
    const pattern = new RegExp(`^${value.split('*').map(escapeRegExp).join('.*')}$`);
    return (row) => typeof row[name] === 'string' && pattern.test(row[name]);
  }
  const field = name.slice(0, -4);
  const isLow = name.endsWith('_min');
  return (row) => {
    const given = row[field];
    return typeof given === 'number' && (isLow ? given >= value : given <= value);
  };
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
