import fc from 'fast-check';

/** The surrogates, which are no characters. */
const GAP = { from: 0xd800, size: 0x800 };
const CHARACTERS = 0x110000 - GAP.size;

/**
 * The unit of `fc.string({ unit: 'binary' })`, in its order. That one makes a map of all million
 * characters where it is first used, which takes the better part of a second of each suite.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(CHARACTERS - 1).map(
  (place) => String.fromCodePoint(place < GAP.from ? place : place + GAP.size),
  (character) => {
    if (typeof character !== 'string') throw new TypeError('no text');
    const code = character.codePointAt(0);
    if (code === undefined || String.fromCodePoint(code) !== character) {
      throw new TypeError('not one character');
    }
    if (code >= GAP.from && code < GAP.from + GAP.size) throw new TypeError('a surrogate');
    return code < GAP.from ? code : code - GAP.size;
  },
);
