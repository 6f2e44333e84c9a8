import type { Block, DatasetBlock, ValueBlock } from '../block/block.ts';
import { type BlockSummary, summariseBlock } from '../block/describe-block.ts';
import type { DatasetProfile, Manifest, SmallPicture } from '../block/manifest.ts';
import { type Period, periodIn } from './period.ts';

/** A block as the catalogue lists it. */
export type ListedBlock = {
  readonly summary: BlockSummary;
  readonly rows?: number;
  /** What its rows are called, in the plural. */
  readonly noun?: string;
  /** The day or month the data were current. */
  readonly date?: string;
  /** From which day to which the data are. */
  readonly period?: Period;
  readonly picture?: SmallPicture;
  /** Whether it answers with a colour. */
  readonly isColor?: true;
};

/** What the catalogue shows of a block. */
export function listBlock(
  block: Block,
  manifest?: Manifest,
  profile?: Pick<DatasetProfile, 'picture'>,
): ListedBlock {
  const { fields = [], noun } = block as Partial<DatasetBlock>;
  const { color } = block as ValueBlock;
  return {
    summary: summariseBlock(block),
    rows: manifest?.rows,
    noun,
    date: manifest?.source.date,
    period: manifest && periodIn(fields, manifest.fields),
    picture: profile?.picture,
    isColor: color && true,
  };
}

/** A block that a search has found, and where, if not in its own texts: values and examples. */
export type FoundBlock = {
  readonly listed: ListedBlock;
  readonly hits: readonly Hit[];
};

/** What has the words: rows with a value, or an example, as the query of the block's page. */
export type Hit = {
  readonly query: Readonly<Record<string, unknown>>;
} & (
  | { readonly field: string; readonly value: string; readonly rows?: number }
  | { readonly example: string }
);
