import type { DatasetBlock } from '../block/block.ts';
import { LOWER_BOUND, UPPER_BOUND } from '../figure/bounds.ts';
import { listInWords } from '../text/wording.ts';
import { isLabel, isNumeric, isYear } from '../values/field-types.ts';
import {
  beginsWith,
  CODE_WORD,
  endsWith,
  hasWord,
  type KnownField,
  leastOf,
} from './known-fields.ts';

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

/** Whether a number compares others: a share, a density, a price per piece. */
export function isRate(known: KnownField): boolean {
  return hasWord(known, RATE_WORD) || /%|\/|\bper\b/.test(known.field.unit ?? '');
}

/** Words of numbers that are averaged even if they are whole: half of the rows have no less of it. */
const LEVEL_WORD =
  /^(?:prices?|age|ages|temp|temperature|degrees|mean|average|avg|median|min|max|low|high|lowest|highest|score|scores|rating|grade|speed|level|humidity|pressure|wind|depth|height|altitude|elevation|mag|magnitude|expectancy|expect|life|ppm|concentration|delay|cum|cumul|cumulated|cumulative|cumulatif|kumuliert|acumulado|acumulada|acumulados|acumuladas|preis|temperatur|alter|precio|edad|temperatura|prix)$/;

/** Words of numbers that add up, whole or not. */
const AMOUNT_WORD =
  /^(?:people|persons?|population|pop|inhabitants|residents|riders|ridership|passengers|visitors|visits|trips|employees|deaths?|births?|cases|injured|killed|victims|count|counts|total|totals|sales|sold|revenue|turnover|volume|amount|quantity|units|production|exports|imports|emissions|einwohner|anzahl|umsatz|personas|poblacion|cantidad|ventas|habitants|ventes)$/;

/** Whether numbers of several rows add up to something: people and sales do, prices do not. */
export function addsUp(known: KnownField): boolean {
  if (isRate(known) || hasWord(known, LEVEL_WORD)) return false;
  const { field, min = -1 } = known;
  return hasWord(known, AMOUNT_WORD) || (field.type === 'integer' && min >= 0);
}

const UNCERTAINTY = /^(?:moe|margin|error|errors|std|stddev|stdev|deviation|uncertainty|ci)$/;

/** If one of 24 steps has this share of the rows, a few that are far away make the average. */
const CROWDED = 2 / 3;

/** If the greatest is this many times the median, the greatest alone make the average. */
const FAR_ABOVE = 50;

/** Blank in more rows than this, a number tells of few. */
const WELL_FILLED = 0.8;

const FLAWS: readonly Flaw[] = [
  { isOf: ({ share }) => share < WELL_FILLED, penalty: 8, not: 'often blank' },
  { isOf: (known) => hasWord(known, UNCERTAINTY), penalty: 4, not: 'an error' },
  { isOf: isRate, penalty: 2, not: 'a rate' },
  { isOf: isSkewed, penalty: 1, not: 'mostly near one value' },
];

function isSkewed({ crowded = 0, distinct, max = 0, median = 0 }: KnownField): boolean {
  return (crowded > CROWDED && distinct > 2) || (median > 0 && max > FAR_ABOVE * median);
}

/** Numbers of areas on a map: those that do not grow with the area come first. */
const FLAWS_OF_AREAS: readonly Flaw[] = [
  ...FLAWS.filter(({ isOf }) => isOf !== isRate),
  { isOf: (known) => !isRate(known), penalty: 2, not: 'a count' },
  { isOf: (known) => hasWord(known, SIZE_OF_AREA), penalty: 2, not: 'the size of the area' },
];

/** Numbers of things with names: those that do not grow with the thing come first. */
const FLAWS_OF_THINGS: readonly Flaw[] = [
  ...FLAWS.filter(({ isOf }) => isOf !== isRate),
  { isOf: addsUp, penalty: 1, not: 'an amount' },
];

/** By the hour or the weekday, each average is of many rows, far ones among them. */
const FLAWS_OF_PARTS = FLAWS.filter(({ isOf }) => isOf !== isSkewed);

const FLAWS_OF = {
  rows: FLAWS,
  areas: FLAWS_OF_AREAS,
  things: FLAWS_OF_THINGS,
  parts: FLAWS_OF_PARTS,
} as const;

const SIZE_OF_AREA =
  /^(?:area|aland|awater|acres|acreage|hectares|perimeter|length|shape|shapearea|shapeleng|miles|sqmi|sqkm)$/;

/** The best number to average; of several, the first. Undefined if none can be. */
export function firstNumber(
  all: readonly KnownField[],
  block: Pick<DatasetBlock, 'geometry' | 'primaryKey'>,
  of: keyof typeof FLAWS_OF = 'rows',
): FirstNumber | undefined {
  const flaws = FLAWS_OF[of];
  const flawsOf = (known: KnownField) => flaws.filter(({ isOf }) => isOf(known));
  const penaltyOf = (known: KnownField) =>
    flawsOf(known).reduce((sum, { penalty }) => sum + penalty, 0);
  const numbers = all.filter((known) => isMeasurable(known, block) && !isChoice(known));
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

/** First words of whole numbers that are codes: `cod_municipio`. */
const FIRST_WORD_OF_CODE = /^(?:ids?|cod|codigo|codice|code|clave|cve)$/;

/** Last words of whole numbers that name parts of time or of a country. */
const NAMED_THING =
  /^(?:month|day|hour|minute|week|weekday|quarter|dow|doy|yyyymm|districts?|precincts?|wards?|zones?|blocks?|lot|route|line|cluster|class)$/;

/** Words of whole numbers that say how good or which measurement a row is. */
const MARK_WORD =
  /^(?:flags?|qc|qf|qa|qaqc|qualifier|validity|repeat|repeats|repetition|replicate|replica|trial|iteration|wiederholung|repeticion|repetitie)$/;

/** Words of codes of quality, unless they are more than a few: an index of air quality goes further. */
const QUALITY_WORD = /^(?:quality|qual|qualitat|qualite|calidad|status)$/;
const MOST_QUALITIES = 20;

/** Whether whole numbers are flags, codes of quality, or numbers of repetitions. */
function isMark(known: KnownField): boolean {
  if (!isWhole(known) || hasWord(known, AMOUNT_WORD) || isRate(known)) return false;
  return (
    hasWord(known, MARK_WORD) || (known.distinct <= MOST_QUALITIES && hasWord(known, QUALITY_WORD))
  );
}

const AGE_WORD = /^(?:ages?|agegroup|agegrp|ageband|alter|altersgruppe|edad|leeftijd|eta|idade)$/;

/** How many rows each age has at least if ages are groups, and how many years a group has. */
const ROWS_OF_GROUP = 3;
const YEARS_OF_GROUP = 2;

/** Whether ages are the first years of groups: 0, 5, 10, in several rows each. */
function isStartOfGroup(known: KnownField): boolean {
  const { distinct, filled, min = 0, max = 0 } = known;
  if (!isWhole(known) || distinct < 3 || !hasWord(known, AGE_WORD)) return false;
  return max - min >= YEARS_OF_GROUP * distinct && filled >= ROWS_OF_GROUP * distinct;
}

/** Whether an average of a field means something: it is no name, year, id or coordinate. */
export function isMeasurable(
  known: KnownField,
  { geometry, primaryKey = [] }: Pick<DatasetBlock, 'geometry' | 'primaryKey'>,
): boolean {
  const { field, distinct, share } = known;
  if (!isNumeric(field) || distinct < 2 || share < 0.5) return false;
  if (isLabel(field, known) || isRunning(known) || isNumbering(known)) return false;
  if (isDecimalYear(known)) return false;
  if ([geometry?.longitude, geometry?.latitude, ...primaryKey].includes(field.name)) return false;
  if (endsWith(known, CODE_WORD) || endsWith(known, COORDINATE)) return false;
  if (isWhole(known) && beginsWith(known, FIRST_WORD_OF_CODE)) return false;
  if (isMark(known) || isStartOfGroup(known)) return false;
  return !(isWhole(known) && !isRate(known) && endsWith(known, NAMED_THING));
}

/** Whether numbers count the rows: 1, 2, 3. */
function isRunning({ field, min = 0, max = 0, filled, distinct }: KnownField): boolean {
  if (field.type !== 'integer' || distinct !== filled || filled < 3) return false;
  return max - min + 1 === filled && min >= 0 && min <= 1;
}

/**
 * Whether whole numbers name as many groups of one size: subjects 1 to 20 in three rows each, the
 * rows of a field. A quantity does not come out so even.
 */
function isNumbering(known: KnownField): boolean {
  const { field, min = 0, max = 0, median, filled, distinct, crowded } = known;
  if (field.type !== 'integer' || distinct < LEAST_NUMBERED || filled === distinct) return false;
  if (min < 0 || min > 1 || max - min + 1 !== distinct) return false;
  // The index of a table that was put together of several, below no header.
  if (endsWith(known, /^column$/)) return true;
  return (
    filled % distinct === 0 &&
    median === (min + max) / 2 &&
    (crowded ?? 1) <= EVEN / Math.min(distinct, MOST_STEPS)
  );
}

/** Fewer groups of one size may come by chance. */
const LEAST_NUMBERED = 5;

/** The share of the fullest of 24 steps is at most twice that of an even one. */
const EVEN = 2;
const MOST_STEPS = 24;

const TIME_WORD = /^(?:time|times|date|year|years|yr|zeit|jahr|annee|ano|fecha|tiempo)$/;
const FIRST_YEAR = 1500;
const LAST_YEAR = 2200;

/** Whether a number is a year and a part of it: 2013.25 below `time`. */
function isDecimalYear(known: KnownField): boolean {
  const { min = 0, max = 0 } = known;
  return min >= FIRST_YEAR && max <= LAST_YEAR && endsWith(known, TIME_WORD);
}

/** Whole numbers that are one of a few choices: flags, answers of a survey, numbers of clusters. */
export function isChoice(known: KnownField): boolean {
  const { field, min = 0, max = 0, distinct, filled } = known;
  if (min === 0 && max === 1 && distinct === 2) return true;
  if (field.type !== 'integer' || isYear(field, known)) return false;
  if (hasWord(known, AMOUNT_WORD) || isRate(known)) return false;
  return min >= 0 && max <= GREATEST_CHOICE && filled >= ROWS_OF_CHOICE * distinct;
}

/** Choices are numbered up to this one, and each is in a few rows at least. */
const GREATEST_CHOICE = 10;
const ROWS_OF_CHOICE = 5;

const isWhole = ({ field, min = 0, max = 0 }: KnownField) =>
  field.type === 'integer' || (Number.isInteger(min) && Number.isInteger(max));

/** A number with its other bound, the lower first: `temp_min` and `temp_max`. */
export function boundsOf(
  number: KnownField,
  all: readonly KnownField[],
  block: Pick<DatasetBlock, 'geometry' | 'primaryKey'>,
): readonly [KnownField, KnownField] | undefined {
  const [words = []] = number.words;
  for (const [own, others] of [
    [LOWER_BOUND, UPPER_BOUND],
    [UPPER_BOUND, LOWER_BOUND],
  ] as const) {
    const at = words.findIndex((word) => own.test(word));
    const other = all.find(({ field, words: [of = []] }) => {
      const isAlike = of.length === words.length && field.unit === number.field.unit;
      return isAlike && of.every((word, i) => (i === at ? others.test(word) : word === words[i]));
    });
    if (at < 0 || other === undefined || !isMeasurable(other, block)) continue;
    return own === LOWER_BOUND ? [number, other] : [other, number];
  }
  return undefined;
}
