import type { Budget } from '../query/budget.ts';
import { isOfWord, phoneWords } from '../query/words.ts';
import { type Chunk, startOf, type TextList, type TextRun, textAt } from './chunk.ts';
import type { ChunkEntry } from './column-directory.ts';

/** The texts that are gone through without a pause, and about their bytes. */
const TEXTS_AT_ONCE = 2048;
const BYTES_AT_ONCE = 2 ** 17;

/** The cost of `markWords` on a chunk, in steps; by its entry, so that no cache changes it. */
export function stepsOfWords(words: number, entry: ChunkEntry): number {
  const { dictionary, size, rows } = entry;
  if (dictionary.kind !== 'texts') return rows / 8;
  return rows / 4 + size + stepsOfBytes(dictionary.keyBytes, words);
}

/** Each byte is looked at once; each word costs a little where one begins with the same letter. */
function stepsOfBytes(bytes: number, words: number): number {
  return (bytes / 4) * (1 + words / 16);
}

/** Sets a bit in `found` for each row and word, if a word of the row's text begins with it. */
export async function markWords(
  chunk: Chunk,
  words: readonly string[],
  byDigits: boolean,
  found: Uint16Array,
  budget: Budget,
): Promise<void> {
  const { dictionary } = chunk;
  if (dictionary.kind !== 'texts') throw new TypeError('Words are looked for in texts.');
  const isOfTexts = byDigits && dictionary.textCodes !== undefined;
  const codes = (isOfTexts && dictionary.textCodes) || chunk.codes;
  const texts = byDigits ? await phonesOf(dictionary, budget) : dictionary.keys;
  const all = beginningsOf(words);
  const bits = new Uint16Array(texts.ends.length);
  let isFound = false;
  for (let from = 0, to = 0; from < bits.length; from = to) {
    const start = startOf(texts, from);
    const most = Math.min(bits.length, from + TEXTS_AT_ONCE);
    while (to < most && (to === from || (texts.ends[to - 1] as number) < start + BYTES_AT_ONCE))
      to++;
    isFound = markTexts(texts, from, to, all, bits) || isFound;
    const bytes = (texts.ends[to - 1] as number) - start;
    await budget.turn(to - from + stepsOfBytes(bytes, words.length));
  }
  if (!isFound) return;
  for (let row = 0; row < codes.length; row++) {
    found[row] = (found[row] as number) | (bits[codes[row] as number] as number);
  }
}

/** The bytes of words; and for each byte, a bit for each word that begins with it. */
type Beginnings = { readonly words: readonly Buffer[]; readonly byFirst: Uint16Array };

function beginningsOf(texts: readonly string[]): Beginnings {
  const words = texts.map((text) => Buffer.from(text));
  const byFirst = new Uint16Array(256);
  for (const [i, word] of words.entries()) {
    const first = word[0] as number;
    byFirst[first] = (byFirst[first] as number) | (1 << i);
  }
  return { words, byFirst };
}

/**
 * Sets a bit for each of some texts and each word that begins one of its words; returns whether any
 * is set. This loop is hot: it looks at each byte once, however many words there are.
 */
function markTexts(
  { bytes, ends }: TextRun,
  from: number,
  to: number,
  { words, byFirst }: Beginnings,
  bits: Uint16Array,
): boolean {
  let isFound = false;
  let at = from === 0 ? 0 : (ends[from - 1] as number);
  for (let code = from; code < to; code++) {
    const end = ends[code] as number;
    let isInWord = false;
    let its = 0;
    while (at < end) {
      const byte = bytes[at] as number;
      const isWord = byte < 0x80 ? OF_WORD[byte] === 1 : isWordAt(bytes, at);
      if (isWord && !isInWord) {
        const begun = byFirst[byte] as number;
        if (begun !== 0) its |= wordsAt(bytes, at, end, words, begun);
      }
      isInWord = isWord;
      at += byte < 0x80 ? 1 : lengthOf(byte);
    }
    if (its !== 0) {
      bits[code] = its;
      isFound = true;
    }
  }
  return isFound;
}

/** Which of the words whose bits are set a text has at a byte. */
function wordsAt(
  bytes: Buffer,
  at: number,
  end: number,
  words: readonly Buffer[],
  begun: number,
): number {
  let found = 0;
  for (let i = 0; begun >> i > 0; i++) {
    const word = words[i] as Buffer;
    if ((begun & (1 << i)) === 0 || at + word.length > end) continue;
    let same = 1;
    while (same < word.length && bytes[at + same] === word[same]) same++;
    if (same === word.length) found |= 1 << i;
  }
  return found;
}

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

/** Which ASCII characters are part of words. */
const OF_WORD = Uint8Array.from({ length: 0x80 }, (_, code) =>
  Number(/[a-z\d]/i.test(String.fromCharCode(code))),
);

/** The phone numbers whose words are made without a pause, and the steps of one. */
const PHONES_AT_ONCE = 512;
const STEPS_PER_PHONE = 80;

/** What each phone number is found by, made at the first search and kept as long as the texts. */
async function phonesOf(texts: TextList, budget: Budget): Promise<TextRun> {
  const known = PHONES.get(texts);
  if (known !== undefined) return known;
  const { ends } = texts.texts;
  const parts: Buffer[] = [];
  const partEnds = new Uint32Array(ends.length);
  for (let code = 0, at = 0; code < ends.length; code++) {
    const part = Buffer.from(phoneWords(textAt(texts.texts, code)));
    parts.push(part);
    at += part.length;
    partEnds[code] = at;
    if (code % PHONES_AT_ONCE === 0) await budget.turn(PHONES_AT_ONCE * STEPS_PER_PHONE);
  }
  const made = { bytes: Buffer.concat(parts), ends: partEnds };
  PHONES.set(texts, made);
  return made;
}

const PHONES = new WeakMap<TextList, TextRun>();
