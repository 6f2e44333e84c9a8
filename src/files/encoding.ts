import { numberText } from '../text/wording.ts';
import {
  BadBytes,
  decodeText,
  type Encoding,
  type Fault,
  findFault,
  isDecodable,
  LEAVE_THEM_OUT,
  REPLACE_THEM,
} from './decode-text.ts';
import { type ReadBytes, SeedError } from './source-table.ts';

/** The encoding of a file, and the reason. */
type FoundEncoding = {
  readonly encoding: Encoding;
  readonly why: string;
  /** Set if a few bytes are not text. They are replaced or left out, and counted. */
  readonly badBytes?: 'replace';
  /**
   * Set if a person must decide: the first line that is not UTF-8, the text around that place in
   * windows-1252, and the ways to read the file, the safest first.
   */
  readonly needsAsking?: {
    readonly line: number;
    readonly reads: string;
    readonly readings: readonly EncodingReading[];
  };
};

type EncodingReading = {
  readonly encoding: Encoding;
  readonly badBytes?: 'replace';
  readonly label: string;
};

/**
 * Finds a file's encoding: by its byte order mark, by the zero bytes of UTF-16, or UTF-8 if all
 * bytes fit, or all but a few beyond ASCII. Otherwise proposes windows-1252, and a person must
 * decide. `given` says that bytes which are not text are replaced, however many there are.
 */
export async function findEncoding(
  readBytes: ReadBytes,
  file: string,
  given?: 'replace',
): Promise<FoundEncoding> {
  const { encoding, why, hasMark } = await encodingOfHead(readBytes, file, given);
  if (encoding !== 'utf-8') return { encoding, why, badBytes: given };
  const isWhole = await isDecodable(readBytes, encoding);
  if (isWhole && !(await hasZeros(readBytes))) return { encoding, why };
  const { replaced, beyondAscii } = await countBad(readBytes, file);
  const isUtf8 = hasMark || beyondAscii >= replaced;
  const areFew = replaced <= FEW || replaced * 100 <= beyondAscii;
  if (isWhole || given || (isUtf8 && areFew)) return { encoding, why, badBytes: 'replace' };
  const { line, reads, firstBeyondAscii } = (await findFault(readBytes, encoding)) as Fault;
  const readings: EncodingReading[] = [];
  if (!hasMark && (await isDecodable(readBytes, 'windows-1252'))) {
    readings.push({ encoding: 'windows-1252', label: 'it is windows-1252' });
  }
  if (hasMark || beyondAscii > 0) {
    const places = `${numberText(replaced)} ${replaced === 1 ? 'place' : 'places'}`;
    const label = `it is UTF-8, and ${places} that are not are read as \ufffd`;
    readings.push({ encoding, badBytes: 'replace', label });
  }
  if (isUtf8) readings.reverse();
  const [first] = readings;
  if (first === undefined) {
    const reason = `neither UTF-8 nor windows-1252; name its encoding by --encoding, or ${REPLACE_THEM}`;
    throw new SeedError(file, reason, { line });
  }
  const mixed =
    firstBeyondAscii === undefined
      ? ''
      : `, though line ${firstBeyondAscii} has a character that is: the file may mix two encodings`;
  return {
    encoding: first.encoding,
    why: `line ${line} is not UTF-8, and reads ${reads}${mixed}`,
    needsAsking: { line, reads, readings },
  };
}

/** An encoding that a text may have which reads so in windows-1252, or `usual` if none is likely. */
export function likelyEncoding(reads: string, usual: string): string {
  // Cyrillic words are accented letters from end to end.
  if (/[\u00c0-\u00ff]{5}/.test(reads)) return 'windows-1251';
  // Signs within words are letters of Polish, Czech or Hungarian.
  if (/\p{L}[\u00b3\u00b9\u00bf\u00be]\p{L}/u.test(reads)) return 'windows-1250';
  return usual;
}

/** The encoding that a file's beginning shows. UTF-8 if it shows nothing else. */
export async function encodingOfHead(readBytes: ReadBytes, file: string, given?: 'replace') {
  const head = await headOf(readBytes);
  if (head[0] === 0xff && head[1] === 0xfe && head[2] === 0 && head[3] === 0) {
    throw new SeedError(file, 'is UTF-32; save it as UTF-8');
  }
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte));
  const encoding = mark?.encoding ?? encodingByZeros(head, file, given);
  const byBytes = encoding === 'utf-8' ? 'every byte is' : 'every other byte is zero';
  return { encoding, why: mark === undefined ? byBytes : BY_MARK, hasMark: mark !== undefined };
}

const BY_MARK = 'it begins with the byte order mark';

/**
 * A file may have this many places that are not UTF-8 if it has as many characters beyond ASCII.
 */
const FEW = 10;

/** Whether a file has zero bytes. Only for encodings whose texts have none. */
export async function hasZeros(readBytes: ReadBytes): Promise<boolean> {
  for await (const bytes of readBytes()) if (bytes.includes(0)) return true;
  return false;
}

async function countBad(readBytes: ReadBytes, file: string) {
  const bad = new BadBytes();
  let beyondAscii = 0;
  for await (const text of decodeText({ readBytes, file, encoding: 'utf-8' }, bad)) {
    beyondAscii += text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  }
  return { replaced: bad.replaced, beyondAscii: beyondAscii - bad.replaced };
}

const MARKS: readonly { readonly encoding: Encoding; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** Enough to hold line ends and delimiters of any table. */
const HEAD_BYTES = 2 ** 16;

async function headOf(readBytes: ReadBytes): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of readBytes()) {
    read.push(bytes.subarray(0, HEAD_BYTES - length));
    length += bytes.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(read);
}

function encodingByZeros(head: Uint8Array, file: string, given: 'replace' | undefined): Encoding {
  const found = zerosIn(head);
  if (found === 'many' && given === undefined) {
    throw new SeedError(file, `has zero bytes as no text has; ${LEAVE_THEM_OUT}`);
  }
  return found === 'utf-16le' || found === 'utf-16be' ? found : 'utf-8';
}

/**
 * Says what a file's first zero bytes mean. UTF-16 writes ASCII, and thus delimiters and line ends,
 * with a zero byte: after the other byte if it is little-endian. A text in another encoding may
 * have a few zeros from a program or a disk, but then no other control characters.
 */
export function zerosIn(head: Uint8Array): 'none' | 'few' | 'many' | 'utf-16le' | 'utf-16be' {
  const zeros: [even: number, odd: number] = [0, 0];
  let [lineEnds, before, behind, controls] = [0, 0, 0, 0];
  head.forEach((byte, i) => {
    if (byte === 0) zeros[i % 2 === 0 ? 0 : 1]++;
    else if (byte === 0x0a || byte === 0x0d) {
      lineEnds++;
      if (head[i - 1] === 0) before++;
      if (head[i + 1] === 0) behind++;
    } else if (byte < 0x09 || (byte > 0x0d && byte < 0x1a) || (byte > 0x1b && byte < 0x20))
      controls++;
  });
  const [even, odd] = zeros;
  const sum = even + odd;
  if (sum === 0) return 'none';
  const hasAllAt = (besides: number) =>
    lineEnds === 0 ? 5 * sum >= head.length : 2 * besides >= lineEnds;
  if (odd > 20 * even && hasAllAt(behind)) return 'utf-16le';
  if (even > 20 * odd && hasAllAt(before)) return 'utf-16be';
  return controls === 0 && 20 * sum <= head.length ? 'few' : 'many';
}
