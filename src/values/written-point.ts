import { type WrittenPlace, wktPoint } from './wkt-point.ts';

/** How a text writes a point. Only of a `pair` it is open which number is the longitude. */
export type PointForm = 'wkt' | 'pair' | 'degrees' | 'wkb';

/** A point in a text; of a pair, the longitude is the first number. Null if the point is empty. */
export type WrittenPoint = { readonly form: PointForm; readonly place: WrittenPlace | null };

/** A text that may be a point. Binary points of four numbers have 82 characters. */
const MOST_CHARACTERS = 200;

const DECIMAL = '[+-]?\\d{1,3}(?:\\.\\d+)?';
const PAIR = new RegExp(`^[([]?\\s*(${DECIMAL})(?:\\s*[,;]\\s*|\\s+)(${DECIMAL})\\s*[)\\]]?$`);

/** Reads a point as people and programs write it: WKT, two numbers, degrees and minutes, or EWKB. */
export function writtenPoint(text: string): WrittenPoint | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const wkt = wktPoint(text);
  if (wkt !== undefined) return { form: 'wkt', place: wkt };
  const [, longitude, latitude] = PAIR.exec(text) ?? [];
  if (longitude !== undefined && latitude !== undefined) {
    return { form: 'pair', place: { longitude, latitude } };
  }
  const degrees = inDegrees(text);
  if (degrees !== undefined) return { form: 'degrees', place: degrees };
  const binary = inBinary(text);
  return binary && { form: 'wkb', place: binary };
}

/** Whether a text shows by itself that it is a point: two numbers of few decimals may be anything. */
export function isSurelyPoint(text: string): boolean {
  const form = writtenPoint(text)?.form;
  return form !== undefined && (form !== 'pair' || /\.\d\d.*\.\d\d/.test(text));
}

const PART = '\\d{1,3}(?:\\.\\d+)?';
const ANGLE = `(${PART})\\s*[\u00b0\u00ba]\\s*(?:(${PART})\\s*['\u2032\u2019]\\s*)?(?:(${PART})\\s*(?:["\u2033\u201d]|'')\\s*)?`;
const BEFORE = new RegExp(`^([NSEW])\\s*${ANGLE}[,;\\s]*([NSEW])\\s*${ANGLE}$`, 'i');
const BEHIND = new RegExp(`^${ANGLE}([NSEW])[,;\\s]*${ANGLE}([NSEW])$`, 'i');

/** Reads `47\u00b022'12"N 8\u00b032'E`. O is east in German and west in French, so it is not read. */
function inDegrees(text: string): WrittenPlace | undefined {
  if (!/[\u00b0\u00ba]/.test(text)) return undefined;
  const [, a, b, c, d, e, f, g, h] = BEFORE.exec(text) ?? [];
  const behind = BEHIND.exec(text);
  const [first, second] =
    a === undefined && behind !== null
      ? [angle(behind[4], ...behind.slice(1, 4)), angle(behind[8], ...behind.slice(5, 8))]
      : [angle(a, b, c, d), angle(e, f, g, h)];
  if (first === undefined || second === undefined || first.isNorth === second.isNorth) {
    return undefined;
  }
  const [north, east] = first.isNorth ? [first, second] : [second, first];
  return { latitude: north.degrees, longitude: east.degrees };
}

/** Decimals of degrees that are kept: a tenth of a millimetre. */
const DECIMALS = 9;

function angle(letter: string | undefined, whole = '', minutes = '0', seconds = '0') {
  if (letter === undefined || Number(minutes) >= 60 || Number(seconds) >= 60) return undefined;
  const degrees = Number(whole) + Number(minutes) / 60 + Number(seconds) / 3600;
  const isMinus = /[SW]/i.test(letter);
  const rounded = Number((isMinus ? -degrees : degrees).toFixed(DECIMALS));
  return { degrees: String(rounded || 0), isNorth: /[NS]/i.test(letter) };
}

/** A point's header in Well-Known Binary: the byte order and the type, which says what follows. */
const HEADER = 5;
const WITH_SRID = 0x20000000;
const WGS_84 = 4326;

/** Reads a point in the binary form of PostGIS (EWKB) or of OGC 06-103r4, as hexadecimal digits. */
function inBinary(text: string): WrittenPlace | undefined {
  if (!/^0[01][\da-f]{40,}$/i.test(text) || text.length % 2 !== 0) return undefined;
  const bytes = Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const view = new DataView(bytes.buffer);
  const isLittle = view.getUint8(0) === 1;
  const type = view.getUint32(1, isLittle);
  const hasSrid = (type & WITH_SRID) !== 0;
  if ((type & 0x0fffffff) % 1000 !== 1) return undefined;
  if (hasSrid && view.getUint32(HEADER, isLittle) !== WGS_84) return undefined;
  const from = HEADER + (hasSrid ? 4 : 0);
  const numbers = (bytes.length - from) / 8;
  if (!Number.isInteger(numbers) || numbers < 2 || numbers > 4) return undefined;
  const [longitude, latitude] = [0, 8].map((at) => view.getFloat64(from + at, isLittle));
  if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) return undefined;
  return { longitude: String(longitude), latitude: String(latitude) };
}
