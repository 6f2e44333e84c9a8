import { describe, expect, test } from '@jest/globals';
import { decodeText, findEncoding } from '../../src/files/encoding.ts';

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

const textOf = async (bytes: Uint8Array, encoding: string, length: number) => {
  let text = '';
  for await (const piece of decodeText(inPieces(bytes, length), encoding, 'f.csv')) text += piece;
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
        why: 'line 3 is not UTF-8',
        needsAsking: { line: 3, reads: `"${'x'.repeat(21)}café € “q”${'y'.repeat(17)}"` },
      });
      expect(await textOf(bytes, 'windows-1252', length)).toContain('café € “q”');
    }
  });

  test.each(['\n', '\r', '\r\n'])('lines that end with %j are counted', async (end) => {
    const bytes = latin1(['a', '', 'b', 'caf\xe9', 'c', ''].join(end));
    for (const length of LENGTHS) {
      const { needsAsking } = await findEncoding(inPieces(bytes, length), 'f.csv');
      expect(needsAsking).toEqual({ line: 4, reads: '"café"' });
    }
  });

  test('is doubted where lines before are UTF-8', async () => {
    const mixed = Buffer.concat([utf8('a\nü\nb\n'), latin1('caf\xe9\n')]);
    for (const length of LENGTHS) {
      expect((await findEncoding(inPieces(mixed, length), 'f.csv')).why).toBe(
        'line 4 is not UTF-8, though line 2 has a character that is: the file may mix two encodings',
      );
    }
  });

  test('is not proposed for bytes that it lacks', async () => {
    const bytes = latin1('a\nb\xe9\x81\n');
    await expect(findEncoding(() => [bytes], 'f.csv')).rejects.toThrow(
      new Error('f.csv, line 2: neither UTF-8 nor windows-1252; name its encoding'),
    );
    await expect(textOf(bytes, 'windows-1252', 9)).rejects.toThrow(
      new Error('f.csv, line 2: a byte that is not WINDOWS-1252; is the file in another encoding?'),
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
      'f.csv: has zero bytes as no text has; save it as CSV in UTF-8',
    ],
    [
      'a byte order mark before what is not UTF-8',
      Buffer.concat([utf8('\ufeffa\n'), latin1('caf\xe9\n')]),
      'f.csv, line 2: begins with UTF-8\'s byte order mark, and "café" is not UTF-8',
    ],
  ])('%s', async (_, bytes, message) => {
    await expect(findEncoding(() => [bytes], 'f.csv')).rejects.toThrow(new Error(message));
  });

  test('a character of UTF-16 that is cut in two', async () => {
    await expect(textOf(utf16le('a\nb\n😀').subarray(0, -1), 'utf-16le', 3)).rejects.toThrow(
      new Error('f.csv, line 3: a byte that is not UTF-16LE; is the file in another encoding?'),
    );
  });
});
