import type { BlockDescription } from '../block/describe-block.ts';
import { usageOf, usageOfBlock } from '../chat/usage.ts';
import { ephemeral, type SlackMessage, sections } from './message.ts';

/** Options that mean nothing in a message. */
export const UNSHOWN = ['_format', '_raw', '_explain', '_geometry'];

export type UsageAsked = {
  /** The command's name in the workspace. */
  readonly name: string;
  readonly blocks: readonly BlockDescription[];
  /** The block that was named, if one was. */
  readonly block?: BlockDescription;
};

/** A message that says what can be written. */
export function usageMessage({ name, blocks, block }: UsageAsked): SlackMessage {
  const { title, lines } =
    block === undefined ? usageOf(blocks) : usageOfBlock(block, blocks, UNSHOWN);
  return ephemeral(
    title,
    sections([
      `${title}. Write ${name}, then:`,
      ...lines.map(({ command, meaning }) => `• ${command} (${meaning})`),
    ]),
  );
}
