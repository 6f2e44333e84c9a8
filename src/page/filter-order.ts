import type { Members } from '../arguments/given.ts';
import { type DatasetBlock, fieldsInOrder } from '../block/block.ts';
import { type Dimension, dimensionOfForm } from '../block/grouping.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import {
  alternativeName,
  BBOX,
  EMPTY,
  FILLED,
  isFilterable,
  NEAR,
  Q,
  WITHIN,
} from '../block/parameter.ts';
import { ownMember } from '../values/field-type.ts';
import { type Field, isLabel, keysOfDay, typeOf } from '../values/field-types.ts';

/** The fields that a page's filters ask for: those in sight, and the rest. */
export type FilterOrder = { readonly first: readonly Field[]; readonly more: readonly Field[] };

/** Filters in sight; the others are folded. */
const MOST_FIRST = 8;

/** Of these, choices and ranges that come before all others. */
const FIRST_CHOICES = 5;
const FIRST_RANGES = 3;

/**
 * The filters by their use: few values, then ranges, yes or no, and texts; at last keys, coordinates
 * and what says nothing. Key fields come before others of their kind.
 */
export function filterOrder(
  block: Pick<DatasetBlock, 'fields' | 'keyFields' | 'primaryKey' | 'geometry'>,
  manifest: Manifest,
): FilterOrder {
  const fields = fieldsInOrder(block).filter(isFilterable);
  const uses = new Map(fields.map((field) => [field, useOf(field, block, manifest)]));
  const ofUse = (...those: readonly number[]) =>
    those.flatMap((use) => fields.filter((field) => uses.get(field) === use));
  const before = [
    ...ofUse(CHOICE).slice(0, FIRST_CHOICES),
    ...ofUse(TIME, RANGE).slice(0, FIRST_RANGES),
  ];
  const useful = [...new Set([...before, ...ofUse(CHOICE, TIME, RANGE, YES_OR_NO, WORDS)])];
  const rest = ofUse(KEY, NOTHING);
  const all = [...useful, ...rest];
  // A filter takes no more room than a line that says that there is one more.
  const seen = all.length <= MOST_FIRST + 1 ? all.length : Math.min(MOST_FIRST, useful.length);
  return { first: all.slice(0, seen), more: all.slice(seen) };
}

/** The uses of a filter, the greatest first. */
const [CHOICE, TIME, RANGE, YES_OR_NO, WORDS, KEY, NOTHING] = [0, 1, 2, 3, 4, 5, 6];

function useOf(
  field: Field,
  { primaryKey = [], geometry }: Pick<DatasetBlock, 'primaryKey' | 'geometry'>,
  { fields }: Manifest,
): number {
  const { name } = field;
  const known = ownMember(fields, name);
  const { distinct = 0, nulls = 0 } = known ?? {};
  if (distinct === 0 || (distinct === 1 && nulls === 0)) return NOTHING;
  const isCoordinate = name === geometry?.latitude || name === geometry?.longitude;
  const { control } = typeOf(field);
  if (isCoordinate || (primaryKey.includes(name) && control !== 'text')) return KEY;
  switch (control) {
    case 'choice':
      return YES_OR_NO;
    case 'text':
      return known?.values === undefined ? WORDS : CHOICE;
    case 'range':
      if (keysOfDay(field) !== undefined) return TIME;
      return isLabel(field) ? KEY : RANGE;
  }
}

/** Counting the rows of larger datasets takes too long for each page. */
const MOST_COUNTED_ROWS = 1_000_000;

/** Filters whose rows are counted: those in sight, and a few more that are asked for. */
const MOST_COUNTED = 12;

/**
 * What must be counted of a block's filters: values of fields with few, and bins of ranges. Without
 * filters, the import has counted it, as far as it tells all values.
 */
export function countedBeside(
  block: DatasetBlock,
  manifest: Manifest,
  profile: DatasetProfile | undefined,
  values: Members,
): Dimension[] {
  if (manifest.rows > MOST_COUNTED_ROWS) return [];
  const names = Object.keys(values).filter((name) => values[name] !== undefined);
  const filtered = filteredFields(block, names);
  const { first, more } = filterOrder(block, manifest);
  const given = more.filter(({ name }) => filtered.includes(name));
  const counted: Dimension[] = [];
  for (const field of [...first, ...given].slice(0, MOST_COUNTED)) {
    const { name } = field;
    const isFiltered = isFilteredBeside(filtered, name);
    if (typeOf(field).control === 'range') {
      const known = ownMember(profile?.bins, name);
      if (isFiltered && known !== undefined) counted.push(dimensionOfForm(field, known.edges));
    } else if (isCounted(field, manifest)) {
      const known = ownMember(profile?.commonest, name) ?? [];
      const { distinct } = manifest.fields[name] ?? {};
      if (isFiltered || known.length !== distinct) counted.push(dimensionOfForm(field));
    }
  }
  return counted;
}

/** Whether a field has so few values that a page offers all of them, with their rows. */
export function isCounted(field: Field, { fields }: Manifest): boolean {
  const { distinct = 0, values } = ownMember(fields, field.name) ?? {};
  if (field.type === 'boolean') return distinct > 0;
  return values !== undefined && distinct > 1 && !typeOf(field).isOrdered;
}

/** Whether some filters are on anything but a field. */
export function isFilteredBeside(filtered: readonly (string | undefined)[], name: string): boolean {
  return filtered.some((other) => other !== name);
}

/** Whether a name of an argument is a filter of rows. */
export function isFilterName({ filters }: Pick<DatasetBlock, 'filters'>, name: string): boolean {
  return filters.has(name) || OF_SEVERAL.includes(name) || alternativeName(name) !== undefined;
}

/** Filters that are of no single field. */
const OF_SEVERAL: readonly string[] = [Q, NEAR, WITHIN, BBOX, EMPTY, FILLED];

/**
 * The fields of the filters among some names. Undefined stands for a filter that has no box with its
 * field: a place, words, alternatives, and what must not be.
 */
export function filteredFields(
  { filters }: Pick<DatasetBlock, 'filters'>,
  names: Iterable<string>,
): (string | undefined)[] {
  return [...names]
    .filter((name) => isFilterName({ filters }, name))
    .map((name) => {
      const filter = filters.get(name);
      return filter?.parameter.op === 'not' ? undefined : filter?.field.name;
    });
}
