import { parseDecimal } from '../values/decimal.ts';
import { shorten } from '../values/wording.ts';
import { quoted } from './quoted.ts';
import { exampleEnds } from './read-range.ts';
import { type FindTerm, isNumeric, type Term } from './terms.ts';
import type { Token } from './tokenize.ts';

// Comparison signs of other languages, which are answered with how to write the same here.

const SIGNS = /^[<>=≤≥：]+/;

/** Whether a number or range value begins with a comparison sign: `number:>400`. */
export function isComparison(term: Term, value: string): boolean {
  return (term.kind === 'range' || isNumeric(term)) && SIGNS.test(value.trimStart());
}

/** The fault that tells how to write `number>400`, `number:<=500` or `category=retail`. */
export function comparisonFault(term: Term, tokens: readonly Token[], i: number): string {
  const { name = '', sign = '', value, written } = tokens[i] as Token;
  return howToWrite(term, name, `${sign}${value || valueAfter(tokens, i) || ''}`, written);
}

/** The fault of a sign without a name before it; the name may be the token before. */
export function looseSignFault(tokens: readonly Token[], i: number, terms: FindTerm): string {
  const { sign = '', value, written } = tokens[i] as Token;
  const before = tokens[i - 1];
  const name = before?.name === undefined ? before?.value : undefined;
  const term = name === undefined ? undefined : terms.find(name);
  if (term !== undefined && name !== undefined) {
    return howToWrite(term, name, `${sign}${value || valueAfter(tokens, i) || ''}`, written);
  }
  return `${shorten(written)} has no name before it. Write name:value, or text within quotes.`;
}

/** The text after a token, which a space may have separated from it. */
export function valueAfter(tokens: readonly Token[], i: number): string | undefined {
  const next = tokens[i + 1];
  return next?.name === undefined ? next?.value : undefined;
}

function howToWrite(term: Term, name: string, signed: string, written: string): string {
  const text = signed.replace(/^:/, '').trim();
  const [signs = ''] = SIGNS.exec(text) ?? [];
  const bare = text.slice(signs.length).trim();
  const plain = bare === '' ? '' : quoted(shorten(bare));
  if (signs === '' && bare !== '') return `Write ${name}:${plain} without a space.`;
  const isValue = isNumeric(term) ? parseDecimal(bare) !== undefined : bare !== '';
  if (term.kind === 'range' && isValue) {
    const isLow = /[>≥]/.test(signs);
    const isHigh = /[<≤]/.test(signs);
    const range = isLow ? `${plain}..` : isHigh ? `..${plain}` : plain;
    const ends = isLow || isHigh ? `both ends count: ${plain} is in it` : 'both ends are the same';
    return `${signs} is not read here. Write ${name}:${range} (${ends}).`;
  }
  const [from, to] = exampleEnds(isNumeric(term));
  const wanted =
    term.kind === 'range'
      ? `${name}:${from}.., ${name}:..${to}, ${name}:${from}..${to} or ${name}:${from}; both ends count`
      : `${name}:${bare === '' ? 'value' : plain}`;
  return `${shorten(written)} is not read here. Write ${wanted}.`;
}
