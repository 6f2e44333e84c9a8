import { AREA_KINDS, type AreaKind } from '../block/manifest.ts';
import {
  type AreaFinder,
  areaFinder,
  MOST_OF_CODE,
  NOUNS_OF_AREA,
  US_STATES,
} from './area-names.ts';
import type { InferredColumn } from './inferred-column.ts';
import type { BoundariesFile } from './recipe.ts';

/** A new file's column of names or codes of areas, for a map of them. */

/** The part of the different values that must name an area: names, and codes, which are like others. */
const LEAST_OF_NAMES = 0.75;
const LEAST_OF_CODES = 0.9;

/** A map of fewer areas shows little. */
const LEAST_AREAS = 3;

/** More different values than this are no areas. */
const MOST_VALUES = 4000;

/** Words of headers that say of what kind areas are. Digits are codes only below one of these. */
const WORDS: Readonly<Record<AreaKind, RegExp>> = {
  'us-states': /(?:^|_|\b)(?:states?|st|fips|geoid|geo_id|province_state|state\w*)(?:_|\b|$)/i,
  'us-counties': /(?:^|_|\b)(?:count(?:y|ies)|fips|geoid|geo_id|parish)(?:_|\b|$)/i,
  countries: /(?:^|_|\b)(?:countr(?:y|ies)|nation|iso\w*|m49|land|staat|pais|país|pays)(?:_|\b|$)/i,
};

type Proposal = {
  readonly boundaries?: Required<Pick<BoundariesFile, 'areas' | 'field'>> &
    Pick<BoundariesFile, 'within'>;
  readonly notes: readonly string[];
};

/** A kind of areas that a column may name, and the part of its values that do. */
type Fit = {
  readonly kind: AreaKind;
  readonly share: number;
  readonly within?: string;
  readonly isCalled: boolean;
};

/** Proposes the areas of the first column whose values name some; nothing if no column's do. */
export async function findAreas(columns: readonly InferredColumn[]): Promise<Proposal> {
  const open: string[] = [];
  const finders = new Map<AreaKind, AreaFinder>();
  const finderOf = async (kind: AreaKind) => {
    const find = finders.get(kind) ?? (await areaFinder(kind));
    finders.set(kind, find);
    return find;
  };
  for (const column of columns) {
    const fits = await fitsOf(column, finderOf);
    const [best, second] = fits.toSorted(
      (a, b) => b.share - a.share || Number(b.isCalled) - Number(a.isCalled),
    );
    if (best === undefined) continue;
    const isTie =
      second !== undefined && second.share === best.share && second.isCalled === best.isCalled;
    if (isTie) {
      open.push(
        `${column.name} has names of ${best.kind} and of ${second.kind} alike; "boundaries" in block.json says which a map has`,
      );
      continue;
    }
    const { kind, within } = best;
    const of = within === undefined ? '' : ` of ${within}`;
    return {
      boundaries: { areas: kind, field: column.name, within },
      notes: [
        `${column.name} names ${NOUNS_OF_AREA[kind][1]}${of}, which a map shows; to change that, edit "boundaries" in block.json`,
      ],
    };
  }
  return { notes: open };
}

async function fitsOf(
  { name, header, decision }: InferredColumn,
  finderOf: (kind: AreaKind) => Promise<AreaFinder>,
): Promise<Fit[]> {
  const { type, distinct, samples } = decision;
  if ((type !== 'text' && type !== 'integer') || distinct.count > MOST_VALUES) return [];
  const values = samples.map(({ cell }) => cell.trim());
  if (values.length < LEAST_AREAS) return [];
  const fits: Fit[] = [];
  for (const kind of AREA_KINDS) {
    const isCalled = WORDS[kind].test(header) || WORDS[kind].test(name);
    if (!isCalled && !values.some(isWord)) continue;
    if (kind === 'us-counties' && !mayBeCounties(values, isCalled)) continue;
    const find = await finderOf(kind);
    const within = kind === 'us-counties' ? stateOf(values, find) : undefined;
    const share = shareOf(values, (value) => find(value, within), isCalled);
    const areCodes = values.every((value) => !isWord(value) || value.length <= MOST_OF_CODE);
    if (share >= (areCodes ? LEAST_OF_CODES : LEAST_OF_NAMES)) {
      fits.push({ kind, share, isCalled, within });
    }
  }
  return fits;
}

const isWord = (value: string) => /\p{L}/u.test(value);

/** The part of the values that name an area; 0 if these are too few areas. */
function shareOf(values: readonly string[], find: AreaFinder, isCalled: boolean): number {
  // Short words in small letters are of languages and units as well.
  const mayBe = (value: string) =>
    isWord(value) ? value.length > MOST_OF_CODE || value === value.toUpperCase() : isCalled;
  const found = values.flatMap((value) => (mayBe(value) ? (find(value) ?? []) : []));
  return new Set(found).size < LEAST_AREAS ? 0 : found.length / values.length;
}

/** Whether counties say where they are, by a code or with their state, or are called counties. */
function mayBeCounties(values: readonly string[], isCalled: boolean): boolean {
  return isCalled || values.every((value) => /.,\s*\p{L}/u.test(value));
}

/** The one state that has all counties of these names. Many of several states have the same one. */
function stateOf(values: readonly string[], find: AreaFinder): string | undefined {
  if (values.some((value) => value.includes(',') || !isWord(value))) return undefined;
  const found = US_STATES.filter(({ name }) => {
    return shareOf(values, (value) => find(value, name), true) >= LEAST_OF_CODES;
  });
  return found.length === 1 ? found[0]?.name : undefined;
}
