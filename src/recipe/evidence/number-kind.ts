import { decimalText } from '../../text/decimal.ts';
import { isNumeric } from '../../values/field-types.ts';
import { cellReader } from '../../values/spelling.ts';
import { timeParser } from '../../values/written-time.ts';
import {
  CODE_WORD,
  isCurrency,
  isOfDates,
  isOfDialling,
  isOfIds,
  isOfMoments,
  isOfQuantities,
  isOfTimes,
  isOfVersions,
  MONEY_WORD,
  mayHavePlus,
  titleAndUnit,
  wordsOf,
} from '../column-names.ts';
import {
  type GivenOfColumn,
  namelessField,
  type Range,
  type Rounded,
  type SeenCell,
  widened,
} from './column-decision.ts';
import { type DoubtedReading, Kind, MOST_ATTEMPTS, type OddText, type SeenColumn } from './kind.ts';
import { NumberEvidence, type NumberReading } from './number.ts';

const WHY_DECIMAL = { '.': 'has numbers', ',': 'has numbers with a decimal comma' };

/** Numbers, unless they are names, or money that binary64 does not hold; and times that count. */
export class NumberKind extends Kind<NumberEvidence> {
  constructor(column: SeenColumn) {
    super(column, () => new NumberEvidence(isOfDates(column.header) !== 'no'), MOST_ATTEMPTS);
  }

  readings({ type, decimal, format }: GivenOfColumn): DoubtedReading[] {
    const { evidence } = this.best;
    const isChosen = type !== undefined && isNumeric({ type });
    const isSure = isChosen || this.column.typesOfFile === 'numbers';
    if (!isSure && (this.whyNames !== undefined || this.roundedMoney !== undefined)) return [];
    // A number that the file itself types has a decimal point.
    const all = evidence
      .readings()
      .filter(
        ({ decimalChar }) => !this.column.typesOfFile?.startsWith('numbers') || decimalChar === '.',
      );
    const chosen = all.filter(({ decimalChar }) => decimalChar === decimal);
    const found = chosen.length > 0 ? chosen : all;
    const doubt = isSure ? undefined : this.doubt;
    const counted = isChosen ? undefined : this.counted(found[0], type, format);
    if (counted !== undefined) return counted;
    const isTyped = this.column.typesOfFile?.startsWith('numbers');
    return found.map(({ decimalChar, fraction: _, areWhole: __, decimalShown, ...reading }) => ({
      ...reading,
      decimalShown: isTyped || found.length > 1 ? undefined : decimalShown,
      why: reading.type === 'integer' ? 'has whole numbers' : WHY_DECIMAL[decimalChar],
      given: {
        type: doubt === undefined ? undefined : reading.type,
        decimal: doubt === undefined || all.length > 1 ? decimalChar : undefined,
      },
      doubt: doubt?.why,
      deciding: doubt === undefined ? reading.deciding : [doubt],
    }));
  }

  /**
   * Returns two readings of numbers that may count from a moment, if the header is of times or the
   * column is given a type that is no number.
   */
  private counted(
    number: NumberReading | undefined,
    given: GivenOfColumn['type'],
    chosen: string | undefined,
  ): DoubtedReading[] | undefined {
    if (number === undefined) return undefined;
    const { header } = this.column;
    const isOfTime = isOfTimes(header);
    const { type, spelling, range, deciding, unit, areWhole } = number;
    const isPlain = unit === undefined && Object.values(spelling).every((one) => one === undefined);
    const counter = COUNTERS.find((one) => {
      const isMeant = isOfTime || (one === MILLISECONDS && isOfMoments(header));
      return (isMeant || given !== undefined) && isIn(one, range);
    });
    if (!isPlain || counter === undefined || (!areWhole && counter.format === '%Q')) {
      return undefined;
    }
    const { format, of } = counter;
    const read = timeParser(format);
    const isDate = format === 'excel' && type === 'integer';
    const [min = '', max = ''] = [range.min, range.max].map((value) =>
      read(decimalText(value))?.slice(0, isDate ? '0000-00-00'.length : undefined),
    );
    const doubt = `may count ${of}${isOfTime || isOfMoments(header) ? ', below a header that is of times' : ''}`;
    const times: DoubtedReading = {
      type: isDate ? 'date' : 'datetime',
      spelling: { format },
      local: format === 'excel' && !isDate ? true : undefined,
      range: { min, max },
      why: `counts ${of}`,
      deciding,
      given: { format },
    };
    if (chosen === format) return [times];
    const { decimalChar: _, fraction: __, areWhole: ___, ...reading } = number;
    const why = type === 'integer' ? 'has whole numbers' : WHY_DECIMAL['.'];
    const numbers: DoubtedReading = { ...reading, why, given: { type } };
    // Twelve digits and more below such a header are never an amount.
    if (counter === MILLISECONDS && range.min >= counter.max[0]) {
      return [
        { ...numbers, doubt },
        { ...times, isSafest: true },
      ];
    }
    return [
      { ...times, doubt },
      { ...numbers, isSafest: true },
    ];
  }

  /**
   * Why the cells are names although they are numbers: their digits show it, or the header says so.
   */
  get whyNames(): (SeenCell & { readonly why: string }) | undefined {
    const { evidence } = this.best;
    const { id, oneLength, checked, plus, cutDigits } = evidence;
    if (id !== undefined) return id;
    const { header } = this.column;
    if (plus !== undefined && isOfDialling(header)) {
      return { ...plus, why: 'has a plus before each number, as codes for phones have' };
    }
    if (cutDigits !== undefined && isOfIds(header)) {
      return { ...cutDigits, why: 'has lost digits, below a header that is of names' };
    }
    if (checked !== undefined && !isOfQuantities(this.column.header)) return checked;
    if (oneLength?.mayBeIds && isOfIds(this.column.header)) {
      const why = `has ${oneLength.digits} digits in every cell, below a header that is of names`;
      return { ...oneLength, why };
    }
    const [first] = this.column.firstCells();
    if (first === undefined) return undefined;
    if (this.areCodes)
      return { ...first, why: 'has whole numbers below a header that is of codes' };
    if (!this.hasDecimals) return undefined;
    if (this.areShortDates) {
      return { ...first, why: 'has days or years with months, below a header that is of dates' };
    }
    return isOfVersions(header)
      ? { ...first, why: 'has numbers below a header that is of versions' }
      : undefined;
  }

  /** Whether the cells are days with months, or years with months, and no number of anything. */
  private get areShortDates(): boolean {
    const { shortDates } = this.best.evidence;
    if (shortDates === undefined) return false;
    return isOfDates(this.column.header) === 'yes' ? shortDates.areAll : shortDates.haveLateMonths;
  }

  /** Why the cells may not be numbers, if the header does not say that they are. */
  private get doubt(): (SeenCell & { readonly why: string }) | undefined {
    const { evidence } = this.best;
    const { header } = this.column;
    const plus = mayHavePlus(header) ? undefined : evidence.plus;
    if (plus !== undefined) {
      return { ...plus, why: 'has a plus before each number, as codes for phones have' };
    }
    return isOfQuantities(header) ? undefined : evidence.doubt;
  }

  /** A number that stands for more digits than it has, as spreadsheets show long ids. */
  get lostDigits(): SeenCell | undefined {
    const { cutDigits } = this.best.evidence;
    if (cutDigits === undefined) return undefined;
    const { header } = this.column;
    const { least, cell, line } = cutDigits;
    const isLong = least >= LEAST_IN_EXPONENTS && least <= MOST_OF_IDS;
    return isOfIds(header) || (isLong && !isOfQuantities(header)) ? { cell, line } : undefined;
  }

  private get hasDecimals(): boolean {
    const readings = this.best.evidence.readings();
    return readings.some(({ type }) => type === 'number');
  }

  /**
   * Whether the cells are postal codes and the like: none begins with a zero, and nobody adds them
   * up.
   */
  private get areCodes(): boolean {
    const isBare = this.best.evidence
      .readings()
      .every(({ type, spelling: { groupChar, ...signs } }) => {
        const isPlain = Object.values(signs).every((sign) => sign === undefined);
        return type === 'integer' && isPlain && (groupChar === undefined || groupChar === ' ');
      });
    return isBare && wordsOf(this.column.header).some((word) => CODE_WORD.test(word));
  }

  /** The cell with a sum of money that would change most as a number. */
  get roundedMoney(): Rounded | undefined {
    const [reading] = this.best.evidence.readings();
    const { unit = titleAndUnit(this.column.header).unit ?? '', rounded } = reading ?? {};
    const isMoney =
      isCurrency(unit) || wordsOf(this.column.header).some((word) => MONEY_WORD.test(word));
    return isMoney ? rounded : undefined;
  }

  /**
   * Reads those odd texts that are numbers in the best notation but for the place of their minus.
   */
  otherSigns(odd: readonly OddText[]): ReadonlyMap<string, number> {
    const [reading] = this.best.evidence.readings();
    if (reading === undefined) return new Map();
    const field = namelessField({ ...reading, type: 'number' });
    const read = cellReader(field, { ...reading.spelling, minus: 'any', apostrophe: true });
    const found = odd.map(({ text }) => [text, read(text)] as const);
    return new Map(found.filter((one): one is [string, number] => typeof one[1] === 'number'));
  }

  /** Whether all cells are numbers and the header does not call them names. */
  get mayBeNumbers(): boolean {
    const { denial, reads } = this.best;
    if (reads === 0 || denial !== undefined || this.whyNames !== undefined) return false;
    return this.roundedMoney === undefined;
  }

  /** The digits of whole numbers that may be names: all have as many, and no word says amounts. */
  get mayBeNames(): number | undefined {
    const { denial, evidence } = this.best;
    const { digits = 0 } = evidence.oneLength ?? {};
    const isLong = digits >= LEAST_OF_NAMES && denial === undefined;
    return isLong && !isOfQuantities(this.column.header) ? digits : undefined;
  }
}

/** A reading that also takes numbers, by their texts, whose minus is elsewhere. */
export function withOtherSigns(
  reading: DoubtedReading,
  signed: ReadonlyMap<string, number>,
): DoubtedReading {
  if (signed.size === 0) return reading;
  let range = reading.range as Range<number>;
  for (const value of signed.values()) range = widened(range, value);
  return { ...reading, range, spelling: { ...reading.spelling, minus: 'any', apostrophe: true } };
}

/** Shorter whole numbers have no separators anyway. */
const LEAST_OF_NAMES = 4;

/** Excel writes whole numbers of so many digits with an exponent, and few ids have more than 20. */
const LEAST_IN_EXPONENTS = 12;
const MOST_OF_IDS = 20;

/** A count from a moment: what the least number and the greatest one may be. */
type Counter = {
  readonly format: '%s' | '%Q' | 'excel';
  readonly of: string;
  readonly min: number;
  readonly max: readonly [from: number, to: number];
};

/** Nothing else has thirteen digits; so a time may be from 1970 on if another is from 2001 on. */
const MILLISECONDS: Counter = {
  format: '%Q',
  of: 'milliseconds since 1970',
  min: 0,
  max: [631_152_000_000, 4_102_444_800_000],
};

const SECONDS: Counter = {
  format: '%s',
  of: 'seconds since 1970',
  min: 631_152_000,
  max: [631_152_000, 4_102_444_800],
};

/**
 * Counts from a moment that lie between 1990 and 2100, or between 1954 and 2064 if they count days.
 */
const COUNTERS: readonly Counter[] = [
  SECONDS,
  MILLISECONDS,
  { format: 'excel', of: 'days as spreadsheets do', min: 20_000, max: [20_000, 60_000] },
];

function isIn({ min, max: [from, to] }: Counter, range: Range<number>): boolean {
  return range.min >= min && range.max >= from && range.max < to;
}

/** What numbers count if they count from a moment, and have many digits. */
export function counterOf(range: Range<number>): Pick<Counter, 'format' | 'of'> | undefined {
  if (isIn(MILLISECONDS, range)) return MILLISECONDS;
  return range.min >= FIRST_SECOND && range.max < LAST_SECOND ? SECONDS : undefined;
}

/** Seconds of the years 2000 to 2034. Ten digits beyond these are mostly names. */
const FIRST_SECOND = 946_684_800;
const LAST_SECOND = 2_051_222_400;
