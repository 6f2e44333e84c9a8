import type { Members } from '../arguments/given.ts';
import type { BlockDescription } from '../block/describe-block.ts';
import { parseDecimal } from '../values/decimal.ts';

type Channels = readonly [string, string, string];

/** Reads `#ff7f50`, `#f75`, `ff7f50`, `255 127 80` or `255,127,80` as red, green and blue. */
export function readColor(text: string): Channels | undefined {
  const hex = /^#?([0-9a-f]{6})$/i.exec(text)?.[1] ?? doubled(/^#([0-9a-f]{3})$/i.exec(text)?.[1]);
  if (hex !== undefined) {
    return [0, 2, 4].map((at) => `${Number.parseInt(hex.slice(at, at + 2), 16)}`) as never;
  }
  // Three numbers are never this long; long text is not split.
  if (text.length > 100) return undefined;
  const parts = text.trim().split(/\s*,\s*|\s+/);
  const isColor = parts.length === 3 && parts.every((part) => parseDecimal(part) !== undefined);
  return isColor ? (parts as never) : undefined;
}

/** Writes a colour as `#rrggbb` if the arguments have one. */
export function writeColor({ color }: BlockDescription, given: Members): string | undefined {
  const channels = color?.channels.map((name) =>
    Object.hasOwn(given, name) ? byteOf(given[name]) : undefined,
  );
  if (channels === undefined || channels.includes(undefined)) return undefined;
  return `#${channels.map((byte) => byte?.toString(16).padStart(2, '0')).join('')}`;
}

function byteOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? parseDecimal(value) : value;
  return Number.isInteger(number) && (number as number) >= 0 && (number as number) <= 255
    ? (number as number)
    : undefined;
}

function doubled(hex: string | undefined): string | undefined {
  return hex === undefined ? undefined : Array.from(hex, (digit) => digit + digit).join('');
}
