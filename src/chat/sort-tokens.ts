import { isBlank } from '../arguments/given.ts';
import type { BlockDescription } from '../block/describe-block.ts';
import { MOST_FAULTS } from '../problem/errors.ts';
import { shorten } from '../values/wording.ts';
import { comparisonFault, isComparison, looseSignFault, valueAfter } from './comparison.ts';
import { inQuotes, quoted } from './quoted.ts';
import type { FindTerm, Term } from './terms.ts';
import type { Token } from './tokenize.ts';

/** Tokens by the terms that they name, free text, and faults of the others. */
export type Sorted = {
  readonly faults: string[];
  readonly named: ReadonlyMap<Term, readonly Token[]>;
  readonly free: readonly Token[];
};

/** Sorts tokens by the terms that they name; a wrong token becomes a fault and nothing else. */
export function sortTokens(
  tokens: readonly Token[],
  terms: FindTerm,
  { options }: BlockDescription,
): Sorted {
  const faults: string[] = [];
  const named = new Map<Term, Token[]>();
  const free = new Map<number, Token>();
  let i = 0;
  while (i < tokens.length && faults.length < MOST_FAULTS) {
    const token = tokens[i] as Token;
    const term = token.name === undefined ? undefined : terms.find(token.name);
    const fault = faultOfToken(tokens, i, term, terms);
    const rest = fault === undefined && term !== undefined ? restOf(tokens, i, term, options) : [];
    if (fault !== undefined) {
      faults.push(fault);
      // The fault covers the separate name or value beside the token, which is not free text.
      if (token.name === '') free.delete(i - 1);
      if (isBlank(token.value) && valueAfter(tokens, i) !== undefined) i++;
    } else if (rest.length > 0) {
      faults.push(fellApart(token, rest));
      i += rest.length;
    } else if (term === undefined) free.set(i, token);
    else if (named.get(term)?.push(token) === undefined) named.set(term, [token]);
    i++;
  }
  return { faults, named, free: [...free.values()] };
}

/**
 * The free text after a text value, which most likely belongs to it: `food and drink` without
 * quotes. Options have no values with blanks, and for the main parameter, to which free text goes,
 * another fault says so.
 */
function restOf(
  tokens: readonly Token[],
  i: number,
  term: Term,
  options: BlockDescription['options'],
): Token[] {
  const { value, isQuoted } = tokens[i] as Token;
  if (term.kind === 'range' || term.parameter.wildcard === undefined) return [];
  if (term.parameter.main) return [];
  if (isQuoted || /\s/.test(value) || options.includes(term.parameter)) return [];
  let end = i + 1;
  while (end < tokens.length && tokens[end]?.name === undefined) end++;
  // The token before a lone sign is the sign's name.
  return tokens.slice(i + 1, tokens[end]?.name === '' ? end - 1 : end);
}

function fellApart({ name, value, written }: Token, rest: readonly Token[]): string {
  const text = rest.map((token) => token.value).join(' ');
  const whole = `${name}:${inQuotes(shorten(`${value} ${text}`))}`;
  return `${shorten(written)} fell apart at a blank: “${shorten(text)}” is read as free text. Write ${whole} for one value, or the free text first.`;
}

/** What is wrong with a token, given its neighbours. */
function faultOfToken(
  tokens: readonly Token[],
  i: number,
  term: Term | undefined,
  terms: FindTerm,
): string | undefined {
  const token = tokens[i] as Token;
  const { name, sign, value, written } = token;
  if (name === '') return looseSignFault(tokens, i, terms);
  if (name !== undefined && term === undefined) return unknownName(token, terms);
  if (term !== undefined && (sign !== ':' || isComparison(term, value))) {
    return comparisonFault(term, tokens, i);
  }
  if (!isBlank(value)) return undefined;
  const next = valueAfter(tokens, i);
  const fix =
    name !== undefined && next !== undefined
      ? `Write ${name}:${quoted(shorten(next))} without a space.`
      : 'Write one, or leave it out.';
  return `${shorten(written)} has no value. ${fix}`;
}

function unknownName({ name = '', sign, value }: Token, terms: FindTerm): string {
  const near = terms.near(name);
  const text = inQuotes(shorten(`${name}${sign}${value}`));
  const asText = terms.main === undefined ? '' : ` As text, write ${terms.main}:${text}.`;
  const fix =
    near === undefined
      ? `help after the block lists them.${asText}`
      : `Did you mean ${near}:${quoted(shorten(value))}?`;
  return `“${shorten(name)}” is not a name of this block. ${fix}`;
}
