import type { Members } from '../arguments/given.ts';
import type { BlockDescription } from '../block/describe-block.ts';
import type { TypedNames } from './terms.ts';

/** What a chat line or a command line asks for. */
export type Command =
  | { readonly kind: 'help'; readonly block?: BlockDescription }
  | {
      readonly kind: 'invalid';
      /** One text for each part that was not understood, with how to write it. */
      readonly faults: readonly string[];
      readonly block?: BlockDescription;
      /** The part that was understood; its values may be wrong too. */
      readonly understood?: Understood;
    }
  | ({ readonly kind: 'run'; readonly block: BlockDescription } & Understood);

export type Understood = {
  /** The arguments as in a POST's body. */
  readonly arguments: Members;
  readonly typed: TypedNames;
};
