import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BadBytes, decodeText } from '../../src/files/decode-text.ts';
import { findEncoding } from '../../src/files/encoding.ts';

const utf8 = (text: string) => Buffer.from(text);
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** The bytes in pieces that cut characters, and at once. */
const LENGTHS = [1, 3, 1000];
const inPieces = (bytes: Uint8Array, length: number) => () =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, i) =>
    bytes.subarray(i * length, (i + 1) * length),
  );

const sourceOf = (bytes: Uint8Array, encoding: string, length: number) => ({
  readBytes: inPieces(bytes, length),
  file: 'f.csv',
  encoding,
});

const textOf = async (bytes: Uint8Array, encoding: string, length: number) => {
  let text = '';
  for await (const piece of decodeText(sourceOf(bytes, encoding, length))) text += piece;
  return text;
};

const TEXT = 'Straße;Preis €\nÅlesund;1\n東京😀;2\n';

describe('an encoding is found, and read', () => {
  test.each([
    ['utf-8', 'every byte is', utf8(TEXT)],
    ['utf-8', 'it begins with the byte order mark', utf8(`\ufeff${TEXT}`)],
    ['utf-16le', 'it begins with the byte order mark', utf16le(`\ufeff${TEXT}`)],
    ['utf-16be', 'it begins with the byte order mark', utf16be(`\ufeff${TEXT}`)],
    ['utf-16le', 'every other byte is zero', utf16le(TEXT)],
    ['utf-16be', 'every other byte is zero', utf16be(TEXT)],
  ])('%s, since %s', async (encoding, why, bytes) => {
    for (const length of LENGTHS) {
      expect(await findEncoding(inPieces(bytes, length), 'f.csv')).toEqual({ encoding, why });
      expect(await textOf(bytes, encoding, length)).toBe(TEXT);
    }
  });
});

test('line ends become LF, whatever cuts them', async () => {
  for (const length of LENGTHS) {
    expect(await textOf(utf8('a\r\nb\rc\nd\r\n\r\r'), 'utf-8', length)).toBe('a\nb\nc\nd\n\n\n');
  }
});

describe('windows-1252', () => {
  const [before, after] = ['x'.repeat(40), 'y'.repeat(40)];
  const bytes = latin1(`a,b\r\n1,2\r\n${before}caf\xe9 \x80 \x93q\x94${after},3\r\n`);

  test('is proposed with the first line that is not UTF-8, as it would read', async () => {
    for (const length of LENGTHS) {
      expect(await findEncoding(inPieces(bytes, length), 'f.csv')).toEqual({
        encoding: 'windows-1252',
        why: `line 3 is not UTF-8, and reads "${'x'.repeat(21)}café € “q”${'y'.repeat(17)}"`,
        needsAsking: {
          line: 3,
          reads: `"${'x'.repeat(21)}café € “q”${'y'.repeat(17)}"`,
          readings: [{ encoding: 'windows-1252', label: 'it is windows-1252' }],
        },
      });
      expect(await textOf(bytes, 'windows-1252', length)).toContain('café € “q”');
    }
  });

  test.each(['\n', '\r', '\r\n'])('lines that end with %j are counted', async (end) => {
    const bytes = latin1(['a', '', 'b', 'caf\xe9', 'c', ''].join(end));
    for (const length of LENGTHS) {
      const { needsAsking } = await findEncoding(inPieces(bytes, length), 'f.csv');
      expect(needsAsking).toMatchObject({ line: 4, reads: '"café"' });
    }
  });

  test('is doubted where a line before is UTF-8, and that is the other reading', async () => {
    const mixed = Buffer.concat([utf8('a\nü\nb\n'), latin1('caf\xe9\n\xe9')]);
    for (const length of LENGTHS) {
      expect(await findEncoding(inPieces(mixed, length), 'f.csv')).toEqual({
        encoding: 'windows-1252',
        why: 'line 4 is not UTF-8, and reads "café", though line 2 has a character that is: the file may mix two encodings',
        needsAsking: {
          line: 4,
          reads: '"café"',
          readings: [
            { encoding: 'windows-1252', label: 'it is windows-1252' },
            {
              encoding: 'utf-8',
              badBytes: 'replace',
              label: 'it is UTF-8, and 2 places that are not are read as \ufffd',
            },
          ],
        },
      });
    }
  });

  test('is not proposed for bytes that it lacks', async () => {
    const bytes = latin1('a\nb\xe9\x81\n');
    await expect(findEncoding(() => [bytes], 'f.csv')).rejects.toThrow(
      new Error(
        "f.csv, line 2: neither UTF-8 nor windows-1252; name its encoding by --encoding, or read such bytes as \ufffd by --bad-bytes replace (in block.json, the dialect's badBytes)",
      ),
    );
    await expect(textOf(bytes, 'windows-1252', 9)).rejects.toThrow(
      'f.csv, line 2: a byte that is not WINDOWS-1252; if the file is in another encoding, name it by --encoding, or',
    );
  });
});

test('an encoding that a person names is read', async () => {
  expect(await textOf(Uint8Array.of(0xcf, 0xf0, 0xe8), 'windows-1251', 1)).toBe('При');
  expect(await textOf(Uint8Array.of(0x93, 0x8c, 0x8b, 0x9e), 'shift_jis', 1)).toBe('東京');
});

describe('what is no text is refused', () => {
  test.each([
    [
      'zero bytes in odd places',
      utf8('PK\x03\x04\0\0\0x\0\0yz'),
      'f.csv: has zero bytes as no text has; --bad-bytes replace leaves them out of a text',
    ],
  ])('%s', async (_, bytes, message) => {
    await expect(findEncoding(() => [bytes], 'f.csv')).rejects.toThrow(new Error(message));
  });

  test('a character of UTF-16 that is cut in two', async () => {
    await expect(textOf(utf16le('a\nb\n😀').subarray(0, -1), 'utf-16le', 3)).rejects.toThrow(
      'f.csv, line 3: a byte that is not UTF-16LE;',
    );
  });
});

describe('bytes that are no text', () => {
  const fixed = async (bytes: Uint8Array, encoding: string, length: number) => {
    const bad = new BadBytes();
    let text = '';
    for await (const piece of decodeText(sourceOf(bytes, encoding, length), bad)) {
      text += piece;
    }
    return { text, notes: bad.notes(encoding) };
  };
  const join = (...parts: readonly (string | Uint8Array)[]) =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string)));

  test.each([
    ['a byte of Latin-1 among UTF-8', join('a\nü\n', latin1('\xe9'), '\n')],
    ['one behind a byte order mark', join('\ufeffa\n', latin1('\xe9'), '\n')],
    ['a few zero bytes', join('a,b\n1,\0\n', '3,4\n'.repeat(9))],
    ['one zero byte in an odd place', join('a,b\n11,\0\n', '3,4\n'.repeat(9))],
    ['a zero byte in the last piece', join('3,4\n'.repeat(30_000), '1,\0\n')],
    ['nine among a thousand', join('é'.repeat(1100), latin1('\xe9\n'.repeat(11)))],
  ])('are replaced where they are few: %s', async (_, bytes) => {
    const found = await findEncoding(() => [bytes], 'f.csv');
    expect(found).toMatchObject({ encoding: 'utf-8', badBytes: 'replace' });
    expect(found.needsAsking).toBeUndefined();
  });

  test('are asked about where many are no UTF-8, and more are', async () => {
    const bytes = join('é'.repeat(30), latin1('\xe9\n'.repeat(11)));
    const { needsAsking } = await findEncoding(() => [bytes], 'f.csv');
    expect(needsAsking?.readings.map(({ encoding }) => encoding)).toEqual([
      'utf-8',
      'windows-1252',
    ]);
  });

  test('are counted with the first line, however the file is cut', async () => {
    const bytes = join(
      '\ufeffa\r\n\ufffdü\r',
      Uint8Array.of(0xe2, 0x82),
      '\0x\r\n\0',
      latin1('\xe9\xff'),
      'é',
    );
    for (const length of LENGTHS) {
      expect(await fixed(bytes, 'utf-8', length)).toEqual({
        text: 'a\n\ufffdü\n\ufffdx\n\ufffd\ufffdé',
        notes: [
          '3 places that are not utf-8 are read as \ufffd, the first in line 3',
          '2 zero bytes are left out, the first in line 3',
        ],
      });
    }
  });

  test('are those that windows-1252 lacks, too', async () => {
    expect(await fixed(latin1('a\nb\x81\n'), 'windows-1252', 2)).toEqual({
      text: 'a\nb\ufffd\n',
      notes: ['1 place that is not windows-1252 is read as \ufffd, in line 2'],
    });
  });

  test('are exactly those that are no UTF-8, in random bytes', async () => {
    const piece = fc.oneof(
      fc.constantFrom('a', 'ü', '€', '😀', '\ufffd', '\n', '\r\n').map((text) => Buffer.from(text)),
      fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (pieces, length) => {
          const bytes = Buffer.concat(pieces);
          const bad = new BadBytes();
          let text = '';
          for await (const some of decodeText(sourceOf(bytes, 'utf-8', length), bad)) text += some;
          const whole = new TextDecoder().decode(bytes);
          expect(text).toBe(whole.replaceAll('\0', '').replace(/\r\n?/g, '\n'));
          const genuine = bytes.toString('latin1').split('\xef\xbf\xbd').length - 1;
          expect(bad.replaced).toBe(whole.split('\ufffd').length - 1 - genuine);
        },
      ),
      { seed: 26, numRuns: 500 },
    );
  });
});

test('UTF-32 is not taken for UTF-16', async () => {
  const bytes = Buffer.from(
    Uint32Array.from(['\ufeff', ...'id\n1\n'], (one) => one.charCodeAt(0)).buffer,
  );
  await expect(findEncoding(() => [bytes], 'f.csv')).rejects.toThrow(
    'f.csv: is UTF-32; save it as UTF-8',
  );
});
