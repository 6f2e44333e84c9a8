import type { Budget } from '../query/budget.ts';
import { isOfWord, phoneWords } from '../query/words.ts';
import { type Chunk, startOf, type TextList, type TextRun, textAt } from './chunk.ts';
import type { ChunkEntry } from './column-directory.ts';
import { textWith } from './select-codes.ts';

/** The texts that are tried without a pause. */
const TEXTS_AT_ONCE = 512;

/** The steps of trying a text in which a word's letters are. */
const STEPS_PER_HIT = 24;

/** The steps of making a phone number's words. */
const STEPS_PER_PHONE = 150;

/** The cost of `markWords` on a chunk, in steps; by its entry, so that no cache changes it. */
export function stepsOfWords(words: number, byDigits: boolean, entry: ChunkEntry): number {
  const { dictionary, size, rows } = entry;
  if (dictionary.kind !== 'texts') return rows / 8;
  // The letters of a word are rarely found elsewhere; those of a short one often are.
  const ofTexts = size * 4 + dictionary.keyBytes / 4;
  return rows / 4 + words * ofTexts + (byDigits ? size * STEPS_PER_PHONE : 0);
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
  const bits = new Uint16Array(Math.max(chunk.size, texts.ends.length));
  for (const [i, word] of words.entries()) {
    await markWord(Buffer.from(word), texts, isOfTexts ? 1 : chunk.firstKey, bits, 1 << i, budget);
  }
  for (let row = 0; row < codes.length; row++) {
    found[row] = (found[row] as number) | (bits[codes[row] as number] as number);
  }
}

/** Sets a bit for each text, from one on, of which a word begins with these bytes. */
async function markWord(
  beginning: Buffer,
  texts: TextRun,
  from: number,
  bits: Uint16Array,
  bit: number,
  budget: Budget,
): Promise<void> {
  const { bytes, ends } = texts;
  let steps = 0;
  let code = from;
  for (let at = 0; code < ends.length; ) {
    const hit = bytes.indexOf(beginning, at);
    if (hit < 0) break;
    steps += STEPS_PER_HIT + (hit - at) / 8;
    code = textWith(texts, hit, code);
    const end = ends[code] as number;
    if (hit + beginning.length <= end && beginsWord(bytes, startOf(texts, code), hit)) {
      bits[code] = (bits[code] as number) | bit;
      at = end;
    } else at = hit + 1;
    if (steps > TEXTS_AT_ONCE * STEPS_PER_HIT) {
      await budget.turn(steps);
      steps = 0;
    }
  }
  await budget.turn(steps);
}

/** Whether no word goes on at a byte: the character before it, in a text from `start`, ends none. */
function beginsWord(bytes: Buffer, start: number, at: number): boolean {
  if (at === start) return true;
  const before = bytes[at - 1] as number;
  if (before < 0x80) return OF_WORD[before] !== 1;
  // A character has at most four bytes; all but its first begin with the bits 10.
  let first = at - 1;
  while (first > start && ((bytes[first] as number) & 0xc0) === 0x80) first--;
  return !isOfWord(bytes.toString('utf8', first, at));
}

/** Which ASCII characters are part of words. */
const OF_WORD = Uint8Array.from({ length: 0x80 }, (_, code) =>
  Number(/[a-z\d]/i.test(String.fromCharCode(code))),
);

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
    if (code % TEXTS_AT_ONCE === 0) await budget.turn(TEXTS_AT_ONCE * STEPS_PER_PHONE);
  }
  const made = { bytes: Buffer.concat(parts), ends: partEnds };
  PHONES.set(texts, made);
  return made;
}

const PHONES = new WeakMap<TextList, TextRun>();
