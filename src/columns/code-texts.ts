import { compareCodePoints } from '../values/fold.ts';
import { type Narrow, narrowArray } from './chunk.ts';
import type { Coded } from './coded.ts';
import { boundOf } from './column-directory.ts';
import type { DistinctTexts } from './gathered-values.ts';

/** Codes texts by their keys, and by their own order if a key has several. */
export function codeTexts({ texts, keyOf, keys, places }: DistinctTexts): Coded {
  const ordered = inOrder([...keys.keys()]);
  // The empty key, which comes first, is that of rows without a text and of blank texts.
  ordered.shift();
  const nulls = places.reduce((sum, place) => sum + (keyOf[place] === 0 ? 1 : 0), 0);
  const firstKey = nulls > 0 ? 1 : 0;
  const size = ordered.length + firstKey;
  const codeOfKey = new Uint32Array(keys.size);
  for (const [i, key] of ordered.entries()) codeOfKey[keys.get(key) as number] = i + firstKey;
  const codeOf = Uint32Array.from(keyOf, (key) => codeOfKey[key] as number);
  const isOwn = texts.size !== ordered.length;
  const stored = inOrderOfKeys(texts, codeOf, { size, firstKey, isOwn });
  const keyRun = runOf(ordered);
  const textRun =
    isOwn || stored.some((text, i) => text !== ordered[i]) ? runOf(stored) : undefined;
  return {
    codes: codesAt(places, codeOf, size),
    nulls,
    distinct: ordered.length,
    firstKey,
    size,
    dictionary: {
      kind: 'texts',
      keyBytes: keyRun.bytes.length,
      ...(textRun === undefined ? {} : { textBytes: textRun.bytes.length }),
      ...(isOwn ? { texts: stored.length } : {}),
    },
    parts: [
      keyRun.lengths,
      keyRun.bytes,
      ...(textRun === undefined ? [] : [textRun.lengths, textRun.bytes]),
      ...(isOwn ? [codesOfTexts(places, texts, stored)] : []),
    ],
    ...(ordered.length === 0
      ? {}
      : { bounds: [boundOf(ordered[0] as string), boundOf(ordered.at(-1) as string)] }),
  };
}

/** The texts by the codes of their keys; if some key has several, those in their own order. */
function inOrderOfKeys(
  texts: ReadonlyMap<string, number>,
  codeOf: Uint32Array,
  { size, firstKey, isOwn }: { size: number; firstKey: number; isOwn: boolean },
): string[] {
  if (!isOwn) {
    const found = new Array<string>(texts.size);
    for (const [text, place] of texts) found[(codeOf[place] as number) - firstKey] = text;
    return found;
  }
  const found = Array.from({ length: size }, (): string[] => []);
  for (const text of inOrder([...texts.keys()])) {
    found[codeOf[texts.get(text) as number] as number]?.push(text);
  }
  return found.flat();
}

function codesOfTexts(
  places: readonly number[],
  texts: ReadonlyMap<string, number>,
  stored: readonly string[],
): Narrow {
  const codeOf = new Uint32Array(texts.size + 1);
  for (const [i, text] of stored.entries()) codeOf[texts.get(text) as number] = i + 1;
  return codesAt(places, codeOf, stored.length + 1);
}

/** The rows' codes, given the one of each place. */
function codesAt(places: readonly number[], codeOf: Uint32Array, size: number): Narrow {
  const codes = narrowArray(size, places.length);
  for (let row = 0; row < codes.length; row++) codes[row] = codeOf[places[row] as number] as number;
  return codes;
}

/** Sorts texts by code point. */
function inOrder(texts: string[]): string[] {
  // The order of UTF-16 units, which is made much faster, differs only for surrogates.
  return texts.some((text) => SURROGATE.test(text)) ? texts.sort(compareCodePoints) : texts.sort();
}

const SURROGATE = /[\ud800-\udfff]/;

function runOf(texts: readonly string[]): { lengths: Uint32Array; bytes: Buffer } {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, { length }) => sum + 3 * length, 0));
  const lengths = new Uint32Array(texts.length);
  let end = 0;
  for (const [i, text] of texts.entries()) {
    if (!text.isWellFormed()) {
      throw new TypeError(`${JSON.stringify(text)} has half a surrogate pair.`);
    }
    const length = bytes.write(text, end);
    lengths[i] = length;
    end += length;
  }
  return { lengths: lengths, bytes: bytes.subarray(0, end) };
}
