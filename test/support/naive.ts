import type { Field, Row } from '../../src/core/field.ts';

/** Section 2 of the contract read naively, sharing no code with the product: the oracle. */
export type NaiveQuery = {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly sort?: { field: string; descending: boolean };
};

/** The positions of all rows that match, in order. */
export function naiveRows(
  fields: readonly Field[],
  rows: readonly Row[],
  query: NaiveQuery,
): number[] {
  const { arguments: given, sort } = query;
  const found = rows.flatMap((row, i) => (fields.every((f) => passes(f, row, given)) ? [i] : []));
  if (sort === undefined) return found;
  const value = (i: number) => {
    const field = fields.find(({ name }) => name === sort.field);
    const raw = rows[i]?.[sort.field] ?? null;
    return typeof raw === 'string' && field !== undefined ? compared(field, raw) : raw;
  };
  return found.sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === y) return a - b;
    if (x === null) return 1;
    if (y === null) return -1;
    const order =
      typeof x === 'string'
        ? Buffer.compare(Buffer.from(x), Buffer.from(y as string))
        : x < (y as number)
          ? -1
          : 1;
    return (sort.descending ? -order : order) || a - b;
  });
}

function passes(field: Field, row: Row, given: Readonly<Record<string, unknown>>): boolean {
  const value = row[field.name] ?? null;
  if (field.kind === 'range') {
    const min = given[`${field.name}_min`] as number | undefined;
    const max = given[`${field.name}_max`] as number | undefined;
    if (min === undefined && max === undefined) return true;
    return typeof value === 'number' && !(value < (min ?? value)) && !(value > (max ?? value));
  }
  const wanted = given[field.name];
  if (field.kind === 'carried' || wanted === undefined) return true;
  if (value === null) return false;
  return [wanted].flat().some((text) => passesText(field, String(value), text as string));
}

function passesText(field: Field, stored: string, wanted: string): boolean {
  const isDigits = field.kind === 'text' && field.compare === 'digits';
  const pieces = wanted
    .split(/(\\\*|\*)/)
    .map((piece) =>
      piece === '\\*' ? { literal: '*' } : piece === '*' ? null : { literal: piece },
    );
  const hasStar = pieces.includes(null);
  const text = pieces.map((piece) => (piece === null ? '\u{f0000}' : piece.literal)).join('');
  if (!hasStar) return compared(field, text) === compared(field, stored);
  const folded = isDigits ? naiveFold(text).replace(/[^0-9\u{f0000}]/gu, '') : naiveFold(text);
  const target = isDigits ? naiveFold(stored).replace(/[^0-9]/g, '') : naiveFold(stored);
  if (target === '') return false;
  const source = folded
    .split('\u{f0000}')
    .map((piece) => piece.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(`^${source.join('[^]*')}$`, 'u').test(target);
}

function compared(field: Field, text: string): string {
  const folded = naiveFold(text);
  if (field.kind !== 'text' || field.compare !== 'digits') return folded;
  const digits = folded.replace(/[^0-9]/g, '');
  return /^1[0-9]{10}$/.test(digits) ? digits.slice(1) : digits;
}

/** For the letters that the tests use: accents go, case goes, ß is ss. */
function naiveFold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u200b\u00ad]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}
