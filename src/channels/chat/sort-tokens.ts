import { isBlank } from '../../arguments/given.ts';
import type { BlockDescription } from '../../block/describe-block.ts';
import { MOST_FAULTS } from '../../problem/errors.ts';
import { parseDecimal, suggestDecimal } from '../../text/decimal.ts';
import { shorten } from '../../text/wording.ts';
import { type FindTerm, isNumeric, type Term } from './command.ts';
import { inQuotes, quotedIfNeeded, type Token } from './tokenize.ts';

/** Tokens by the terms that they name, the free text, and a fault for each wrong token. */
type Sorted = {
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
  if (name === '') {
    return `${shorten(written)} has no name before it. Write name:value without spaces, or text within quotes.`;
  }
  if (name !== undefined && term === undefined) return unknownName(token, terms);
  const next = valueAfter(tokens, i);
  if (term !== undefined && name !== undefined && sign !== ':') {
    return `${shorten(written)} is not read here. Write ${howToWrite(term, name, value || (next ?? ''))}.`;
  }
  if (!isBlank(value)) return undefined;
  const fix =
    name !== undefined && next !== undefined
      ? `Write ${name}:${quotedIfNeeded(shorten(next))} without a space.`
      : 'Write one, or leave it out.';
  return `${shorten(written)} has no value. ${fix}`;
}

/** The ways to write a range, or a name with its value. */
function howToWrite(term: Term, name: string, value: string): string {
  if (term.kind === 'one')
    return `${name}:${value === '' ? 'value' : quotedIfNeeded(shorten(value))}`;
  const [from, to] = exampleEnds(isNumeric(term));
  return `${name}:${from}.., ${name}:..${to}, ${name}:${from}..${to} or ${name}:${from}; both ends count`;
}

function unknownName({ name = '', sign, value }: Token, terms: FindTerm): string {
  const near = terms.near(name);
  const text = inQuotes(shorten(`${name}${sign}${value}`));
  const asText = terms.main === undefined ? '' : ` As text, write ${terms.main}:${text}.`;
  const fix =
    near === undefined
      ? `help after the block lists them.${asText}`
      : `Did you mean ${near}:${quotedIfNeeded(shorten(value))}?`;
  return `“${shorten(name)}” is not a name of this block. ${fix}`;
}

/** The text after a token, which a space may have separated from it. */
function valueAfter(tokens: readonly Token[], i: number): string | undefined {
  const next = tokens[i + 1];
  return next?.name === undefined ? next?.value : undefined;
}

type Ends = { readonly low?: string; readonly high?: string };

/**
 * Reads `400..`, `..500` and `400..500` as ends, and `400` as a value; phones turn dots into `…`.
 * Otherwise returns how to write `name`. Ends that are not numbers are left to the service.
 */
export function readRange(
  name: string,
  text: string,
  isNumber: boolean,
): Ends | { value: string } | { fault: string } {
  const value = text.trim().replaceAll('…', '..');
  const written = `${name}:${shorten(text)}`;
  const wrong = (why: string) => ({ fault: `${written}: ${why}` });
  const [from, to] = exampleEnds(isNumber);
  if (value.includes('...')) return wrong(`a range has two dots, such as ${name}:${from}..${to}.`);
  const ends = value.split('..').map((end) => end.trim());
  if (ends.length > 2) return wrong(`a range has two ends, such as ${name}:${from}..${to}.`);
  if (ends.every((end) => end === '')) {
    return wrong(
      `no end is given. Write ${name}:${from}.., ${name}:..${to} or ${name}:${from}..${to}.`,
    );
  }
  const [low = '', high = low] = ends;
  if (isNumber) {
    const bad = ends.find((end) => end !== '' && parseDecimal(end) === undefined);
    if (bad !== undefined) return wrong(notANumber(name, bad, ends));
    if (isAbove(low, high)) {
      return wrong(`it ends before it begins. Write ${name}:${high}..${low}.`);
    }
  }
  if (ends.length === 1) return { value };
  return { low: low === '' ? undefined : low, high: high === '' ? undefined : high };
}

/** Two ends for examples of a range: numbers or dates. */
export function exampleEnds(isNumber: boolean): readonly [string, string] {
  return isNumber ? ['400', '500'] : ['2020', '2021'];
}

function isAbove(low: string, high: string): boolean {
  return low !== '' && high !== '' && Number(low) > Number(high);
}

function notANumber(name: string, bad: string, ends: readonly string[]): string {
  const fixed = suggestDecimal(bad);
  const fix =
    fixed === undefined
      ? `${name}:400.., ${name}:..500, ${name}:400..500 or ${name}:400`
      : `${name}:${ends.map((end) => (end === bad ? fixed : shorten(end))).join('..')}`;
  return `“${shorten(bad)}” is not a number. Write ${fix} instead.`;
}
