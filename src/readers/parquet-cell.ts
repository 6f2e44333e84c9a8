import type { SchemaElement } from 'hyparquet';
import { parseFloat16 } from 'hyparquet/src/convert.js';
import { decimalText } from '../values/decimal.ts';

/** Writes a value as it lies in a column; throws an Error if it is no text. */
export type CellWriter = (value: never) => string;

/** How a column's values are written; a text says why they cannot be. */
export function cellWriterOf(element: SchemaElement): CellWriter | string {
  const { type, converted_type: converted, logical_type: logical, scale = 0 } = element;
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') {
    const places = logical?.type === 'DECIMAL' ? logical.scale : scale;
    return (value) => decimalOf(unscaled(value), places);
  }
  if (logical?.type === 'NULL') return () => '';
  if (logical?.type === 'UUID') return uuidText;
  if (logical?.type === 'FLOAT16') return (value) => numberText(parseFloat16(value) as number);
  if (logical?.type === 'DATE' || converted === 'DATE') return (days) => dateText(days);
  if (logical?.type === 'TIMESTAMP') {
    const zone = logical.isAdjustedToUTC ? 'Z' : '';
    return (value) => timestampText(value, DIGITS[logical.unit]) + zone;
  }
  // Those of before 2018 mean UTC.
  if (converted === 'TIMESTAMP_MILLIS') return (value) => `${timestampText(value, 3)}Z`;
  if (converted === 'TIMESTAMP_MICROS') return (value) => `${timestampText(value, 6)}Z`;
  // It comes as nanoseconds; programs differ on its zone.
  if (type === 'INT96') return (value) => timestampText(value, 9);
  if (logical?.type === 'TIME') return (value) => clockText(BigInt(value), DIGITS[logical.unit]);
  if (converted === 'TIME_MILLIS') return (value) => clockText(BigInt(value), 3);
  if (converted === 'TIME_MICROS') return (value) => clockText(BigInt(value), 6);
  if (isUnsigned(element)) {
    const bits = type === 'INT64' ? 64 : 32;
    return (value) => String(BigInt.asUintN(bits, BigInt(value)));
  }
  if (converted === 'INTERVAL' || converted === 'BSON' || logical?.type === 'BSON') {
    return converted === 'INTERVAL' ? 'it holds intervals' : 'it holds BSON';
  }
  switch (type) {
    case 'FLOAT':
      return floatText;
    case 'DOUBLE':
      return numberText;
    case 'BYTE_ARRAY':
    case 'FIXED_LEN_BYTE_ARRAY':
      return utf8Text;
    default:
      return String;
  }
}

const DIGITS = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

function isUnsigned({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return converted?.startsWith('UINT_') || (logical?.type === 'INTEGER' && !logical.isSigned);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function utf8Text(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Error('bytes that are no text in UTF-8; write the table without this column');
  }
}

function numberText(value: number): string {
  return Number.isFinite(value) ? decimalText(value) : String(value);
}

/** The shortest decimal that reads back as this float: nine digits tell all apart. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  for (let digits = 1; digits < 9; digits++) {
    const near = Number(value.toPrecision(digits));
    if (Math.fround(near) === value) return decimalText(near);
  }
  return decimalText(Number(value.toPrecision(9)));
}

/** The whole number of a decimal: bytes are big-endian, in two's complement. */
function unscaled(value: number | bigint | Uint8Array): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value);
  const hex = Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex');
  return BigInt.asIntN(value.length * 8, BigInt(`0x${hex || '0'}`));
}

function decimalOf(whole: bigint, places: number): string {
  const digits = String(whole < 0n ? -whole : whole).padStart(places + 1, '0');
  const sign = whole < 0n ? '-' : '';
  if (places === 0) return sign + digits;
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const DAY_SECONDS = 86_400n;

function timestampText(value: bigint | number, digits: number): string {
  const perDay = DAY_SECONDS * 10n ** BigInt(digits);
  const since = BigInt(value);
  const rest = ((since % perDay) + perDay) % perDay;
  return `${dateText(Number((since - rest) / perDay))}T${clockText(rest, digits)}`;
}

/** A day since 1970. ISO 8601 writes a year outside 0 to 9999 with a sign. */
function dateText(days: number): string {
  const date = new Date(days * 86_400_000);
  if (Number.isNaN(date.getTime())) throw new Error(`day ${days}, which no calendar has`);
  return date.toISOString().replace(/T.*/, '');
}

function clockText(value: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const seconds = Number(value / perSecond);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  const fraction = String(value % perSecond)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  return fraction === '' ? clock : `${clock}.${fraction}`;
}

function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
