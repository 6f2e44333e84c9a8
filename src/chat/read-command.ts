import type { BlockDescription } from '../block/describe-block.ts';
import { MOST_FAULTS } from '../problem/errors.ts';
import { shorten } from '../values/wording.ts';
import type { Command } from './command.ts';
import { findBlock, shortNameOf } from './find-block.ts';
import { readArguments } from './read-arguments.ts';
import type { Token } from './tokenize.ts';

/**
 * What a line asks for: a block and its arguments, or help. A line that is not fully understood is
 * invalid, with how to write it; a token is never silently dropped.
 */
export function readCommand(
  tokens: readonly Token[],
  blocks: readonly BlockDescription[],
): Command {
  const [first, second] = tokens;
  if (first === undefined) return { kind: 'help' };
  // An unclosed quote includes the rest of the line, so it is in the last token.
  const unclosed = tokens.at(-1)?.isUnclosed === true ? tokens.at(-1) : undefined;
  if (unclosed !== undefined && (unclosed === first || isHelp(first)))
    return { kind: 'invalid', faults: [notClosed(unclosed)] };
  if (isHelp(first)) {
    if (second === undefined) return { kind: 'help' };
    if (tokens.length === 2) return helpWith(second, blocks);
    return { kind: 'invalid', faults: ['help takes nothing, or one block.'] };
  }
  const found = blockOf(first, blocks);
  if (found.kind === 'invalid') return found;
  const { block } = found;
  const rest = tokens.slice(1);
  if (second === undefined || (rest.length === 1 && isHelp(second))) return { kind: 'help', block };
  const { faults, ...understood } = readArguments(
    rest.filter((token) => token !== unclosed),
    block,
  );
  const all = unclosed === undefined ? faults : [notClosed(unclosed), ...faults];
  return all.length === 0
    ? { kind: 'run', block, ...understood }
    : { kind: 'invalid', block, faults: all.slice(0, MOST_FAULTS), understood };
}

function isHelp({ name, value, isQuoted }: Token): boolean {
  return name === undefined && !isQuoted && /^(?:help|\?)$/i.test(value);
}

function helpWith(word: Token, blocks: readonly BlockDescription[]): Command {
  const found = blockOf(word, blocks);
  return found.kind === 'invalid' ? found : { kind: 'help', block: found.block };
}

function notClosed({ written }: Token): string {
  return `A quote is opened and not closed in ${shorten(written)}. Close it with another "; within quotes, "" is one quote.`;
}

type Invalid = Extract<Command, { kind: 'invalid' }>;

function blockOf(
  { name, value, written }: Token,
  blocks: readonly BlockDescription[],
): { kind: 'found'; block: BlockDescription } | Invalid {
  const found = findBlock(name ?? value, blocks);
  if (name === undefined && 'block' in found) return { kind: 'found', block: found.block };
  const candidates = 'block' in found ? [found.block] : found.candidates;
  const fix =
    candidates.length > 0
      ? `Did you mean ${listed(candidates, blocks)}?`
      : `A line begins with a block: ${listed(blocks, blocks)}.`;
  return { kind: 'invalid', faults: [`“${shorten(written)}” is not a block. ${fix}`] };
}

function listed(some: readonly BlockDescription[], blocks: readonly BlockDescription[]): string {
  const names = some.map((block) => shortNameOf(block, blocks));
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`;
}
