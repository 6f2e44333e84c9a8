import type { DatasetBlock } from '../block/block.ts';
import type { Boundaries } from '../block/geometry.ts';
import type { Manifest } from '../block/manifest.ts';
import { isFilterable, MOST_TEXT_LENGTH } from '../block/parameter.ts';
import { typeOf } from '../fields/field-types.ts';
import type { DatasetProfile } from '../page/dataset-profile.ts';
import type { KeyedRow } from '../query/predicate.ts';
import { drawMap } from './draw-map.ts';

const BINS = 24;

/** The most suggestions that a page can hold for each of a dozen fields. */
const MOST_SUGGESTIONS = 60;

/** Makes the data that a page shows about a dataset, once at import. */
export function profileDataset(
  { fields, geometry }: DatasetBlock,
  rows: readonly KeyedRow[],
  manifest: Manifest,
  boundaries?: Boundaries,
): DatasetProfile {
  const asked = fields.filter(isFilterable);
  const ranges = asked.filter((field) => typeOf(field).control === 'range');
  const texts = asked.filter((field) => typeOf(field).control === 'text');
  const map =
    geometry === undefined
      ? undefined
      : drawMap(
          geometry,
          rows.map(({ values }) => values),
          boundaries,
        );
  return {
    histograms: Object.fromEntries(
      ranges.flatMap(({ name }) => {
        const { min, max } = manifest.fields[name] ?? {};
        if (min === undefined || max === undefined) return [];
        return [[name, histogramOf(rows, name, min, max)]];
      }),
    ),
    suggestions: Object.fromEntries(texts.map(({ name }) => [name, suggestionsOf(rows, name)])),
    ...(map === undefined ? {} : { map }),
  };
}

function histogramOf(
  rows: readonly KeyedRow[],
  name: string,
  min: number,
  max: number,
): readonly number[] {
  const bins = new Array<number>(BINS).fill(0);
  for (const { keys } of rows) {
    const value = keys[name];
    if (typeof value !== 'number') continue;
    const bin = max === min ? 0 : Math.floor(((value - min) / (max - min)) * BINS);
    bins[Math.min(bin, BINS - 1)] = (bins[Math.min(bin, BINS - 1)] as number) + 1;
  }
  return bins;
}

/** One spelling for each group of values that compare as equal; stars are escaped. */
function suggestionsOf(rows: readonly KeyedRow[], name: string): string[] {
  const found = new Map<string, { text: string; count: number }>();
  for (const { values, keys } of rows) {
    const key = keys[name] as string | undefined;
    if (key === undefined) continue;
    const entry = found.get(key) ?? { text: (values[name] as string).trim(), count: 0 };
    entry.count++;
    found.set(key, entry);
  }
  return [...found.values()]
    .filter(({ text }) => text.length < MOST_TEXT_LENGTH / 2 && !/[\r\n]/.test(text))
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ text }) => text.replaceAll('*', '\\*'));
}
