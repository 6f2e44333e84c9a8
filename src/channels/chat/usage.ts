import type { Members } from '../../arguments/given.ts';
import type { BlockDescription, DescribedParameter } from '../../block/describe-block.ts';
import { type Fault, withoutReference } from '../../problem/errors.ts';
import { decimalText, hundredthAbove, hundredthBelow } from '../../text/decimal.ts';
import { firstFew } from '../../text/wording.ts';
import {
  type BlockNames,
  shortNameOf,
  type Term,
  type TypedNames,
  termsOf,
  type Understood,
} from './command.ts';
import { writeCommand } from './write-command.ts';

/** Help, which each channel formats in its own way. */
export type Usage = {
  readonly title: string;
  /** The commands that can be written, and what each does. */
  readonly lines: readonly UsageLine[];
};

type UsageLine = {
  readonly command: string;
  readonly meaning: string;
  /** Whether it is a whole line; otherwise it goes after the block's name. */
  readonly isWhole: boolean;
};

/** What can be asked: each block's first example, and how to get its help. */
export function usageOf(blocks: readonly BlockDescription[]): Usage {
  const lines = blocks.flatMap((block) => [
    ...examplesOf(block, blocks).slice(0, 1),
    {
      command: `${shortNameOf(block, blocks)} help`,
      meaning: `${block.title}: what it takes`,
      isWhole: true,
    },
  ]);
  return { title: 'A block, then what to look for', lines };
}

/**
 * What a block takes: its examples, free text, then its parameters and options by name. The
 * channel does not take the options in `leftOut`.
 */
export function usageOfBlock(
  block: BlockDescription,
  blocks: readonly BlockNames[] = [],
  leftOut: readonly string[] = [],
): Usage {
  const lines: UsageLine[] = [...examplesOf(block, blocks), ...freeText(block, blocks)];
  for (const term of termsOf(block)) {
    const { op = 'is', name } = term.kind === 'one' ? term.parameter : term.is;
    // A range's line covers its two ends, and one line below covers all negated filters.
    if (op !== 'is' || leftOut.includes(name)) continue;
    lines.push({ command: written(term), meaning: meaningOf(term), isWhole: false });
  }
  const not = termsOf(block).find((term) => term.kind === 'one' && term.parameter.op === 'not');
  if (not !== undefined) {
    const meaning = 'Not: the rows that a name and its value would leave out';
    lines.push({ command: `${not.names[0]}:text`, meaning, isWhole: false });
  }
  return { title: block.title, lines };
}

function examplesOf(block: BlockDescription, blocks: readonly BlockNames[]): UsageLine[] {
  return block.examples.map(({ title, arguments: given }) => ({
    command: writeCommand(block, given, blocks),
    meaning: title,
    isWhole: true,
  }));
}

function freeText(block: BlockDescription, blocks: readonly BlockNames[]): UsageLine[] {
  const word = shortNameOf(block, blocks);
  const main = block.parameters.find((parameter) => parameter.main === true);
  if (main !== undefined)
    return [
      { command: `${word} some text`, meaning: `${main.title}, all of it`, isWhole: true },
      { command: `${word} *text*`, meaning: `${main.title}, a part of it`, isWhole: true },
    ];
  if (block.color === undefined) return [];
  const meaning = 'A colour; also #f75, or red, green and blue: 255 127 80';
  return [{ command: `${word} #ff7f50`, meaning, isWhole: true }];
}

function written(term: Term): string {
  const [name = ''] = term.names;
  if (term.kind === 'one') return `${name}:${exampleOf(term.parameter)}`;
  const { min = 400, max = 500 } = term.is.range ?? {};
  if (typeof min !== 'number' || typeof max !== 'number') return `${name}:${min}..${max}`;
  // Rounded outwards to two decimals: easy to type, and no row is left out.
  return `${name}:${decimalText(hundredthBelow(min))}..${decimalText(hundredthAbove(max))}`;
}

function exampleOf({ type, choices, range }: DescribedParameter): string {
  if (type === 'choice') return choices?.[0] ?? 'choice';
  if (type === 'boolean') return 'true';
  if (type === 'number' || type === 'integer' || typeof range?.min === 'number') {
    return `${range?.min ?? 1}`;
  }
  return 'text';
}

function meaningOf(term: Term): string {
  const parameter = term.kind === 'range' ? term.is : term.parameter;
  const { unit, choices = [] } = parameter;
  const details = [
    ...(unit === undefined || term.title.toLowerCase().includes(unit) ? [] : [unit]),
    ...(choices.length === 0 ? [] : [firstFew(choices, MOST_CHOICES, () => ' …')]),
    ...(parameter.required ? ['required'] : []),
  ];
  return [term.title, ...details].join('; ');
}

/** Choices that the usage names. */
const MOST_CHOICES = 6;

/**
 * The texts of a block's faults, each once, with names as on a line: those that were typed, or else
 * each parameter's shortest. A block uses its own names: `persons_per_acre_min` for `density`.
 */
export function faultTexts(
  block: BlockDescription,
  typed: TypedNames,
  faults: readonly Fault[],
): string[] {
  const shortest = new Map(
    termsOf(block).map((term): [string, string] => [
      (term.kind === 'one' ? term.parameter : term.is).name,
      term.names[0] as string,
    ]),
  );
  const names = new Map(
    faults.flatMap(({ parameter }): [string, string][] => {
      if (parameter === undefined) return [];
      return [[parameter, typed.get(parameter) ?? shortest.get(parameter) ?? parameter]];
    }),
  );
  const texts = faults.map(({ detail, suggestion }) => {
    const text = renamed(withoutReference(detail), names);
    const isSaid = suggestion === undefined || text.includes(suggestion);
    return isSaid ? text : `${text} Did you mean ${suggestion}?`;
  });
  return [...new Set(texts)];
}

/** Replaces these words in a text, except within quotes, which hold values. */
function renamed(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\w+(?:\.\w+)*/g, (word) => names.get(word) ?? word);
}

/** A name that no block has, and that resembles none of theirs. */
const NO_NAME = '?';

/**
 * The arguments to send to a block to learn its faults in the understood part of a line. They have
 * an unknown name, which the block refuses, so that it does not run; if lenient, it does.
 */
export function valuesToCheck({ arguments: given }: Understood): Members {
  return Object.assign(Object.create(null), given, { [NO_NAME]: NO_NAME });
}

/** The block's faults in those values. A missing parameter may be in the part not understood. */
export function faultsOfValues(
  block: BlockDescription,
  { typed }: Understood,
  faults: readonly Fault[],
): string[] {
  const ofValues = faults.filter(
    ({ code, parameter }) => parameter !== NO_NAME && code !== 'missing-parameter',
  );
  return faultTexts(block, typed, ofValues);
}
