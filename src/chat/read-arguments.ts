import type { BlockDescription } from '../block/describe-block.ts';
import { MOST_FAULTS } from '../problem/errors.ts';
import { shorten } from '../values/wording.ts';
import { readColor } from './color-text.ts';
import type { Understood } from './command.ts';
import { inQuotes } from './quoted.ts';
import { readChoice } from './read-choice.ts';
import { exampleEnds, readRange } from './read-range.ts';
import { sortTokens } from './sort-tokens.ts';
import { type FindTerm, findTermOf, isNumeric, type Term } from './terms.ts';
import type { Token } from './tokenize.ts';

/** The arguments that were understood, and a fault for everything that was not. */
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
      faults.push(`${shorten(other)} and ${shorten(written)} are for the same. Write one.`);
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

type Give = (name: string, value: unknown, by: Pick<Token, 'written' | 'name'>) => void;

function giveNamed(
  term: Term,
  tokens: readonly Token[],
  terms: FindTerm,
  give: Give,
): string | undefined {
  const [first, second] = tokens as [Token, ...Token[]];
  const { name = '', written } = first;
  if (second !== undefined && takesOne(term, tokens)) {
    const ends = exampleEnds(isNumeric(term)).join('..');
    const example = term.kind === 'range' ? `one range, such as ${name}:${ends}` : 'one of them';
    return `${name} is given twice: ${shorten(written)} and ${shorten(second.written)}. Write ${example}.`;
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
  const read = tokens.map((token) => readRange(name, token.value, isNumeric(term)));
  const wrong = read.flatMap((one) => ('fault' in one ? [one.fault] : []));
  if (wrong.length > 0) return wrong.join(' ');
  const values = read.flatMap((one) => ('value' in one ? [one.value] : []));
  if (values.length > 0) give(term.is.name, second === undefined ? values[0] : values, by);
  for (const ends of read) {
    if (!('low' in ends || 'high' in ends)) continue;
    if (ends.low !== undefined) give(term.low.name, ends.low, by);
    if (ends.high !== undefined) give(term.high.name, ends.high, by);
  }
  return undefined;
}

/** The name that was typed, in the term's own case. */
function spelled({ names }: Term, name: string): string {
  const lower = name.toLowerCase();
  return names.find((one) => one.toLowerCase() === lower) ?? name;
}

/** Whether several values for a term are a fault here; other lists are for the service to judge. */
function takesOne(term: Term, tokens: readonly Token[]): boolean {
  if (term.kind === 'one') return term.parameter.list !== true;
  return tokens.some(({ value }) => /\.\.|…/.test(value));
}

/** Gives free text to the main parameter or, if a block takes a colour, reads it as a colour. */
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
    return `${block.name} takes no free text: “${shorten(text)}”. Write name:value; help after the block lists the names.`;
  }
  const channels = readColor(text);
  if (channels === undefined) {
    return `“${shorten(text)}” is not a colour. Write it as #ff7f50, #f75 or 255 127 80.`;
  }
  for (const [i, channel] of channels.entries()) {
    give(color.channels[i] as string, channel, { written: text });
  }
  return undefined;
}

/** The fault of free text beside the same parameter's value, most likely for lack of quotes. */
function bothWays(text: string, { name, value, written }: Token): string {
  return `${shorten(written)} and the free text “${shorten(text)}” are for the same. Write ${name}:${inQuotes(shorten(`${value} ${text}`))} or one of them.`;
}
