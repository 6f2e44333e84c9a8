import type { Members } from '../arguments/arguments.ts';
import type { BlockDescription } from '../block/describe-block.ts';
import type { TypedNames } from './terms.ts';

/** What a line of chat, or of a command line, asks for. */
export type Command =
  | { readonly kind: 'help'; readonly block?: BlockDescription }
  | {
      readonly kind: 'invalid';
      /** What was not understood, each with how to write it. */
      readonly faults: readonly string[];
      readonly block?: BlockDescription;
      /** What of it was understood: its values may be wrong too. */
      readonly understood?: Understood;
    }
  | ({ readonly kind: 'run'; readonly block: BlockDescription } & Understood);

export type Understood = {
  /** As a POST's body would have them. */
  readonly arguments: Members;
  readonly typed: TypedNames;
};
