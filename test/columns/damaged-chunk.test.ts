import path from 'node:path';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Chunk, type ChunkEntry, textOfRow } from '../../src/columns/chunk.ts';
import { unpackChunk } from '../../src/columns/decode-chunk.ts';
import type { Value } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { inOwnProcess } from '../support/own-process.ts';
import { fieldOf, readKeys, type StoredColumn, storedColumn } from '../support/stored-column.ts';

const count = (length: number, at: (row: number) => Value) =>
  Array.from({ length }, (_, row) => at(row));

/** A column of each form that is stored. */
const COLUMNS: readonly (readonly [string, Field['type'], readonly Value[]])[] = [
  ['bytes', 'integer', count(40, (i) => (i * 37) % 90)],
  ['bytes and nothing', 'integer', count(40, (i) => (i % 5 ? (i * 37) % 90 : null))],
  ['ascending numbers', 'integer', count(60, (i) => i * i)],
  ['ascending numbers of four bytes', 'integer', count(12, (i) => i * 90_000)],
  ['cents', 'number', count(40, (i) => ((i * 37) % 900) / 100)],
  ['fractions', 'number', [1 / 3, null, 1 / 7, 0.1 + 0.2, -1 / 3]],
  ['no number', 'number', [null, null, null]],
  ['texts that are their keys', 'text', ['retail', 'services', null, 'retail', 'é']],
  ['texts that are not', 'text', ['Retail', 'Sérvices', 'Retail', '\u{1f600} x']],
  ['several texts for a key', 'text', ['Retail', 'retail', null, ' ', 'É', 'e', 'z']],
  ['one text', 'text', ['a']],
  ['no text', 'text', [null, null]],
  ['phone numbers', 'phone', ['1 718 624 7581', '718-624-7581', null, '3110000000']],
  ['no row', 'integer', []],
];
const stored = new Map<string, StoredColumn>();
for (const [name, type, values] of COLUMNS) {
  stored.set(name, await storedColumn(fieldOf(type), values));
}
const NAMES = [...stored.keys()];

/** The keys and the texts; other values are their keys. */
function valuesOf(chunk: Chunk): readonly [keys: unknown[], values: unknown[]] {
  const keys = readKeys(chunk);
  const areTexts = chunk.dictionary.kind === 'texts';
  return [keys, areTexts ? keys.map((_, row) => textOfRow(chunk, row)) : keys];
}

/** Undefined if the chunk is refused. */
function unpacked(bytes: Uint8Array, entry: ChunkEntry): Promise<Chunk | undefined> {
  return unpackChunk(bytes, entry).catch(() => undefined);
}

/** The entry of other bytes, as one who can change the directory writes it. */
function signed(entry: ChunkEntry, bytes: Uint8Array): ChunkEntry {
  return { ...entry, bytes: bytes.length, crc32: crc32(bytes) };
}

describe.each(NAMES)('%s: a chunk is refused', (name) => {
  const { packed, chunk } = stored.get(name) as StoredColumn;
  const { bytes, entry } = packed;

  test('with any bit flipped', async () => {
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      expect([bit, await unpacked(flipped, entry)]).toEqual([bit, undefined]);
    }
  });

  test('a byte shorter, a byte longer, or empty', async () => {
    const longer = Buffer.concat([bytes, Buffer.from([0])]);
    for (const other of [bytes.subarray(1), bytes.subarray(0, -1), longer, Buffer.alloc(0)]) {
      expect(await unpacked(other, entry)).toBeUndefined();
    }
  });

  test('in the place of another, unless they are the same', async () => {
    for (const [other, { packed: its }] of stored) {
      if (bytes.equals(its.bytes)) continue;
      expect([other, await unpacked(its.bytes, entry)]).toEqual([other, undefined]);
    }
  });

  test('with more or less inside, even if the directory says so', async () => {
    const whole = inflateRawSync(bytes);
    for (const other of [Buffer.concat([whole, Buffer.from([0])]), whole.subarray(0, -1)]) {
      if (other.length === whole.length) continue;
      const again = deflateRawSync(other);
      expect(await unpacked(again, signed(entry, again))).toBeUndefined();
    }
  });

  test('with another member in its entry, unless the values are the same', async () => {
    for (const [member, other] of changesOf(entry)) {
      const changed = { ...entry, ...other } as ChunkEntry;
      const found = await unpacked(bytes, changed);
      if (found === undefined) continue;
      expect([member, other, ...valuesOf(found)]).toEqual([member, other, ...valuesOf(chunk)]);
    }
  });

  test('with contents that do not fit together, even if they are signed', async () => {
    const whole = inflateRawSync(bytes);
    const expectSoundOrRefused = async (edited: Uint8Array) => {
      const again = deflateRawSync(edited);
      const found = await unpacked(again, signed(entry, again));
      if (found !== undefined) expectSound(found, entry);
    };
    for (const [at, byte] of whole.entries()) {
      for (const other of [byte - 1, byte + 1, 0, 0x80, 0xff]) {
        const edited = Buffer.from(whole);
        edited[at] = other;
        await expectSoundOrRefused(edited);
      }
    }
    const edit = fc.tuple(fc.nat(Math.max(0, whole.length - 1)), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 2, maxLength: 3 }), async (edits) => {
        const edited = Buffer.from(whole);
        for (const [at, byte] of edits) if (at < edited.length) edited[at] = byte;
        await expectSoundOrRefused(edited);
      }),
      { seed: 15, numRuns: 100 },
    );
  });
});

describe('a chunk is refused though its entry is signed and its sizes fit', () => {
  /** Unpacks these contents with the entry of the contents that these values have. */
  async function refused(type: Field['type'], values: readonly Value[], contents: string) {
    const { packed } = await storedColumn(fieldOf(type), values);
    const own = inflateRawSync(packed.bytes);
    const other = Buffer.from(contents.replace(/\s/g, ''), 'hex');
    expect([other.length, other.equals(own)]).toEqual([own.length, false]);
    const bytes = deflateRawSync(other);
    expect(await unpacked(bytes, signed(packed.entry, bytes))).toBeUndefined();
  }

  test('differences that pass 255 and begin again at 0', async () => {
    await refused('integer', [0, 1, 3], '00 03 fe');
  });

  test('a text that begins within a character', async () => {
    const texts = '61  62 e5 ad 97  e5 ad 97  e5 ad 97 e5 ad 97';
    const zeros = '00 '.repeat(12);
    await refused('text', ['a', 'b字', '字', '字字'], `00 01 01 01  01 03 04 06 ${zeros} ${texts}`);
  });

  test('more rows than 16 bits count', async () => {
    const values = count(2 ** 16 + 1, () => 7);
    await expect(storedColumn(fieldOf('integer'), values)).rejects.toThrow('The chunk is not');
  });

  test('lengths of texts that sum to too little', async () => {
    await refused('text', ['ab', 'b'], '00 01  02 00 00 00 00 00 00 00  61 62 62');
  });

  test('lengths of texts whose sum begins again at 0', async () => {
    await refused('text', ['ab', 'b'], '00 01  04 ff 00 ff 00 ff 00 ff  61 62 62');
  });
});

/** That a chunk can be read: no code, no text lies outside its dictionary. */
function expectSound(chunk: Chunk, { rows, nulls }: ChunkEntry): void {
  const { codes, firstKey, size, dictionary } = chunk;
  expect(codes.length).toBe(rows);
  expect(codes.every((code) => code < size)).toBe(true);
  expect(codes.filter((code) => code < firstKey)).toHaveLength(nulls);
  const [keys, texts] = valuesOf(chunk);
  for (const key of keys) expect(key).toBe(typeof key === 'number' ? key + 0 : key);
  if (dictionary.kind === 'numbers') {
    const values = dictionary.values.slice(firstKey);
    expect(values).toEqual(values.toSorted());
    expect(values.some(Number.isNaN)).toBe(false);
  }
  if (dictionary.kind !== 'texts') return;
  for (const text of [...keys, ...texts]) expect(String(text)).not.toContain('\ufffd');
  for (const { bytes, ends } of [dictionary.keys, dictionary.texts]) {
    expect(Array.from(ends)).toEqual(Array.from(ends).sort((a, b) => a - b));
    expect(ends.at(-1) ?? 0).toBe(bytes.length);
  }
  const { length } = dictionary.texts.ends;
  expect(dictionary.textCodes?.every((code) => code < length) ?? true).toBe(true);
}

/** An entry's members, each with others in its place. */
function* changesOf(entry: ChunkEntry): Generator<readonly [string, object]> {
  const { dictionary } = entry;
  for (const [member, value] of Object.entries(entry)) {
    for (const other of othersOf(value)) yield [member, { [member]: other }];
  }
  for (const member of ['first', 'power', 'keyBytes', 'textBytes', 'texts', 'kind']) {
    const value = (dictionary as Record<string, unknown>)[member];
    for (const other of [...othersOf(value), ...othersOf(0)]) {
      yield [member, { dictionary: { ...dictionary, [member]: other } }];
    }
  }
  for (const kind of ['frame', 'numbers', 'texts']) {
    yield ['dictionary', { dictionary: { kind } }];
  }
}

function othersOf(value: unknown): unknown[] {
  const wrong = [undefined, null, Number.NaN, -1, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, 1e308, '1', {}];
  if (typeof value === 'number') return [value - 1, value + 1, 2 * value, -value, 256, ...wrong];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string') return [`${value}a`, value.slice(1), ...wrong];
  return wrong;
}

test('a chunk takes no more memory than its bytes can fill', async () => {
  const script = path.join(import.meta.dirname, 'damaged-chunk-memory.ts');
  const peaks = await inOwnProcess<readonly (readonly [string, number | null])[]>(script);
  expect(peaks.map(([name]) => name)).toEqual([
    ...[1e6, 2 ** 31, 2 ** 32 - 1].map((bytes) => `a directory that says ${bytes} bytes of keys`),
    'more inside than the directory says',
  ]);
  // None is read, so each has a peak.
  for (const [name, peak] of peaks) {
    expect([name, peak]).toEqual([name, expect.any(Number)]);
    expect(peak).toBeLessThan(2 ** 20);
  }
});
