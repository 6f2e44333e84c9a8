import type { KnownBlock } from '@slack/types';
import type { Members } from '../arguments/arguments.ts';
import type { BlockDescription } from '../block/describe-block.ts';
import type { TypedNames } from '../chat/terms.ts';

/** A command that was understood, and what an answer to it repeats. */
export type AskedCommand = {
  readonly block: BlockDescription;
  readonly given: Members;
  /** The names by which it was given. */
  readonly typed: TypedNames;
  /** As it was understood: `/block directory category:retail`. */
  readonly line: string;
  /** How to ask for help with this block. */
  readonly helpLine: string;
  /** A link to the same on the block's page, where there is one. */
  readonly link: readonly KnownBlock[];
};
