import fc from 'fast-check';
import type { DatasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { RandomArguments } from './random-arguments.ts';

/** Arguments that look into several fields at once: mostly none, so that rows are left to find. */
export function randomSearches(
  block: DatasetBlock,
  rows: readonly Row[],
  filters: fc.Arbitrary<RandomArguments>,
): fc.Arbitrary<RandomArguments> {
  const rarely = (asked: fc.Arbitrary<RandomArguments>) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, asked);
  return fc
    .tuple(
      rarely(ofWords(block, rows)),
      rarely(ofBox(block, rows)),
      rarely(ofAlternatives(filters)),
      rarely(ofNear(block, rows)),
    )
    .map((parts) => Object.assign({}, ...parts));
}

/** Filters that a row may match instead of each other, numbered with gaps. */
function ofAlternatives(filters: fc.Arbitrary<RandomArguments>): fc.Arbitrary<RandomArguments> {
  return fc
    .array(filters, { minLength: 1, maxLength: 4 })
    .map((all) =>
      Object.fromEntries(
        all.flatMap((one, i) =>
          Object.entries(one).map(([name, value]) => [`_or.${i + 1}.${name}`, value]),
        ),
      ),
    );
}

/** One or two words, of the texts of rows or cut off. */
function ofWords({ fields }: DatasetBlock, rows: readonly Row[]): fc.Arbitrary<RandomArguments> {
  const texts = fields.filter(
    ({ type, filterable }) => ['text', 'phone', 'link'].includes(type) && filterable !== false,
  );
  const words = texts
    .flatMap(({ name }) => rows.map((row) => String(row[name] ?? '')))
    .flatMap((text) => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
  if (words.length === 0) return fc.constant({});
  const word = fc
    .tuple(fc.constantFrom(...words), fc.integer({ min: 1, max: 12 }))
    .map(([text, length]) => Array.from(text).slice(0, length).join(''));
  const asked = fc.array(word, { minLength: 1, maxLength: 2 }).map((some) => some.join(' '));
  return asked.map((_q) => ({ _q }));
}

/** The places of rows, if there are any that exist. */
function placesOf({ geometry }: DatasetBlock, rows: readonly Row[]): [number, number][] {
  if (geometry === undefined) return [];
  return rows.flatMap((row): [number, number][] => {
    const [lon, lat] = [row[geometry.longitude], row[geometry.latitude]];
    return typeof lon === 'number' &&
      typeof lat === 'number' &&
      Math.abs(lon) <= 180 &&
      Math.abs(lat) <= 90
      ? [[lon, lat]]
      : [];
  });
}

/** A row's place or one near it, and mostly a distance. */
function ofNear(block: DatasetBlock, rows: readonly Row[]): fc.Arbitrary<RandomArguments> {
  const places = placesOf(block, rows);
  if (places.length === 0) return fc.constant({});
  const offset = fc.constantFrom(0, 0, 0.0007, -0.003);
  const near = fc
    .tuple(fc.constantFrom(...places), offset)
    .map(([[lon, lat], by]) =>
      [lon * (1 - Math.abs(by) / 180), lat * (1 - Math.abs(by) / 90)]
        .map((one) => one.toFixed(6))
        .join(','),
    );
  const within = fc.constantFrom('0m', '150m', '0.5km', '1200ft', '9mi', '8000km', '30000km');
  return fc.record({ _near: near, _within: within }, { requiredKeys: ['_near'] });
}

/** A box between two rows: by its longitudes, the way over the 180th meridian as often as not. */
function ofBox(block: DatasetBlock, rows: readonly Row[]): fc.Arbitrary<RandomArguments> {
  const places = placesOf(block, rows);
  if (places.length === 0) return fc.constant({});
  const place = fc.constantFrom(...places);
  return fc.tuple(place, place).map(([[west, a], [east, b]]) => ({
    _bbox: [west, Math.min(a, b), east, Math.max(a, b)].join(','),
  }));
}
