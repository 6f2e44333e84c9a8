import type { Members } from '../core/arguments.ts';
import type { BlockDescription } from '../core/describe-block.ts';
import { MOST_FAULTS } from '../core/errors.ts';
import { isBlank } from '../core/normalise.ts';
import { readColor } from './color-text.ts';
import { comparisonFault, isComparison, looseSignFault, valueAfter } from './comparison.ts';
import { inQuotes, quoted } from './quoted.ts';
import { readChoice } from './read-choice.ts';
import { readRange } from './read-range.ts';
import { shortened } from './shortened.ts';
import { type FindTerm, findTermOf, type Term } from './terms.ts';
import type { Token } from './tokenize.ts';

/** Arguments as a POST's body would have them, or everything that was not understood. */
export type Read = { readonly arguments: Members } | { readonly faults: readonly string[] };

/** Reads what follows a block on a line: at least one token. */
export function readArguments(tokens: readonly Token[], block: BlockDescription): Read {
  const terms = findTermOf(block);
  const faults: string[] = [];
  const free: string[] = [];
  const named = new Map<Term, Token[]>();
  for (const [i, token] of tokens.entries()) {
    if (faults.length >= MOST_FAULTS) break;
    const { name, value } = token;
    const term = name === undefined ? undefined : terms.find(name);
    const fault = faultOfToken(tokens, i, term, terms);
    if (fault !== undefined) faults.push(fault);
    else if (term === undefined) free.push(value);
    else if (named.get(term)?.push(token) === undefined) named.set(term, [token]);
  }
  if (faults.length > 0) return { faults };

  const given: Record<string, unknown> = Object.create(null);
  const givenBy = new Map<string, string>();
  const give = (name: string, value: unknown, written: string) => {
    const other = givenBy.get(name);
    if (other === undefined) given[name] = value;
    else faults.push(`${shortened(other)} and ${shortened(written)} are for the same. Write one.`);
    givenBy.set(name, written);
  };
  for (const [term, ofTerm] of named) {
    const fault = giveNamed(term, ofTerm, terms, give);
    if (fault !== undefined) faults.push(fault);
  }
  if (free.length > 0) {
    const ofName = (name: string) => named.get(terms.find(name) as Term);
    const fault = giveFree(free.join(' '), block, ofName, give);
    if (fault !== undefined) faults.push(fault);
  }
  return faults.length > 0 ? { faults: faults.slice(0, MOST_FAULTS) } : { arguments: given };
}

type Give = (name: string, value: unknown, written: string) => void;

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
  if (term.kind === 'one') {
    const values = tokens.map((token) => readChoice(term.parameter, token.value, terms));
    give(term.parameter.name, second === undefined ? values[0] : values, written);
    return undefined;
  }
  const ends = readRange(name, value);
  if ('fault' in ends) return ends.fault;
  if (ends.low !== undefined) give(term.low.name, ends.low, written);
  if (ends.high !== undefined) give(term.high.name, ends.high, written);
  return undefined;
}

/** The service refuses a list where one choice belongs; of these it would say nothing better. */
function takesOne(term: Term): boolean {
  return term.kind === 'range' || ['number', 'integer', 'boolean'].includes(term.parameter.type);
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
    give(main.name, text, text);
    return undefined;
  }
  if (color === undefined) {
    return `${block.name} takes no free text: “${shortened(text)}”. Write name:value; help after the block lists the names.`;
  }
  const channels = readColor(text);
  if (channels === undefined) {
    return `“${shortened(text)}” is not a colour. Write it as #ff7f50, #f75 or 255 127 80.`;
  }
  for (const [i, channel] of channels.entries()) give(color.channels[i] as string, channel, text);
  return undefined;
}

/** Most likely a value of several words that is not in quotes. */
function bothWays(text: string, { name, value, written }: Token): string {
  return `${shortened(written)} and the free text “${shortened(text)}” are for the same. Write ${name}:${inQuotes(shortened(`${value} ${text}`))} or one of them.`;
}
