import type { BlockDescription } from '../core/describe-block.ts';
import { MOST_FAULTS } from '../core/errors.ts';
import { isBlank } from '../core/normalise.ts';
import { readColor } from './color-text.ts';
import type { Understood } from './command.ts';
import { comparisonFault, isComparison, looseSignFault, valueAfter } from './comparison.ts';
import { inQuotes, quoted } from './quoted.ts';
import { readChoice } from './read-choice.ts';
import { readRange } from './read-range.ts';
import { shortened } from './shortened.ts';
import { type FindTerm, findTermOf, type Term } from './terms.ts';
import type { Token } from './tokenize.ts';

/** What was understood, and everything that was not. */
export type Read = Understood & { readonly faults: readonly string[] };

/** Reads what follows a block on a line. */
export function readArguments(tokens: readonly Token[], block: BlockDescription): Read {
  const terms = findTermOf(block);
  const { faults, named, free } = sortTokens(tokens, terms, block);
  const given: Record<string, unknown> = Object.create(null);
  const typed = new Map<string, string>();
  const givenBy = new Map<string, string>();
  const give: Give = (name, value, { written, name: typedName }) => {
    const other = givenBy.get(name);
    if (other !== undefined) {
      faults.push(`${shortened(other)} and ${shortened(written)} are for the same. Write one.`);
      return;
    }
    given[name] = value;
    givenBy.set(name, written);
    if (typedName !== undefined) typed.set(name, typedName);
  };
  for (const [term, ofTerm] of named) {
    const fault = giveNamed(term, ofTerm, terms, give);
    if (fault !== undefined) faults.push(fault);
  }
  if (free.length > 0) {
    const ofName = (name: string) => named.get(terms.find(name) as Term);
    const text = free.map(({ value }) => value).join(' ');
    const fault = giveFree(text, block, ofName, give);
    if (fault !== undefined) faults.push(fault);
  }
  return { arguments: given, typed, faults: faults.slice(0, MOST_FAULTS) };
}

type Sorted = {
  readonly faults: string[];
  readonly named: ReadonlyMap<Term, readonly Token[]>;
  readonly free: readonly Token[];
};

/** Tokens by what they are for; what is wrong with one is told, and it is for nothing. */
function sortTokens(
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
      // Its name or its value stood by itself.
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
 * The free text behind a text's value, which most likely belongs to it: `food and drink` that is
 * not in quotes. No option has blanks in it; where the free text is the same parameter's, that is
 * told elsewhere.
 */
function restOf(
  tokens: readonly Token[],
  i: number,
  term: Term,
  options: BlockDescription['options'],
): Token[] {
  const { value, isQuoted } = tokens[i] as Token;
  if (term.kind === 'range' || term.parameter.type !== 'text' || term.parameter.main) return [];
  if (isQuoted || /\s/.test(value) || options.includes(term.parameter)) return [];
  const next = tokens.findIndex(({ name }, at) => at > i && name !== undefined);
  // Before a sign that stands alone there is its name.
  const end = tokens[next]?.name === '' ? next - 1 : next;
  return tokens.slice(i + 1, next < 0 ? undefined : end);
}

function fellApart({ name, value, written }: Token, rest: readonly Token[]): string {
  const text = rest.map((token) => token.value).join(' ');
  const whole = `${name}:${inQuotes(shortened(`${value} ${text}`))}`;
  return `${shortened(written)} fell apart at a blank: “${shortened(text)}” is read as free text. Write ${whole} for one value, or the free text first.`;
}

type Give = (name: string, value: unknown, by: Pick<Token, 'written' | 'name'>) => void;

/** What is wrong with a token, by itself and with its neighbours. */
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
      ? `Write ${name}:${quoted(shortened(next))} without a space.`
      : 'Write one, or leave it out.';
  return `${shortened(written)} has no value. ${fix}`;
}

function unknownName({ name = '', sign, value }: Token, terms: FindTerm): string {
  const near = terms.near(name);
  const text = inQuotes(shortened(`${name}${sign}${value}`));
  const asText = terms.main === undefined ? '' : ` As text, write ${terms.main}:${text}.`;
  const fix =
    near === undefined
      ? `help after the block lists them.${asText}`
      : `Did you mean ${near}:${quoted(shortened(value))}?`;
  return `“${shortened(name)}” is not a name of this block. ${fix}`;
}

function giveNamed(
  term: Term,
  tokens: readonly Token[],
  terms: FindTerm,
  give: Give,
): string | undefined {
  const [first, second] = tokens as [Token, ...Token[]];
  const { name = '', value, written } = first;
  if (second !== undefined && takesOne(term)) {
    const example = term.kind === 'range' ? `one range, such as ${name}:400..500` : 'one of them';
    return `${name} is given twice: ${shortened(written)} and ${shortened(second.written)}. Write ${example}.`;
  }
  const by = { written, name: spelled(term, name) };
  if (term.kind === 'one') {
    const read = tokens.map((token) => readChoice(term.parameter, token.value, terms));
    const wrong = read.flatMap((one) => ('fault' in one ? [one.fault] : []));
    if (wrong.length > 0) return wrong.join(' ');
    const values = read.flatMap((one) => ('value' in one ? [one.value] : []));
    give(term.parameter.name, second === undefined ? values[0] : values, by);
    return undefined;
  }
  const ends = readRange(name, value);
  if ('fault' in ends) return ends.fault;
  if (ends.low !== undefined) give(term.low.name, ends.low, by);
  if (ends.high !== undefined) give(term.high.name, ends.high, by);
  return undefined;
}

/** A term's name as it was typed, but for its case. */
function spelled({ names }: Term, name: string): string {
  const lower = name.toLowerCase();
  return names.find((one) => one.toLowerCase() === lower) ?? name;
}

/** The service refuses a list where one choice belongs; of these it would say nothing better. */
function takesOne(term: Term): boolean {
  return term.kind === 'range' || term.parameter.list !== true;
}

/** Free text goes to the main parameter; where a block takes a colour, it is one. */
function giveFree(
  text: string,
  block: BlockDescription,
  ofName: (name: string) => readonly Token[] | undefined,
  give: Give,
): string | undefined {
  const { parameters, color } = block;
  const main = parameters.find((parameter) => parameter.main === true);
  if (main !== undefined) {
    const named = ofName(main.name)?.[0];
    if (named !== undefined) return bothWays(text, named);
    give(main.name, text, { written: text });
    return undefined;
  }
  if (color === undefined) {
    return `${block.name} takes no free text: “${shortened(text)}”. Write name:value; help after the block lists the names.`;
  }
  const channels = readColor(text);
  if (channels === undefined) {
    return `“${shortened(text)}” is not a colour. Write it as #ff7f50, #f75 or 255 127 80.`;
  }
  for (const [i, channel] of channels.entries()) {
    give(color.channels[i] as string, channel, { written: text });
  }
  return undefined;
}

/** Most likely a value of several words that is not in quotes. */
function bothWays(text: string, { name, value, written }: Token): string {
  return `${shortened(written)} and the free text “${shortened(text)}” are for the same. Write ${name}:${inQuotes(shortened(`${value} ${text}`))} or one of them.`;
}
