import type { DatasetBlock } from '../block/block.ts';
import { listInWords } from '../text/wording.ts';
import { isLabel, isNumeric } from '../values/field-types.ts';
import { CODE_WORD, endsWith, hasWord, type KnownField, leastOf } from './known-fields.ts';

/** A number to measure, and why this one: `its first number that is not a rate`. */
export type FirstNumber = { readonly known: KnownField; readonly why: string };

/** What makes a number a worse one to begin with, and how much worse. */
type Flaw = {
  readonly isOf: (known: KnownField) => boolean;
  readonly penalty: number;
  /** What the number chosen instead is not. */
  readonly not: string;
};

/** Words of numbers that are no amounts: their sum means nothing, and they compare other numbers. */
const RATE_WORD =
  /^(?:.*%.*|pct|percent|percentage|percentages|rate|rates|ratio|share|proportion|density|index|per|anteil|quote|prozent|taux|pourcentage|tasa|porcentaje)$/;

function isRate(known: KnownField): boolean {
  return hasWord(known, RATE_WORD) || /%|\/|\bper\b/.test(known.field.unit ?? '');
}

const UNCERTAINTY = /^(?:moe|margin|error|errors|std|stddev|stdev|deviation|uncertainty|ci)$/;

/** In one of 24 equal steps there are so many: the average is made by a few that are far away. */
const CROWDED = 2 / 3;

/** Blank in more rows than this, a number tells of few. */
const WELL_FILLED = 0.8;

const FLAWS: readonly Flaw[] = [
  { isOf: ({ share }) => share < WELL_FILLED, penalty: 8, not: 'often blank' },
  { isOf: isZeroOrOne, penalty: 4, not: 'a flag' },
  { isOf: (known) => hasWord(known, UNCERTAINTY), penalty: 4, not: 'an error' },
  { isOf: isRate, penalty: 2, not: 'a rate' },
  {
    isOf: ({ crowded = 0, distinct }) => crowded > CROWDED && distinct > 2,
    penalty: 1,
    not: 'mostly near one value',
  },
];

/** Numbers of areas on a map: those that do not grow with the area come first. */
const FLAWS_OF_AREAS: readonly Flaw[] = [
  ...FLAWS.filter(({ isOf }) => isOf !== isRate),
  { isOf: (known) => !isRate(known), penalty: 2, not: 'a count' },
  { isOf: (known) => hasWord(known, SIZE_OF_AREA), penalty: 2, not: 'the size of the area' },
];

const SIZE_OF_AREA =
  /^(?:area|aland|awater|acres|acreage|hectares|perimeter|length|shape|shapearea|shapeleng|miles|sqmi|sqkm)$/;

/** The best number to average; of several, the first. Undefined if none can be. */
export function firstNumber(
  all: readonly KnownField[],
  block: Pick<DatasetBlock, 'geometry' | 'primaryKey'>,
  of: 'rows' | 'areas' = 'rows',
): FirstNumber | undefined {
  const flaws = of === 'areas' ? FLAWS_OF_AREAS : FLAWS;
  const flawsOf = (known: KnownField) => flaws.filter(({ isOf }) => isOf(known));
  const penaltyOf = (known: KnownField) =>
    flawsOf(known).reduce((sum, { penalty }) => sum + penalty, 0);
  const numbers = all.filter((known) => isMeasurable(known, block));
  const known = leastOf(numbers, penaltyOf);
  if (known === undefined) return undefined;
  const before = new Set(numbers.slice(0, numbers.indexOf(known)).flatMap(flawsOf));
  const own = flawsOf(known);
  const nots = flaws.filter((flaw) => before.has(flaw) && !own.includes(flaw));
  const that =
    nots.length === 0
      ? ''
      : ` that is not ${listInWords(
          nots.map(({ not }) => not),
          'or',
        )}`;
  return { known, why: `its ${numbers.length === 1 ? 'only' : 'first'} number${that}` };
}

/** Coordinates that no map is made of. */
export const COORDINATE =
  /^(?:lat|latitude|lon|lng|long|longitude|x|y|easting|northing|xcoord|ycoord|coordinate|coordinates)$/;

/** Last words of whole numbers that name parts of time or of a country. */
const NAMED_THING =
  /^(?:month|day|hour|minute|week|weekday|quarter|dow|doy|yyyymm|districts?|precincts?|wards?|zones?|blocks?|lot|route|line|cluster|class)$/;

/** Whether an average of a field means something: it is no name, year, id or coordinate. */
export function isMeasurable(
  known: KnownField,
  { geometry, primaryKey = [] }: Pick<DatasetBlock, 'geometry' | 'primaryKey'>,
): boolean {
  const { field, distinct, share } = known;
  if (!isNumeric(field) || distinct < 2 || share < 0.5) return false;
  if (isLabel(field, known) || isRunning(known)) return false;
  if ([geometry?.longitude, geometry?.latitude, ...primaryKey].includes(field.name)) return false;
  if (endsWith(known, CODE_WORD) || endsWith(known, COORDINATE)) return false;
  return !(isWhole(known) && !isRate(known) && endsWith(known, NAMED_THING));
}

/** Whether numbers count the rows: 1, 2, 3. */
function isRunning({ field, min = 0, max = 0, filled, distinct }: KnownField): boolean {
  if (field.type !== 'integer' || distinct !== filled || filled < 3) return false;
  return max - min + 1 === filled && min >= 0 && min <= 1;
}

function isZeroOrOne({ min, max, distinct }: KnownField): boolean {
  return min === 0 && max === 1 && distinct === 2;
}

const isWhole = ({ field, min = 0, max = 0 }: KnownField) =>
  field.type === 'integer' || (Number.isInteger(min) && Number.isInteger(max));
