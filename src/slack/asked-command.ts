import type { KnownBlock } from '@slack/types';
import type { Members } from '../arguments/given.ts';
import type { BlockDescription } from '../block/describe-block.ts';
import type { TypedNames } from '../chat/terms.ts';

/** A command that was understood, with what an answer repeats of it. */
export type AskedCommand = {
  readonly block: BlockDescription;
  readonly given: Members;
  /** The parameters' names as typed. */
  readonly typed: TypedNames;
  /** The command as it was understood: `/block directory category:retail`. */
  readonly line: string;
  /** How to ask for help with this block. */
  readonly helpLine: string;
  /** The service's address for links; absent if a link would not be useful. */
  readonly root?: string;
  /** A link to the same answer on the block's page; empty if there is none. */
  readonly link: readonly KnownBlock[];
};
