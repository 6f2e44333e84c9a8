import type { BlockDescription, DescribedParameter } from '../../block/describe-block.ts';
import { decimalText, hundredthAbove, hundredthBelow } from '../../values/decimal.ts';
import { type Named, shortNameOf, type Term, termsOf } from './command.ts';
import { writeCommand } from './write-command.ts';

/** Help, which each channel formats in its own way. */
export type Usage = {
  readonly title: string;
  /** The commands that can be written, and what each does. */
  readonly lines: readonly UsageLine[];
};

export type UsageLine = {
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
 * What a block takes: its examples, free text, then its parameters and options by name, without
 * those in `leftOut`, which a channel does not take.
 */
export function usageOfBlock(
  block: BlockDescription,
  blocks: readonly Named[] = [],
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

function examplesOf(block: BlockDescription, blocks: readonly Named[]): UsageLine[] {
  return block.examples.map(({ title, arguments: given }) => ({
    command: writeCommand(block, given, blocks),
    meaning: title,
    isWhole: true,
  }));
}

function freeText(block: BlockDescription, blocks: readonly Named[]): UsageLine[] {
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
  if (type === 'number' || type === 'integer') return `${range?.min ?? 1}`;
  return 'text';
}

function meaningOf(term: Term): string {
  const parameter = term.kind === 'range' ? term.is : term.parameter;
  const { unit, choices = [] } = parameter;
  const details = [
    ...(unit === undefined || term.title.toLowerCase().includes(unit) ? [] : [unit]),
    ...(choices.length === 0 ? [] : [listed(choices)]),
    ...(parameter.required ? ['required'] : []),
  ];
  return [term.title, ...details].join('; ');
}

const MOST_CHOICES = 6;

function listed(choices: readonly string[]): string {
  const some = choices.slice(0, MOST_CHOICES).join(', ');
  return choices.length > MOST_CHOICES ? `${some} …` : some;
}
