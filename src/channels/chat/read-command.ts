import { isBlank, type Members } from '../../arguments/given.ts';
import type { BlockDescription, DescribedParameter } from '../../block/describe-block.ts';
import { COLUMN_OF_GROUPS } from '../../block/grouping.ts';
import { MOST_FAULTS } from '../../problem/errors.ts';
import { parseDecimal } from '../../text/decimal.ts';
import { fold } from '../../text/fold.ts';
import { nearName } from '../../text/near-name.ts';
import { listInWords, numberText, shorten } from '../../text/wording.ts';
import {
  type Command,
  type FindTerm,
  fieldOf,
  findBlock,
  findTermOf,
  isNumeric,
  shortNameOf,
  type Term,
  type Understood,
} from './command.ts';
import { exampleEnds, readRange, sortTokens } from './sort-tokens.ts';
import { inQuotes, type Token } from './tokenize.ts';

/**
 * What a line asks for: a block and its arguments, or help. A line that is not fully understood is
 * invalid, with how to write it; a token is never silently dropped.
 */
export function readCommand(
  tokens: readonly Token[],
  blocks: readonly BlockDescription[],
): Command {
  const [first, second] = tokens;
  if (first === undefined) return { kind: 'help' };
  // An unclosed quote includes the rest of the line, so it is in the last token.
  const unclosed = tokens.at(-1)?.isUnclosed === true ? tokens.at(-1) : undefined;
  if (unclosed !== undefined && (unclosed === first || isHelp(first)))
    return { kind: 'invalid', faults: [notClosed(unclosed)] };
  if (isHelp(first)) {
    if (second === undefined) return { kind: 'help' };
    if (tokens.length === 2) return helpWith(second, blocks);
    return { kind: 'invalid', faults: ['help takes nothing, or one block.'] };
  }
  const found = blockOf(first, blocks);
  if (found.kind === 'invalid') return found;
  const { block } = found;
  const rest = tokens.slice(1);
  if (second === undefined || (rest.length === 1 && isHelp(second))) return { kind: 'help', block };
  const { faults, ...understood } = readArguments(
    rest.filter((token) => token !== unclosed),
    block,
  );
  const all = unclosed === undefined ? faults : [notClosed(unclosed), ...faults];
  return all.length === 0
    ? { kind: 'run', block, ...understood }
    : { kind: 'invalid', block, faults: firstOf(all), understood };
}

/** As many faults as an answer lists. Reading stops at the last of them, so that the rest is not counted. */
function firstOf(faults: readonly string[]): readonly string[] {
  if (faults.length < MOST_FAULTS) return faults;
  return [
    ...faults.slice(0, MOST_FAULTS),
    `These are the first ${MOST_FAULTS} faults of the line. There may be more.`,
  ];
}

function isHelp({ name, value, isQuoted }: Token): boolean {
  return name === undefined && !isQuoted && /^(?:help|\?)$/i.test(value);
}

function helpWith(word: Token, blocks: readonly BlockDescription[]): Command {
  const found = blockOf(word, blocks);
  return found.kind === 'invalid' ? found : { kind: 'help', block: found.block };
}

function notClosed({ written }: Token): string {
  return `A quote is opened and not closed in ${shorten(written)}. Close it with another "; within quotes, "" is one quote.`;
}

type Invalid = Extract<Command, { kind: 'invalid' }>;

function blockOf(
  { name, value, written }: Token,
  blocks: readonly BlockDescription[],
): { kind: 'found'; block: BlockDescription } | Invalid {
  const found = findBlock(name ?? value, blocks);
  if (name === undefined && 'block' in found) return { kind: 'found', block: found.block };
  const { candidates, haveIt } =
    'block' in found ? { candidates: [found.block], haveIt: false } : found;
  const oneOf = (some: readonly BlockDescription[]) =>
    listInWords(
      some.map((block) => shortNameOf(block, blocks)),
      'or',
    );
  if (haveIt) {
    const names = candidates.map((block) => block.name);
    const fault = `“${shorten(name ?? value)}” is in the names of several blocks. Did you mean ${listInWords(names, 'or')}?`;
    return { kind: 'invalid', faults: [fault] };
  }
  const fix =
    candidates.length > 0
      ? `Did you mean ${oneOf(candidates)}?`
      : `A line begins with a block: ${oneOf(blocks)}.`;
  return { kind: 'invalid', faults: [`“${shorten(written)}” is not a block. ${fix}`] };
}

/** The arguments that were understood, and a fault for everything that was not. */
type Read = Understood & { readonly faults: readonly string[] };

/** Reads what follows a block on a line. */
function readArguments(tokens: readonly Token[], block: BlockDescription): Read {
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
  return { arguments: given, typed, faults };
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
  const read = tokens.map(({ value }) =>
    term.kind === 'one'
      ? readChoice(term.parameter, value, terms)
      : readRange(name, value, isNumeric(term)),
  );
  const wrong = read.flatMap((one) => ('fault' in one ? [one.fault] : []));
  if (wrong.length > 0) return wrong.join(' ');
  const values = read.flatMap((one) => ('value' in one ? [one.value] : []));
  const { parameter } = term.kind === 'one' ? term : { parameter: term.is };
  if (values.length > 0) give(parameter.name, second === undefined ? values[0] : values, by);
  if (term.kind === 'one') return undefined;
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

/** Whether a second value for a term is a fault here. The service judges all other lists. */
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

/**
 * A value as the service takes it. If its choices are fields, short names become the fields' names
 * (`_sort:-density`, `_fields:name,density`), and unknown names are faults here, since the service
 * would suggest long names. Any other value stays as typed.
 */
function readChoice(
  { name, type, list = false, choices = [] }: DescribedParameter,
  value: string,
  terms: FindTerm,
): { readonly value: string } | { readonly fault: string } {
  if (name === '_measure') return { value: withWholeNames(value, terms) };
  const names = type === 'choice' ? namesOfFields(choices, terms) : undefined;
  if (names === undefined) return { value };
  // Compare as the service does.
  const folded = new Set(choices.map(fold));
  const parts = (list ? value.split(',') : [value]).map((part) => part.trim());
  const read = parts.map((part) =>
    isBlank(part) || folded.has(fold(part))
      ? part
      : (fieldNamed(part, choices, terms) ?? ofGroups(name, part, choices, terms)),
  );
  const unknown = parts.filter((_, i) => read[i] === undefined);
  return unknown.length === 0
    ? { value: read.join(',') }
    : { fault: `${name}: ${notFields(unknown, names)}` };
}

/** Short names of fields in measures become the fields' names: `sum:units`. */
function withWholeNames(value: string, terms: FindTerm): string {
  return value.replaceAll(/:([^,:]+)/g, (typed, name: string) => {
    const term = terms.find(name.trim());
    return term === undefined ? typed : `:${fieldOf(term)}`;
  });
}

/** The most unknown names to list: with more of them, something else is wrong. */
const MOST_NAMED = 3;

function notFields(unknown: readonly string[], names: readonly string[]): string {
  const named = unknown.slice(0, MOST_NAMED).map((part) => ({ part, near: nearName(part, names) }));
  const more = unknown.length - named.length;
  return [
    ...named.map(({ part, near }) => {
      const fix = near === undefined ? '' : ` Did you mean ${near}?`;
      return `“${shorten(part)}” is not a field.${fix}`;
    }),
    ...(more > 0 ? [`And ${numberText(more)} more.`] : []),
    ...(named.some(({ near }) => near === undefined) ? ['help after the block lists them.'] : []),
  ].join(' ');
}

/** The choice for the field with this short name, if there is one. */
function fieldNamed(part: string, choices: readonly string[], terms: FindTerm): string | undefined {
  const [sign, name] = signed(part);
  const term = terms.find(name);
  const choice = term === undefined ? undefined : sign + fieldOf(term);
  return choice !== undefined && choices.includes(choice) ? choice : undefined;
}

/** A part of a field, `height.10`, or a column that only groups have; undefined if it is neither. */
function ofGroups(
  name: string,
  part: string,
  choices: readonly string[],
  terms: FindTerm,
): string | undefined {
  if (name === '_sort' || name === '_fields') return COLUMN_OF_GROUPS.test(part) ? part : undefined;
  const [, whole = '', by] = /^([^.]+)\.(.+)$/.exec(part) ?? [];
  const field =
    choices.find((one) => fold(one) === fold(whole)) ?? fieldNamed(whole, choices, terms);
  return by === undefined || field === undefined ? undefined : `${field}.${by}`;
}

/** All names of each choice, the short one first; undefined if the choices are not fields. */
function namesOfFields(choices: readonly string[], terms: FindTerm): string[] | undefined {
  const found = choices.map((choice) => fieldTerm(choice, terms));
  if (found.every((term) => term === undefined)) return undefined;
  return choices.flatMap((choice, i) => {
    const [sign] = signed(choice);
    return [...new Set([...(found[i]?.names ?? []).map((name) => sign + name), choice])];
  });
}

function fieldTerm(choice: string, terms: FindTerm) {
  const [, name] = signed(choice);
  const term = terms.find(name);
  return term !== undefined && fieldOf(term) === name ? term : undefined;
}

/** Splits `-density` into its sign and its name. */
function signed(text: string): [sign: string, name: string] {
  return text.startsWith('-') ? ['-', text.slice(1)] : ['', text];
}

type Channels = readonly [string, string, string];

/** Reads `#ff7f50`, `#f75`, `ff7f50`, `255 127 80` or `255,127,80` as red, green and blue. */
function readColor(text: string): Channels | undefined {
  const hex = /^#?([0-9a-f]{6})$/i.exec(text)?.[1] ?? doubled(/^#([0-9a-f]{3})$/i.exec(text)?.[1]);
  if (hex !== undefined) {
    return [0, 2, 4].map((at) => `${Number.parseInt(hex.slice(at, at + 2), 16)}`) as never;
  }
  // Three numbers are never this long; long text is not split.
  if (text.length > 100) return undefined;
  const parts = text.trim().split(/\s*,\s*|\s+/);
  const isColor = parts.length === 3 && parts.every((part) => parseDecimal(part) !== undefined);
  return isColor ? (parts as never) : undefined;
}

/** Writes a colour as `#rrggbb` if the arguments have one. */
export function writeColor({ color }: BlockDescription, given: Members): string | undefined {
  const channels = color?.channels.map((name) =>
    Object.hasOwn(given, name) ? byteOf(given[name]) : undefined,
  );
  if (channels === undefined || channels.includes(undefined)) return undefined;
  return `#${channels.map((byte) => byte?.toString(16).padStart(2, '0')).join('')}`;
}

function byteOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? parseDecimal(value) : value;
  return Number.isInteger(number) && (number as number) >= 0 && (number as number) <= 255
    ? (number as number)
    : undefined;
}

function doubled(hex: string | undefined): string | undefined {
  return hex === undefined ? undefined : Array.from(hex, (digit) => digit + digit).join('');
}
