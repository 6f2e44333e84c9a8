import { isOfWord } from '../values/pattern.ts';
import { startOf, type TextRun } from './chunk.ts';

/** The texts that are gone through without a pause, and about their bytes; the work of each. */
const TEXTS_AT_ONCE = 2048;
const BYTES_AT_ONCE = 2 ** 15;
const STEPS_PER_TEXT = 1;
const STEPS_PER_BYTE = 0.25;

/** The words of some texts that follow each other. */
export type FoundWords = {
  /** The first of the texts. */
  readonly from: number;
  /** The place of each word's first byte. They are overwritten after a pause. */
  readonly places: Uint32Array;
  /** The work of finding them. */
  readonly steps: number;
};

/** The words of texts, some at once. */
export function* wordsIn(texts: TextRun): Generator<FoundWords> {
  const { ends } = texts;
  for (let from = 0, to = 0; from < ends.length; from = to) {
    to = endOfPiece(texts, from);
    const bytes = (ends[to - 1] as number) - startOf(texts, from);
    const steps = (to - from) * STEPS_PER_TEXT + bytes * STEPS_PER_BYTE;
    yield { from, places: findWords(texts, from, to), steps };
  }
}

/** Where to pause in texts, after one of them at least. */
function endOfPiece(texts: TextRun, from: number): number {
  const { ends } = texts;
  const most = Math.min(ends.length, from + TEXTS_AT_ONCE);
  const end = startOf(texts, from) + BYTES_AT_ONCE;
  let to = from + 1;
  while (to < most && (ends[to - 1] as number) < end) to++;
  return to;
}

/** The places of the words of some texts. This loop is hot. */
function findWords(texts: TextRun, from: number, to: number): Uint32Array {
  const { bytes, ends } = texts;
  let at = startOf(texts, from);
  // Behind each word, but the last of a text, is a byte that is of none.
  const most = ((ends[to - 1] as number) - at + to - from) >>> 1;
  if (PLACES.length < most) PLACES = new Uint32Array(most);
  const places = PLACES;
  let words = 0;
  for (let code = from; code < to; code++) {
    const end = ends[code] as number;
    let isInWord = false;
    while (at < end) {
      const place = at;
      const byte = bytes[at] as number;
      let isWord: boolean;
      if (byte < 0x80) {
        isWord = OF_WORD[byte] === 1;
        at++;
      } else {
        isWord = isWordAt(bytes, at);
        at += lengthOf(byte);
      }
      if (isWord && !isInWord) places[words++] = place;
      isInWord = isWord;
    }
  }
  return places.subarray(0, words);
}

/** For the places of all pieces, since none tells beforehand how many words it has. */
let PLACES = new Uint32Array(0);

/** Which ASCII characters are part of words. */
const OF_WORD = Uint8Array.from({ length: 0x80 }, (_, code) =>
  Number(/[a-z\d]/i.test(String.fromCharCode(code))),
);

/** How many bytes a character has in UTF-8, by its first; one above ASCII. */
function lengthOf(first: number): number {
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Whether the character above ASCII at a byte is part of a word. Each is looked up once. */
function isWordAt(bytes: Buffer, at: number): boolean {
  const length = lengthOf(bytes[at] as number);
  let code = (bytes[at] as number) & (0x7f >> length);
  for (let i = 1; i < length; i++) code = (code << 6) | ((bytes[at + i] as number) & 0x3f);
  KNOWN ??= new Uint8Array(0x110000);
  if (KNOWN[code] === 0) KNOWN[code] = isOfWord(String.fromCodePoint(code)) ? 1 : 2;
  return KNOWN[code] === 1;
}

/** For each code point: 1 if it is part of words, 2 if not, 0 if that was not asked yet. */
let KNOWN: Uint8Array | undefined;
