import type { FileFormat } from '../block/block-file.ts';
import { listed, SeedError } from './source-table.ts';

/** How many of a file's first bytes tell its format; fewer do if the file is shorter. */
export const DETECTED_BYTES = 65_536;

/**
 * The format of a file by its first bytes, and by its name where these may be several. Throws a
 * SeedError if it is something else: a web page, a PDF, a picture, another office format.
 */
export function detectFormat(firstBytes: Uint8Array, file: string): FileFormat {
  const bytes = Buffer.from(firstBytes.buffer, firstBytes.byteOffset, firstBytes.byteLength);
  const start = bytes.toString('latin1', 0, 64);
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? '';
  // A text file may begin with PK or PAR1 too, but holds no zeros.
  const isBinary = bytes.includes(0);
  if (start.startsWith('PAR1') && isBinary) return 'parquet';
  if (start.startsWith('PK\x03') || start.startsWith('PK\x05')) return inZip(bytes, file);
  const other = OTHERS.find(([magic]) => {
    return start.startsWith(magic) && (isBinary || !/^[A-Z]/i.test(magic));
  });
  if (other !== undefined) throw new SeedError(file, other[1]);
  if (start.startsWith(COMPOUND)) {
    const isNew = ending === 'xlsx' || ending === 'xlsm';
    throw new SeedError(
      file,
      isNew
        ? 'an Excel file with a password; save it without one'
        : 'an old Excel file (.xls), or one with a password; save it as .xlsx without one',
    );
  }
  if (/^(?:\xff\xfe|\xfe\xff)/.test(start)) return BY_NAME.get(ending) ?? 'csv';
  if (isBinary) throw new SeedError(file, `bytes of no table; expected ${EXPECTED}`);
  const text = bytes.toString().replace(/^[\ufeff\s]+/, '');
  if (/^(?:\{\s*["'}]|\[\s*[[{\]"])/.test(text)) return inJson(text, ending);
  if (/^<(?:!doctype html|html|head|body|script|meta|style|table|div|!--)/i.test(text)) {
    const reason = 'a web page, perhaps of a login or an error; download the file itself';
    throw new SeedError(file, reason);
  }
  if (/^<(?:[?!]|[a-z]+[\s>:])/i.test(text)) throw new SeedError(file, `XML; expected ${EXPECTED}`);
  return BY_NAME.get(ending) === 'tsv' ? 'tsv' : 'csv';
}

const EXPECTED = 'CSV, TSV, JSON, NDJSON, GeoJSON, .xlsx or Parquet';

/** Microsoft's compound file: .xls, and an encrypted .xlsx. */
const COMPOUND = '\xd0\xcf\x11\xe0';

const OTHERS: readonly (readonly [magic: string, reason: string])[] = [
  ['%PDF', 'a PDF; ask its publisher for the table behind it'],
  ['\x1f\x8b', 'packed with gzip; unpack it: gunzip <file>'],
  ['BZh', 'packed with bzip2; unpack it: bunzip2 <file>'],
  ['\x28\xb5\x2f\xfd', 'packed with zstd; unpack it: unzstd <file>'],
  ['7z\xbc\xaf', 'a 7-Zip archive; unpack it'],
  ['Rar!', 'a RAR archive; unpack it'],
  ['PARE', 'an encrypted Parquet file; write it without encryption'],
  ['ARROW1', 'an Arrow file; write it as Parquet'],
  ['ORC', 'an ORC file; write it as Parquet'],
  ['SQLite format 3', 'an SQLite database; export its table as CSV'],
  ['\x89PNG', 'a picture'],
  ['\xff\xd8\xff', 'a picture'],
  ['GIF8', 'a picture'],
];

/** A zip archive by its first file: Excel begins with one of a few. */
function inZip(bytes: Buffer, file: string): 'xlsx' {
  const length = bytes.length < 30 ? 0 : bytes.readUInt16LE(26);
  const name = bytes.toString('utf8', 30, 30 + length);
  if (name === 'mimetype') {
    throw new SeedError(file, 'an OpenDocument file (.ods); save it as .xlsx or CSV');
  }
  if (/^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|customXml\/|xl\/)/i.test(name)) return 'xlsx';
  throw new SeedError(file, `a zip archive that begins with "${listed([name])}"; unpack it`);
}

/** Objects one on a line are NDJSON; a lone one is so by its name only. */
function inJson(text: string, ending: string): FileFormat {
  if (text.startsWith('{')) {
    const end = text.indexOf('\n');
    const hasMore = end >= 0 && text.slice(end).trim() !== '';
    const first = hasMore ? parsed(text.slice(0, end)) : undefined;
    if (first?.type === 'Feature') return 'geojson';
    if (first !== undefined || BY_NAME.get(ending) === 'ndjson') return 'ndjson';
    if (/"type"\s*:\s*"(?:FeatureCollection|Topology)"/.test(text.slice(0, 4096))) return 'geojson';
  }
  return BY_NAME.get(ending) === 'geojson' ? 'geojson' : 'json';
}

function parsed(text: string): { readonly type?: unknown } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const BY_NAME: ReadonlyMap<string, FileFormat> = new Map([
  ['tsv', 'tsv'],
  ['tab', 'tsv'],
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['json', 'json'],
  ['geojson', 'geojson'],
]);
