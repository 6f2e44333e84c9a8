import type { Members } from '../core/arguments.ts';
import type { BlockDescription } from '../core/describe-block.ts';

/** What a line of chat, or of a command line, asks for. */
export type Command =
  | { readonly kind: 'help'; readonly block?: BlockDescription }
  | {
      readonly kind: 'lost';
      /** What was not understood, each with how to write it. */
      readonly faults: readonly string[];
      readonly block?: BlockDescription;
    }
  | {
      readonly kind: 'run';
      readonly block: BlockDescription;
      /** As a POST's body would have them. */
      readonly arguments: Members;
    };
