import { lengthAt, startOf, type TextRun, textAt } from '../text/text-run.ts';
import type { TextType } from '../values/field-type.ts';
import { FIELD_TYPES, type Field } from '../values/field-types.ts';
import { compareTexts, orderOfTexts } from './byte-texts.ts';
import { boundOf, type EncodedColumn, type UintArray, uintArrayFor } from './chunk.ts';

/** The different texts of some rows, and for each row the index of its text and 1; 0 if it has none. */
export type TextsOfRows = { readonly texts: TextRun; readonly indices: Uint32Array };

/**
 * Encodes texts by their keys. If some key has several texts, or none is left of a text, the texts
 * get codes of their own too.
 */
export function encodeTexts(
  { texts, indices }: TextsOfRows,
  type: TextType,
  field: Field,
): EncodedColumn {
  const keys = keysOf(texts, type, field);
  const { order, listed, numberOf } = inOrderOfKeys(texts, keys);
  let nulls = 0;
  for (let row = 0; row < indices.length; row++) {
    if (numberOf[indices[row] as number] === 0) nulls++;
  }
  const firstKey = nulls > 0 ? 1 : 0;
  const distinct = listed.length;
  const size = distinct + firstKey;
  const codeOf = firstKey === 1 ? numberOf : numberOf.map((number) => number - 1);
  const isOwn = order.length !== distinct;
  const keyRun = inOrder(keys, listed);
  const textRun = isOwn || !isSame(texts, keys) ? inOrder(texts, order) : undefined;
  const bound = (at: number) => boundOf(textAt(keys, listed[at] as number));
  return {
    codes: codesAt(indices, codeOf, size),
    nulls,
    distinct,
    firstKey,
    size,
    dictionary: {
      kind: 'texts',
      keyBytes: keyRun.bytes.length,
      textBytes: textRun?.bytes.length,
      texts: isOwn ? order.length : undefined,
    },
    parts: [
      keyRun.lengths,
      keyRun.bytes,
      ...(textRun === undefined ? [] : [textRun.lengths, textRun.bytes]),
      ...(isOwn ? [codesAt(indices, placesIn(order), order.length + 1)] : []),
    ],
    bounds: distinct === 0 ? undefined : [bound(0), bound(distinct - 1)],
  };
}

/** The key of each text. */
function keysOf(texts: TextRun, type: TextType, field: Field): TextRun {
  const isFolded = type.keyOf === FIELD_TYPES.text.keyOf;
  const ends = new Uint32Array(texts.ends.length);
  let bytes = Buffer.allocUnsafe(texts.bytes.length);
  let to = 0;
  for (let id = 0, start = 0; id < ends.length; id++) {
    const end = texts.ends[id] as number;
    if (isFolded && foldPlain(texts.bytes, start, end, bytes, to)) to += end - start;
    else {
      const key = Buffer.from(type.keyOf(textAt(texts, id), field) as string);
      const left = texts.bytes.length - end;
      if (to + key.length + left > bytes.length) {
        bytes = Buffer.concat([bytes], 2 * (to + key.length + left));
      }
      to += key.copy(bytes, to);
    }
    ends[id] = to;
    start = end;
  }
  return { bytes: bytes.subarray(0, to), ends };
}

const [SPACE, DELETE] = [0x20, 0x7f];

/**
 * Writes the folded form of a text of ASCII, which has as many bytes. Returns false if the text has
 * others, or spaces that folding takes out.
 */
function foldPlain(from: Buffer, start: number, end: number, into: Buffer, at: number): boolean {
  let before = SPACE;
  for (let i = start; i < end; i++) {
    const code = from[i] as number;
    if (code < SPACE || code >= DELETE || (code === SPACE && before === SPACE)) return false;
    into[at + i - start] = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    before = code;
  }
  return before !== SPACE;
}

/** Texts in the order of their keys. */
type OrderedTexts = {
  /** The ids of all texts; those with one key in the order of the texts. */
  readonly order: Uint32Array;
  /** For each key a text that has it. */
  readonly listed: Uint32Array;
  /** For each index of a text the number of its key, from 1. 0 if there is none. */
  readonly numberOf: Uint32Array;
};

function inOrderOfKeys(texts: TextRun, keys: TextRun): OrderedTexts {
  const order = orderOfTexts(keys);
  const listed = new Uint32Array(order.length);
  const numberOf = new Uint32Array(order.length + 1);
  let distinct = 0;
  for (let from = 0, to = 1; from < order.length; from = to++) {
    const first = order[from] as number;
    while (to < order.length && compareTexts(keys, first, order[to] as number) === 0) to++;
    if (to - from > 1) order.subarray(from, to).sort((a, b) => compareTexts(texts, a, b));
    // The blank key comes before all others.
    if (lengthAt(keys, first) > 0) listed[distinct++] = first;
    for (let at = from; at < to; at++) numberOf[(order[at] as number) + 1] = distinct;
  }
  return { order, listed: listed.subarray(0, distinct), numberOf };
}

function isSame(a: TextRun, b: TextRun): boolean {
  return a.bytes.equals(b.bytes) && a.ends.every((end, id) => end === b.ends[id]);
}

/** Some texts in an order, with the length of each. */
export function inOrder(run: TextRun, order: Uint32Array): { lengths: Uint32Array; bytes: Buffer } {
  const lengths = new Uint32Array(order.length);
  let all = 0;
  for (let rank = 0; rank < order.length; rank++) {
    const length = lengthAt(run, order[rank] as number);
    lengths[rank] = length;
    all += length;
  }
  const bytes = Buffer.allocUnsafe(all);
  let to = 0;
  for (let rank = 0; rank < order.length; rank++) {
    const id = order[rank] as number;
    const end = run.ends[id] as number;
    for (let i = startOf(run, id); i < end; i++) bytes[to++] = run.bytes[i] as number;
  }
  return { lengths, bytes };
}

/** For each index of a text its place in an order of ids, from 1. */
function placesIn(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length + 1);
  for (let at = 0; at < order.length; at++) places[(order[at] as number) + 1] = at + 1;
  return places;
}

/** Looks up each row's code by the index of its text. */
function codesAt(indices: Uint32Array, codeOf: Uint32Array, size: number): UintArray {
  const codes = uintArrayFor(size, indices.length);
  for (let row = 0; row < codes.length; row++)
    codes[row] = codeOf[indices[row] as number] as number;
  return codes;
}
