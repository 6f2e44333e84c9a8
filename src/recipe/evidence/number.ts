import { DYNAMODB } from '../../dynamodb/storage.ts';
import {
  type DecimalChar,
  type GroupChar,
  type MinusForm,
  readPlain,
  readSpelledNumber,
  type SpelledNumber,
  withMinusBefore,
  withoutApostrophe,
  withoutUnit,
} from '../../values/spelled-number.ts';
import type { Spelling } from '../../values/spelling.ts';
import { ChecksumEvidence } from './checksums.ts';
import {
  type CellEvidence,
  type CountedCell,
  type Denial,
  type Range,
  type Rounded,
  type SeenCell,
  seenCell,
  widened,
} from './column-decision.ts';
import type { PlainCell } from './plain-cell.ts';
import { ShortDateEvidence } from './short-dates.ts';

/** One way to read a column as numbers. */
export type NumberReading = {
  readonly decimalChar: DecimalChar;
  readonly type: 'integer' | 'number';
  readonly spelling: Spelling;
  readonly unit?: string;
  readonly range: Range<number>;
  /** The first cell that is not a whole number. */
  readonly fraction?: SeenCell;
  /** Set if all numbers are whole, though some have a point: 12.0. */
  readonly areWhole?: true;
  readonly rounded?: Rounded;
  /** The first cell with a minus after it, in brackets, or after an apostrophe. */
  readonly signed?: SeenCell;
  /** The cell that rules out the other character before decimals. */
  readonly decimalShown?: SeenCell & { readonly decimal: DecimalChar };
  /** The cells that settle the notation. */
  readonly deciding: readonly SeenCell[];
};

/** The facts about the cells with one decimal character. */
type Notation = {
  denial?: Denial;
  group?: GroupChar;
  groupSize?: 2 | 3;
  /** The first cell with decimals. */
  fraction?: SeenCell;
  hasParts?: true;
  rounded?: Rounded;
  range?: Range<number>;
};

/** A number with decimals: its first text, and whether it occurs with another one too. */
type Written = { readonly text: string; readonly first: SeenCell; isTwin: boolean };

/** Quantities have no more digits. Every number with this many is exact in binary64. */
const MOST_DIGITS = 15;

/** If every cell has this many digits, a header can say that they are names. */
const LEAST_OF_IDS = 6;

/**
 * How many of the first distinct numbers with decimals are kept, to find those with two spellings.
 */
const MOST_WRITTEN = 200;

/** One cell in this many may be written as R writes a round number: `1e5`. */
const SELDOM = 10;

/** A plus before this many digits belongs to a phone number. */
const LEAST_OF_PHONE = 7;

/** Collects whether a column's cells are numbers, with a decimal point or a decimal comma. */
export class NumberEvidence implements CellEvidence {
  /** The first cell that shows alone that the numbers are names, and why. */
  private named?: SeenCell & { readonly why: string };
  /** The first number such as `1e5`, and how many of the `reads` distinct ones are such. */
  private round?: CountedCell & { count: number };
  /** The first number whose exponent stands for digits that it lacks, and how many are such. */
  private cut?: CountedCell & { count: number; readonly least: number };
  /** How many distinct numbers there are. */
  private reads = 0;
  /** Whether each is whole, with a plus before it. */
  private haveAllPlus = true;
  /** The first cell whose number differs between decimal point and decimal comma. */
  private ambiguous?: SeenCell;
  private first?: SeenCell;
  private unit?: string;
  private readonly notations: Readonly<Record<DecimalChar, Notation>> = { '.': {}, ',': {} };
  /** The range of the numbers that do not consist of nines. */
  rangeWithoutNines?: Range<number>;
  /** The range of the cells of digits alone, which are equal in both notations. */
  private plain?: Range<number>;
  /** The digits of every cell. 0 if they differ, or a cell has something beside digits. */
  private digits?: number;
  /** Where negative numbers have their minus, and the first one. */
  private minus?: { readonly form: MinusForm | 'before'; readonly first: SeenCell };
  /** Whether every cell has its minus as bookkeepers write it. */
  private areAllSigned = true;
  private apostrophe?: SeenCell;
  private readonly checksum = new ChecksumEvidence();
  /** Present below a header of dates. */
  readonly shortDates: ShortDateEvidence | undefined;
  /** Numbers with decimals, and the first text of each. */
  private readonly written = new Map<number, Written>();
  private writtenTwice: readonly [SeenCell, SeenCell] | undefined;
  private twins = 0;

  constructor(mayBeDates = false) {
    this.shortDates = mayBeDates ? new ShortDateEvidence() : undefined;
  }

  add(written: string, line: number): string | undefined {
    if (this.addDecimals(written, line)) return undefined;
    const unmarked = withoutApostrophe(written);
    const signed = withMinusBefore(unmarked ?? written);
    const text = signed?.text ?? unmarked ?? written;
    const form = signed?.form ?? (isNegative(text) ? 'before' : undefined);
    if (form !== undefined && this.minus !== undefined && form !== this.minus.form) {
      return 'has its minus elsewhere than others have it';
    }
    const because = this.addSigned(text, written, line);
    if (because !== undefined) return because;
    if (form !== undefined) this.minus ??= { form, first: seenCell(written, line) };
    if (signed === undefined) this.areAllSigned = false;
    if (signed !== undefined || unmarked !== undefined) this.haveAllPlus = false;
    this.reads++;
    this.shortDates?.add(written);
    if (unmarked !== undefined) this.apostrophe ??= seenCell(written, line);
    return undefined;
  }

  changesNothing(cell: PlainCell): boolean {
    const { unit, first, shortDates, haveAllPlus, areAllSigned, minus, digits } = this;
    const isSettled = unit === '' && first !== undefined && shortDates === undefined;
    if (!isSettled || haveAllPlus || areAllSigned || !this.checksum.isOver) return false;
    const { codes, start, end, number: value } = cell;
    if (Number.isNaN(value)) return false;
    const isNegative = codes[start] === MINUS;
    if (isNegative && (minus?.form !== 'before' || value === 0)) return false;
    if (!cell.hasPoint) {
      return digits === 0 || (digits === end - start && !isNegative);
    }
    const { '.': point, ',': comma } = this.notations;
    const isPoint = point.denial === undefined && comma.denial !== undefined;
    if (!isPoint || point.fraction === undefined || digits !== 0) return false;
    if (!isIn(point.range, value) || !isIn(this.rangeWithoutNines, value)) return false;
    if (!point.hasParts && !Number.isInteger(value)) return false;
    return this.written.size >= MOST_WRITTEN && !this.written.has(value);
  }

  count(cell: PlainCell): void {
    this.reads++;
    if (cell.hasPoint) return;
    const { number: value } = cell;
    this.plain = widened(this.plain, value);
    this.rangeWithoutNines = widened(this.rangeWithoutNines, value);
  }

  /**
   * Takes a number such as `-76.61`, once those before it have settled all else: the notation, the
   * unit and the sign. Returns whether it did. It is what the others do, in a fifth of the time.
   */
  private addDecimals(text: string, line: number): boolean {
    const { '.': point, ',': comma } = this.notations;
    const isSettled =
      this.unit === '' && point.fraction !== undefined && comma.denial !== undefined;
    if (!isSettled || this.shortDates !== undefined || point.denial !== undefined) return false;
    const last = text.charCodeAt(text.length - 1);
    const from = text.charCodeAt(0) === 0x2d ? 1 : 0;
    // A number of nines, and one that a minus or a zero begins, may tell more.
    if (last === NINE || (from === 1 && this.minus?.form !== 'before')) return false;
    if (hasLeadingZero(text)) return false;
    const found = text.length > MOST_DIGITS ? undefined : readPlain(text, '.');
    if (found === undefined || found.decimals === 0) return false;
    const { value } = found;
    if (!Number.isInteger(value)) point.hasParts = true;
    point.range = widened(point.range, value);
    this.rangeWithoutNines = widened(this.rangeWithoutNines, value);
    this.noteLength(0);
    this.checksum.ruleOut();
    this.noteWritten(value, text, line);
    this.haveAllPlus = false;
    this.areAllSigned = false;
    this.reads++;
    return true;
  }

  /** Takes a number with its minus in front, and the cell as written. */
  private addSigned(bareOfSign: string, text: string, line: number): string | undefined {
    const found = this.unit === '' ? undefined : withoutUnit(bareOfSign);
    const unit = this.unit ?? found?.unit ?? '';
    if (unit !== '' && found?.unit !== unit) return `is not in ${unit} as others are`;
    const bare = found?.bare ?? bareOfSign;
    const count = countDigits(bare);
    if (count > MOST_DIGITS) return this.noteLong(text, line);
    if (count === 0) {
      const because = this.readMarked(bare, text, line);
      if (because !== undefined) return because;
    } else {
      const value = Number(bare) || 0;
      this.haveAllPlus = false;
      this.plain = widened(this.plain, value);
      if (!isOfNines(bare)) this.rangeWithoutNines = widened(this.rangeWithoutNines, value);
      this.noteLength(bare.length === count ? count : 0);
      this.checksum.add(bare);
    }
    this.unit = unit;
    this.first ??= seenCell(text, line);
    if (hasLeadingZero(bare)) this.noteId('has leading zeros', text, line);
    return undefined;
  }

  /** The first cell that shows that the numbers are names, and why. */
  get id(): (SeenCell & { readonly why: string }) | undefined {
    const { named, round, reads } = this;
    if (named !== undefined || round === undefined || round.count * SELDOM <= reads) return named;
    return { ...round, why: LOOKS_LIKE_CODE };
  }

  /** The first cell, if each is a whole number with a plus before it. */
  get plus(): SeenCell | undefined {
    return this.haveAllPlus && this.unit === '' ? this.first : undefined;
  }

  /** The first cell with fewer digits than its exponent says, and whether half of all are such. */
  get cutDigits(): (SeenCell & { readonly least: number; readonly areMany: boolean }) | undefined {
    const { cut, reads } = this;
    return cut && { ...cut, areMany: cut.count * 2 >= reads };
  }

  /** The ways to read all cells: both, with decimal point and comma, if no cell settles it. */
  readings(): readonly NumberReading[] {
    const alive = (['.', ','] as const).filter((char) => this.notations[char].denial === undefined);
    const chosen = this.ambiguous === undefined ? alive.slice(0, 1) : alive;
    return chosen.map((char) => this.readingOf(char));
  }

  /** The digits of every cell, if all are whole numbers of one length. */
  get oneLength():
    | (SeenCell & { readonly digits: number; readonly mayBeIds: boolean })
    | undefined {
    const { digits = 0, first } = this;
    if (first === undefined || digits === 0 || this.unit !== '') return undefined;
    return { ...first, digits, mayBeIds: digits >= LEAST_OF_IDS };
  }

  /** The kind that the digits of all cells show, such as GTINs. */
  get checked(): (SeenCell & { readonly why: string }) | undefined {
    const { first, checksum } = this;
    if (first === undefined || checksum.found === undefined) return undefined;
    return { ...first, why: `is ${checksum.found} in every cell` };
  }

  /** Why the cells may not be numbers, or not negative ones, although they can be read so. */
  get doubt(): (SeenCell & { readonly why: string }) | undefined {
    const { minus, areAllSigned, writtenTwice: twins } = this;
    if (areAllSigned && (minus?.form === 'brackets' || minus?.form === 'behind')) {
      const how = minus.form === 'brackets' ? 'brackets' : 'a minus behind it';
      return { ...minus.first, why: `has ${how} in every cell, which may mean something else` };
    }
    // Where people write decimals freely, most numbers still have only one spelling.
    if (twins === undefined || this.twins * 10 < this.written.size || this.unit !== '')
      return undefined;
    return {
      ...twins[1],
      why: `has ${twins[0].cell} and ${twins[1].cell}, which are one number and may be two versions`,
    };
  }

  private readingOf(decimalChar: DecimalChar): NumberReading {
    const { group, groupSize, fraction, hasParts, rounded, range } = this.notations[decimalChar];
    const settled = this.notations[decimalChar === '.' ? ',' : '.'].denial;
    const { unit = '', plain, ambiguous, first, minus, apostrophe } = this;
    const signed = minus?.form === 'before' ? apostrophe : (minus?.first ?? apostrophe);
    const all = range === undefined ? plain : widened(widened(plain, range.min), range.max);
    const isComma = decimalChar === ',' && (fraction !== undefined || group === '.');
    return {
      decimalChar,
      type: fraction === undefined ? 'integer' : 'number',
      spelling: {
        decimalChar: isComma ? decimalChar : undefined,
        groupChar: group,
        indianGroups: groupSize === 2 ? true : undefined,
        minus: minus === undefined || minus.form === 'before' ? undefined : minus.form,
        apostrophe: apostrophe === undefined ? undefined : true,
        bareNumber: unit === '' ? undefined : false,
        nearestNumber: rounded === undefined ? undefined : true,
      },
      unit: unit === '' ? undefined : unit,
      range: all as Range<number>,
      fraction,
      rounded,
      signed,
      decimalShown: settled && { ...settled, decimal: decimalChar },
      areWhole: hasParts ? undefined : true,
      deciding: [settled ?? ambiguous ?? fraction ?? (first as SeenCell)],
    };
  }

  private readMarked(bare: string, text: string, line: number): string | undefined {
    const [point, comma] = [this.readAs('.', bare), this.readAs(',', bare)];
    const found = typeof point === 'string' ? comma : point;
    if (typeof found === 'string') {
      if (this.unit === '' && withoutUnit(bare) !== undefined) {
        return 'has a unit, and others have none';
      }
      return point as string;
    }
    if (found.wholeDigits > MOST_DIGITS) return this.noteLong(text, line);
    if (!DYNAMODB.holdsNumber(found.value)) return 'is too large or too small';
    this.take('.', point, text, line);
    this.take(',', comma, text, line);
    this.noteLength(0);
    // SIREN and ISBN are also written as digits in groups with spaces.
    if (found.group === ' ' && found.decimals === 0) this.checksum.add(bare.replace(/\D/g, ''));
    else this.checksum.ruleOut();
    // A version has no exponent.
    if (found.decimals > 0 && !found.hasExponent) this.noteWritten(found.value, text, line);
    if (typeof point !== 'string' && typeof comma !== 'string' && point.value !== comma.value) {
      this.ambiguous ??= seenCell(text, line);
    }
    if (found.hasExponent) this.noteExponent(found, bare, text, line);
    const isBare = found.decimals === 0 && found.group === undefined && !found.hasExponent;
    if (!isBare || !bare.startsWith('+') || found.value === 0) this.haveAllPlus = false;
    if (bare.startsWith('+') && found.wholeDigits >= LEAST_OF_PHONE) {
      this.noteId('begins with a plus, as phone numbers do', text, line);
    }
    return undefined;
  }

  /** Reads the number in a notation, or says why it is none. */
  private readAs(char: DecimalChar, bare: string): SpelledNumber | string {
    const notation = this.notations[char];
    if (notation.denial !== undefined) return 'is no number';
    const found = readSpelledNumber(bare, char, true);
    if (found === undefined || !isLike(found.group, notation.group)) return 'is no number';
    return isLike(found.groupSize, notation.groupSize) ? found : 'is not grouped as others are';
  }

  /** Adds what a cell shows about a notation, once either notation reads the cell. */
  private take(char: DecimalChar, found: SpelledNumber | string, text: string, line: number): void {
    const notation = this.notations[char];
    if (typeof found === 'string') {
      notation.denial ??= { ...seenCell(text, line), because: found };
      return;
    }
    if (found.group !== undefined) notation.group = found.group;
    if (found.groupSize !== undefined) notation.groupSize = found.groupSize;
    const isWhole = found.decimals === 0 && Number.isSafeInteger(found.value);
    if (!isWhole) notation.fraction ??= seenCell(text, line);
    if (!Number.isInteger(found.value)) notation.hasParts = true;
    notation.range = widened(notation.range, found.value);
    if (!isOfNines(text)) this.rangeWithoutNines = widened(this.rangeWithoutNines, found.value);
    const { rounding = 0 } = found;
    if (rounding > (notation.rounded?.rounding ?? 0)) {
      notation.rounded = { ...seenCell(text, line), rounding };
    }
  }

  /** Notes what an exponent tells: a code, a round number of R, or digits that are lost. */
  private noteExponent(
    { value, wholeDigits, decimals }: SpelledNumber,
    bare: string,
    text: string,
    line: number,
  ): void {
    if (decimals > 0 && Number.isInteger(value)) {
      const least = Math.floor(Math.log10(Math.abs(value))) + 1;
      if (wholeDigits + decimals < least) {
        const { count = 0 } = this.cut ?? {};
        this.cut = { ...(this.cut ?? { ...seenCell(text, line), least }), count: count + 1 };
      }
    }
    // Programs write 1e-05 and 1.5E+3; R also writes 1e5. 12E5 is the name of a room or a part.
    if (/[.,+-]/.test(bare.slice(1))) return;
    if (!/^-?[1-9]e\d$/.test(bare)) this.noteId(LOOKS_LIKE_CODE, text, line);
    else
      this.round = { ...(this.round ?? seenCell(text, line)), count: (this.round?.count ?? 0) + 1 };
  }

  /**
   * Finds numbers that occur with more and with fewer decimals: 1.4 and 1.40. A text comes again
   * once a column has too many for their repetitions to be known.
   */
  private noteWritten(value: number, text: string, line: number): void {
    const known = this.written.get(value);
    if (known === undefined) {
      if (this.written.size >= MOST_WRITTEN) return;
      const kept = Buffer.from(text).toString();
      this.written.set(value, { text: kept, first: seenCell(text, line), isTwin: false });
    } else if (!known.isTwin && known.text !== text) {
      known.isTwin = true;
      this.twins++;
      this.writtenTwice ??= [known.first, seenCell(text, line)];
    }
  }

  private noteLength(count: number): void {
    this.digits = this.digits === undefined || this.digits === count ? count : 0;
  }

  private noteId(why: string, text: string, line: number): void {
    this.named ??= { ...seenCell(text, line), why };
  }

  /** A single name shows that the other numbers are names too. */
  private noteLong(text: string, line: number): string {
    const why = `has more than ${MOST_DIGITS} digits`;
    this.noteId(why, text, line);
    return why;
  }
}

const LOOKS_LIKE_CODE = 'looks like a code';

function isIn(range: Range<number> | undefined, value: number): boolean {
  return range !== undefined && value >= range.min && value <= range.max;
}

/** Whether two facts agree, or one of them is unknown. */
function isLike<T>(a: T | undefined, b: T | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

const [MINUS, NINE] = [0x2d, 0x39];

/** Whether a number consists of nines, as `-9999` or `99.99`. */
export function isOfNines(text: string): boolean {
  return text.charCodeAt(text.length - 1) === NINE && /^-?9{2,12}(?:[.,]9{1,6})?$/.test(text);
}

function isNegative(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first >= 0x30 && first <= NINE) return false;
  return first === 0x2d || /^\D{0,4}[-\u2212]/.test(text);
}

/** The number of digits, if there is nothing else but a minus. Otherwise 0. */
function countDigits(text: string): number {
  const from = text.charCodeAt(0) === 0x2d ? 1 : 0;
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return 0;
  }
  return text.length - from;
}

function hasLeadingZero(bare: string): boolean {
  let at = 0;
  const sign = bare.charCodeAt(0);
  if (sign === 0x2d || sign === 0x2b || sign === 0x2212) at = 1;
  if (bare.charCodeAt(at) !== 0x30) return false;
  const next = bare.charCodeAt(at + 1);
  return next >= 0x30 && next <= 0x39;
}
