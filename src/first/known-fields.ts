import { type DatasetBlock, fieldsInOrder } from '../block/block.ts';
import type { Bins, DatasetProfile, Manifest } from '../block/manifest.ts';
import { fold } from '../text/fold.ts';
import { ownMember } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';

/** A field, and what the import has learned of its values. */
export type KnownField = {
  readonly field: Field;
  /** How many rows have a value, and their share of all rows. */
  readonly filled: number;
  readonly share: number;
  readonly distinct: number;
  readonly min?: number;
  readonly max?: number;
  readonly median?: number;
  /** All values of a text if they are few; else the commonest. */
  readonly values: readonly string[];
  /** The share of the rows with a value that have the commonest text, or lie in the fullest step. */
  readonly crowded?: number;
  /** The words of its name and those of its title, in lower case. */
  readonly words: readonly (readonly string[])[];
};

/** A block's fields with what is known of them, in a fixed order: the key fields first. */
export function knownFields(
  block: Pick<DatasetBlock, 'fields' | 'keyFields'>,
  { rows, fields: statistics }: Pick<Manifest, 'rows' | 'fields'>,
  profile?: DatasetProfile,
): KnownField[] {
  return fieldsInOrder(block).map((field) => {
    const {
      nulls = rows,
      distinct = 0,
      min,
      max,
      values,
    } = ownMember(statistics, field.name) ?? {};
    const filled = rows - nulls;
    const most = mostIn(field, profile, { min, max });
    const median = ownMember(profile?.medians, field.name);
    return {
      field,
      filled,
      distinct,
      share: rows === 0 ? 0 : filled / rows,
      min: min === undefined || max === undefined ? undefined : min,
      max: min === undefined || max === undefined ? undefined : max,
      median,
      values: values ?? ownMember(profile?.suggestions, field.name) ?? [],
      crowded: most === undefined || filled === 0 ? undefined : most / filled,
      words: [wordsOf(field.name), wordsOf(field.title)],
    };
  });
}

type Ends = { readonly min?: number | undefined; readonly max?: number | undefined };

/** The rows with the commonest text, or in the fullest of equal steps. */
function mostIn(
  { name }: Field,
  profile: DatasetProfile | undefined,
  ends: Ends,
): number | undefined {
  const bins = ownMember(profile?.bins, name);
  if (bins !== undefined) return mostInStep(bins, ends);
  const counts = ownMember(profile?.commonest, name);
  return counts === undefined ? undefined : Math.max(0, ...counts.map(([, rows]) => rows));
}

/** Steps from the least to the greatest value, in which a histogram is told to be even or not. */
const STEPS = 24;

/** At most this many rows are in one step, by the bins that overlap it. */
function mostInStep({ edges: all, counts }: Bins, { min, max }: Ends): number {
  // A scale of several columns goes beyond the values of one.
  const edges = all.map((edge) => Math.max(min ?? edge, Math.min(max ?? edge, edge)));
  const step = ((edges.at(-1) as number) - (edges[0] as number)) / STEPS;
  const widthOf = (i: number) => (edges[i + 1] as number) - (edges[i] as number);
  let most = 0;
  for (let from = 0, to = 0, rows = 0; from < counts.length; from++) {
    while (to < counts.length && (edges[to + 1] as number) - (edges[from] as number) <= step) {
      rows += counts[to++] as number;
    }
    if (to > from) {
      most = Math.max(most, rows);
      rows -= counts[from] as number;
    } else {
      most = Math.max(most, ((counts[from] as number) * step) / widthOf(from));
      to = from + 1;
    }
  }
  return most;
}

function wordsOf(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}%]+/u)
    .filter((word) => word !== '');
}

/** Whether any word of a field's name or title is one of these. */
export function hasWord({ words }: KnownField, pattern: RegExp): boolean {
  return words.some((of) => of.some((word) => pattern.test(word)));
}

/** Whether the name or the title ends with one of these words; a number behind it is left out. */
export function endsWith({ words }: KnownField, pattern: RegExp): boolean {
  return words.some((of) => pattern.test(of.findLast((word) => !/^\d+$/.test(word)) ?? ''));
}

/** Whether a field has short texts, of which rows are grouped. */
export function isWords({ field }: KnownField): boolean {
  return field.type === 'text' || typeOf(field).json === 'boolean';
}

/** Whether the first of several words of a name is one of these: Romance languages begin with it. */
export function beginsWith({ words }: KnownField, pattern: RegExp): boolean {
  return words.some(([first = '', ...others]) => others.length > 0 && pattern.test(first));
}

/** The last words of names and titles of ids and codes. */
export const CODE_WORD =
  /^(?:ids?|(?:row|object|page|user|post|item|store|event|case|person|player|team|game|station|site|school|product|order|customer|patient|subject|record|location|parcel|route|stop|trip|geo|osm)ids?|rownames?|pk|fk|sno|srno|slno|uuid|guid|key|no|nr|num|number|nummer|numero|code|codes|abbr|abbreviation|iso[23]?|iata|icao|ref|reference|zip|zipcode|postcode|plz|phone|telephone|fax|fips|geoid|tract|bbl|bin|isbn|ein|sku|version|rank|seq|sequence|order|position|sort)$/;

/**
 * The least of some by a penalty; the first of those that have the least. The result does not depend
 * on anything but their order.
 */
export function leastOf<T>(all: readonly T[], penaltyOf: (one: T) => number): T | undefined {
  let [found, least]: [T | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const one of all) {
    const penalty = penaltyOf(one);
    if (penalty < least) [found, least] = [one, penalty];
  }
  return found;
}
