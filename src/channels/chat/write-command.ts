import { isBlank, type Members, withoutNesting } from '../../arguments/given.ts';
import type { BlockDescription, DescribedParameter } from '../../block/describe-block.ts';
import { HANDLING } from '../../block/options.ts';
import { alternativesIn } from '../../block/parameter.ts';
import type { RowsQuestion } from '../../query/answer-in-words.ts';
import { decimalText, parseDecimal } from '../../text/decimal.ts';
import {
  alternativeTerm,
  type BlockNames,
  isFilterTerm,
  isNumeric,
  shortNameOf,
  type Term,
  termsOf,
} from './command.ts';
import { writeColor } from './read-command.ts';
import { quotedIfNeeded } from './tokenize.ts';

/**
 * The shortest line that reads as these valid arguments. `blocks` are all blocks that its reader
 * knows: the line uses one word of the block's name if that identifies it among them.
 */
export function writeCommand(
  block: BlockDescription,
  given: Members,
  blocks: readonly BlockNames[] = [],
): string {
  const parts = writeArguments(block, withoutNesting(given));
  // A block's name alone asks for help, so add an option that every block has, at its default.
  const [usual] = HANDLING.choices as readonly string[];
  const rest = parts.length > 0 ? parts : [`${HANDLING.name}:${usual}`];
  return [shortNameOf(block, blocks), ...rest].join(' ');
}

/** Arguments as written after a block's name: free text first, then each by its name. */
function writeArguments(block: BlockDescription, given: Members): string[] {
  const written = new Set<string>();
  const isOpen = (name: string) =>
    Object.hasOwn(given, name) && !isBlank(given[name]) && !written.has(name);
  const parts: string[] = [];
  const free = freeText(block, given);
  if (free !== undefined) {
    parts.push(free.text);
    for (const name of free.names) written.add(name);
  }
  for (const term of termsGiven(block, given)) {
    const names = namesGiven(term).filter(isOpen);
    // If a range has both a value and ends, the ends are written under their own names.
    const own = names[0] === term.names.at(-1) ? names.slice(0, 1) : names;
    const texts = names.length === 0 ? [] : writeTerm(term, given, own);
    parts.push(...texts);
    if (texts.length > 0) for (const name of own) written.add(name);
  }
  return parts;
}

/** The terms of a block, and those of the alternatives that are given. */
function termsGiven(block: BlockDescription, given: Members): Term[] {
  const terms = termsOf(block);
  const filters = terms.filter(isFilterTerm);
  return [
    ...terms,
    ...alternativesIn(given).flatMap(({ prefix }) =>
      filters.map((term) => alternativeTerm(term, prefix)),
    ),
  ];
}

/** The filter of these parameters as it is written on a line. */
function writeFilter(
  block: BlockDescription,
  given: Members,
  parameters: readonly string[],
): string {
  const own = parameters.filter((name) => Object.hasOwn(given, name));
  const filter = Object.fromEntries(own.map((name) => [name, given[name]]));
  return writeArguments(block, filter).join(' ') || parameters.join(', ');
}

function namesGiven(term: Term): string[] {
  return term.kind === 'range'
    ? [term.is.name, term.low.name, term.high.name]
    : [term.parameter.name];
}

/** The text to write without a name: the main parameter's value, or a colour. */
function freeText(
  block: BlockDescription,
  given: Members,
): { text: string; names: readonly string[] } | undefined {
  const main = block.parameters.find((parameter) => parameter.main === true);
  if (main === undefined) {
    const text = writeColor(block, given);
    return text === undefined ? undefined : { text, names: block.color?.channels ?? [] };
  }
  const text = Object.hasOwn(given, main.name) ? given[main.name] : undefined;
  return typeof text === 'string' && isPlain(text) ? { text, names: [main.name] } : undefined;
}

/**
 * Whether text reads the same without quotes, in chat and as a shell's arguments: it has no signs,
 * no word with another meaning, and no white space but single spaces.
 */
function isPlain(text: string): boolean {
  return (
    text.split(' ').every((word) => /^[^-\s:=<>≤≥"“”„‟][^\s:=<>≤≥"“”„‟]*$/.test(word)) &&
    !/^(?:help|\?)$/i.test(text)
  );
}

function writeTerm(term: Term, given: Members, names: readonly string[]): string[] {
  const [name = ''] = term.names;
  if (term.kind === 'range' && !names.includes(term.is.name)) {
    const end = ({ name: end }: DescribedParameter) => endOf(given, end, isNumeric(term));
    const range = writeRange(end(term.low), end(term.high));
    return range === undefined ? [] : [`${name}:${range}`];
  }
  const parameter = term.kind === 'range' ? term.is : term.parameter;
  const value = given[parameter.name];
  if (!Array.isArray(value)) return [`${name}:${quotedIfNeeded(writtenValue(value))}`];
  const texts = value.filter((member) => !isBlank(member)).map(writtenValue);
  // A list of choices, or a place, can also be one text with commas.
  if (parameter.type === 'choice' || parameter.list !== true)
    return [`${name}:${quotedIfNeeded(texts.join(','))}`];
  return texts.map((text) => `${name}:${quotedIfNeeded(text)}`);
}

/** Undefined if an end cannot be written in a range. */
function writeRange(low: string | undefined, high: string | undefined): string | undefined {
  return low === undefined || high === undefined ? undefined : `${low}..${high}`;
}

/** An end as text without a dot at its edge; empty if not given, undefined if not writable. */
function endOf(given: Members, name: string, isNumber: boolean): string | undefined {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (isBlank(value)) return '';
  if (!isNumber) return /[.\s]{2}|[…\s]/.test(String(value)) ? undefined : String(value);
  const number = typeof value === 'string' ? parseDecimal(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? decimalText(number) : undefined;
}

function writtenValue(value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value) ? decimalText(value) : String(value);
}

/** What a line asks of a block with rows; reasons name the filters as they are written on a line. */
export function rowsQuestion(block: BlockDescription, given: Members): RowsQuestion {
  const { noun = 'rows', dataset, key_fields: keyFields, parameters } = block;
  return {
    noun,
    rows: dataset?.rows,
    keyFields,
    parameters,
    given,
    writeFilter: (names, instead) =>
      instead === undefined
        ? writeFilter(block, given, names)
        : writeFilter(block, { [instead]: given[names[0] as string] }, [instead]),
  };
}
