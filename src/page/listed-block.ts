import type { Block, DatasetBlock, ValueBlock } from '../block/block.ts';
import { type BlockSummary, summariseBlock } from '../block/describe-block.ts';
import type { DatasetProfile, Manifest, Picture } from '../block/manifest.ts';
import { wordsAsked } from '../text/pattern.ts';
import { type Period, periodIn } from './period.ts';

/** A block as the catalogue lists and finds it. */
export type ListedBlock = {
  readonly summary: BlockSummary;
  /** The folded words that it is found by, each once, with one space before each. */
  readonly words: string;
  readonly rows?: number;
  /** What its rows are called, in the plural. */
  readonly noun?: string;
  /** The day or month the data were current. */
  readonly date?: string;
  /** From which day to which the data are. */
  readonly period?: Period;
  readonly picture?: Picture;
  /** Whether it answers with a colour. */
  readonly isColor?: true;
};

/** What the catalogue shows of a block, and the words of its texts and of its fields' titles. */
export function listBlock(
  block: Block,
  manifest?: Manifest,
  profile?: Pick<DatasetProfile, 'picture'>,
): ListedBlock {
  const { name, title, description, parameters } = block;
  const { fields = [], noun } = block as Partial<DatasetBlock>;
  const { sources = [], color } = block as ValueBlock;
  const origins = manifest === undefined ? sources : [manifest.source];
  const texts = [
    ...[name, title, description, noun ?? ''],
    ...[...fields, ...(fields.length === 0 ? parameters : [])].map((field) => field.title),
    ...origins.flatMap(({ title, publisher = '' }) => [title, publisher]),
  ];
  const date = manifest?.source.date;
  const period = manifest && periodIn(fields, manifest.fields);
  return {
    summary: summariseBlock(block),
    words: wordsAsked(texts.join(' '))
      .map((word) => ` ${word}`)
      .join(''),
    ...(manifest === undefined ? {} : { rows: manifest.rows }),
    ...(noun === undefined ? {} : { noun }),
    ...(date === undefined ? {} : { date }),
    ...(period === undefined ? {} : { period }),
    ...(profile?.picture === undefined ? {} : { picture: profile.picture }),
    ...(color === undefined ? {} : { isColor: true }),
  };
}

/** The blocks in which each word begins some word; all, if no word is asked for. */
export function findBlocks(
  blocks: readonly ListedBlock[],
  asked: readonly string[],
): readonly ListedBlock[] {
  return blocks.filter(({ words }) => asked.every((word) => words.includes(` ${word}`)));
}
