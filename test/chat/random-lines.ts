import fc from 'fast-check';
import type { BlockDescription } from '../../src/block/describe-block.ts';
import { anyCharacter } from '../support/any-character.ts';

/** Lines that a person, or an attacker, might type: names, signs, quotes, dots, and anything. */
export function randomLines(blocks: readonly BlockDescription[]): fc.Arbitrary<string> {
  const names = blocks.flatMap(({ parameters, options }) =>
    [...parameters, ...options].flatMap(({ name, alias }) => [name, alias ?? name]),
  );
  const piece = fc.oneof(
    fc.constantFrom('directory', 'census', 'rgb', 'help', '?', 'number', 'density', 'name'),
    fc.constantFrom(...names),
    fc.constantFrom(':', '=', '>', '<', '>=', '..', '…', '...', '-', '"', '“', '”', "'", '\\', '*'),
    fc.constantFrom(' ', ' ', ' ', '\n', '\u00a0', '\u200b', '#ff7f50', '255', '-76.6', '1e999'),
    fc.constantFrom('__proto__', 'constructor', 'toString', '\ud800', '\u0000', '&lt;', '$&'),
    fc.string({ unit: anyCharacter, maxLength: 8 }),
  );
  const tail = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
  const block = fc.constantFrom('directory ', 'census ', 'rgb ', '');
  return fc.tuple(block, tail).map(([first, rest]) => first + rest);
}
