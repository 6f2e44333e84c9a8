import type { Members } from '../arguments/given.ts';
import { type DatasetBlock, fieldsInOrder } from '../block/block.ts';
import { type Dimension, dimensionOfBins, MOST_FACET_VALUES } from '../block/grouping.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import { alternativeName, isFilterable } from '../block/parameter.ts';
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
  // One more is no more to look at than a line that says that there is one.
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
      return known?.values === undefined || distinct > MOST_FACET_VALUES ? WORDS : CHOICE;
    case 'range':
      if (keysOfDay(field) !== undefined) return TIME;
      return isLabel(field) ? KEY : RANGE;
  }
}

/** Counting the rows of larger datasets takes too long for each page. */
const MOST_COUNTED_ROWS = 1_000_000;

/** Filters whose rows are counted: those in sight, and a few more that are asked for. */
const MOST_COUNTED = 12;

/** What a page counts beside its answer, for the filters that it shows. */
export type CountedBeside = {
  /** Fields of few values. */
  readonly facets: readonly string[];
  readonly bins: readonly Dimension[];
};

/**
 * What must be counted of a block's filters. Without filters, the import has counted it, as far as
 * it tells all values.
 */
export function countedBeside(
  block: DatasetBlock,
  manifest: Manifest,
  profile: DatasetProfile | undefined,
  values: Members,
): CountedBeside {
  if (manifest.rows > MOST_COUNTED_ROWS) return { facets: [], bins: [] };
  const filtered = filteredFields(block, values);
  const { first, more } = filterOrder(block, manifest);
  const given = more.filter(({ name }) => filtered.includes(name));
  const facets: string[] = [];
  const bins: Dimension[] = [];
  for (const field of [...first, ...given].slice(0, MOST_COUNTED)) {
    const { name } = field;
    const isFiltered = filtered.some((other) => other !== name);
    if (typeOf(field).control === 'range') {
      const known = ownMember(profile?.bins, name);
      if (isFiltered && known !== undefined) bins.push(dimensionOfBins(field, known.edges));
    } else if (isCounted(field, manifest)) {
      const known = ownMember(profile?.commonest, name) ?? [];
      const { distinct } = manifest.fields[name] ?? {};
      if (isFiltered || known.length !== distinct) facets.push(name);
    }
  }
  return { facets, bins };
}

/** Whether a field has so few values that a page offers all of them, with their rows. */
export function isCounted(field: Field, { fields }: Manifest): boolean {
  const known = ownMember(fields, field.name);
  if (known === undefined || typeOf(field).isOrdered) return false;
  return known.distinct > 1 && known.distinct <= MOST_FACET_VALUES;
}

/** Whether the arguments have filters on anything but a field. */
export function isFilteredBeside(block: DatasetBlock, values: Members, name: string): boolean {
  return filteredFields(block, values).some((other) => other !== name);
}

/** The fields of the filters among the arguments. A place or words are of no single field. */
function filteredFields({ parameters }: DatasetBlock, values: Members): (string | undefined)[] {
  const known = new Map(parameters.map(({ name, field }) => [name, field]));
  return Object.entries(values).flatMap(([name, value]) => {
    const isFilter = known.has(name) || alternativeName(name) !== undefined;
    return isFilter && value !== undefined ? [known.get(name)] : [];
  });
}
