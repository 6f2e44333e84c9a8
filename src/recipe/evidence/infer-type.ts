import { isTotalWord } from '../../files/totals.ts';
import { decimalText } from '../../text/decimal.ts';
import { showCell } from '../../text/wording.ts';
import type { CellShape } from '../../values/field-type.ts';
import {
  FIELD_TYPES,
  type Field,
  type FieldTypeName,
  isNumeric,
  typeOf,
} from '../../values/field-types.ts';
import { cellReader, type Spelling } from '../../values/spelling.ts';
import { isUtc } from '../../values/time-zone.ts';
import { timeParser } from '../../values/written-time.ts';
import {
  CODE_WORD,
  isCurrency,
  isOfIds,
  isOfQuantities,
  isOfTimes,
  isOfVersions,
  MONEY_WORD,
  titleAndUnit,
  wordsOf,
} from '../column-names.ts';
import type { Storage } from '../storage.ts';
import {
  type CellEvidence,
  type CountedCell,
  type Denial,
  type GivenOfColumn,
  type NearType,
  type OpenReading,
  type Range,
  type Reading,
  type Rounded,
  type SeenCell,
  ShapeEvidence,
  seenCell,
  widened,
} from './column-decision.ts';
import { EARLY, KindEvidence, type OddText, oddCellsOf, oddText } from './infer-kind.ts';
import { NumberEvidence, type NumberReading } from './infer-number.ts';
import { FormatEvidence, PeriodEvidence, TimeEvidence } from './infer-time.ts';
import type { ZoneEvidence } from './infer-zone.ts';

/** A reading that may well be wrong, and why. */
export type DoubtedReading = Omit<OpenReading, 'value'> & {
  readonly doubt?: string;
  /** Set if it is as safe as a text. */
  readonly isSafest?: true;
};

/**
 * The types that are told by the shape of their cells. Those behind numbers come first: of two that
 * fit equally many cells, they say why the column is a text.
 */
const SHAPED = (Object.keys(FIELD_TYPES) as FieldTypeName[])
  .flatMap((type) => {
    const { shape } = typeOf({ type });
    return shape === undefined ? [] : [{ type, shape }];
  })
  .sort((a, b) => Number(isBefore(a.shape)) - Number(isBefore(b.shape)));

function isBefore({ isBeforeNumbers }: CellShape): boolean {
  return isBeforeNumbers === true;
}

type Kinds = {
  readonly words: KindEvidence<WordEvidence>;
  readonly times: KindEvidence<TimeEvidence>;
  readonly numbers: KindEvidence<NumberEvidence>;
  readonly shapes: ReadonlyMap<FieldTypeName, KindEvidence<ShapeEvidence>>;
  readonly periods: KindEvidence<PeriodEvidence>;
  /** Present if somebody gave the pattern of the column. */
  readonly formatted?: KindEvidence<FormatEvidence>;
};

/** A kind of evidence, and its readings by what is given, whatever is odd. */
type ReadKind = {
  readonly kind: KindEvidence;
  readonly read: (given: GivenOfColumn) => readonly DoubtedReading[];
};

/**
 * What a file's own types leave to be found out of a column: whether its numbers have decimals, if
 * all cells are numbers; which type others are of, if some are; what texts say, but for letters, as
 * such a file has booleans of its own. Of `names`, nothing: whoever wrote them wanted texts.
 */
export type TypesOfFile = 'numbers' | 'numbers-and-others' | 'texts' | 'names';

/** The first cell may be the odd one, and so may one that two ways to write allow. */
const MOST_BEGINNINGS = 3;

/** Collects which types a column's cells may be of. */
export class TypeEvidence {
  /** Set before the readings are asked for, if the file has types. */
  typesOfFile: TypesOfFile | undefined;
  private readonly header: string;
  private readonly kinds: Kinds;
  /** All kinds, in the order in which their readings are taken. */
  private readonly inOrder: readonly ReadKind[];
  /** The kinds that few cells refute. */
  private alive: readonly KindEvidence[];
  private first?: SeenCell;
  /** All texts so far, as long as they are few. */
  private early: OddText[] | undefined = [];
  /** The early texts and the odd ones, with how often each was added. */
  private kept = new Map<string, OddText>();

  /** `format` is the pattern of dates or times that somebody gave for the column. */
  constructor(header: string, storage: Storage, format?: string) {
    this.header = header;
    const ofHeader = wordsOf(header);
    const kindOf = (shape: CellShape) =>
      new KindEvidence(() => new ShapeEvidence(shape.testFor(ofHeader), shape.whyNot));
    const shapes = new Map(SHAPED.map(({ type, shape }) => [type, kindOf(shape)] as const));
    this.kinds = {
      words: new KindEvidence(() => new WordEvidence()),
      times: new KindEvidence(() => new TimeEvidence(), MOST_BEGINNINGS),
      numbers: new KindEvidence(() => new NumberEvidence(storage), MOST_BEGINNINGS),
      shapes,
      periods: new KindEvidence(() => new PeriodEvidence()),
      ...(format === undefined
        ? {}
        : { formatted: new KindEvidence(() => new FormatEvidence(format)) }),
    };
    const { words, times, numbers, periods, formatted } = this.kinds;
    // Of two that are equally near, the first says why the column is a text.
    this.alive = [times, numbers, ...shapes.values(), words, periods];
    if (formatted !== undefined) this.alive = [formatted, ...this.alive];
    const shaped = (areBefore: boolean) =>
      SHAPED.filter(({ shape }) => isBefore(shape) === areBefore).map(({ type, shape }) => ({
        kind: shapes.get(type) as KindEvidence,
        read: () => [
          { type, spelling: {}, why: shape.why, deciding: this.firstCells(), given: {} },
        ],
      }));
    this.inOrder = [
      ...(formatted === undefined ? [] : [{ kind: formatted, read: this.inFormat }]),
      // Words are behind numbers, which 1 and 0 are sooner.
      { kind: words, read: (given) => this.booleans(given) },
      { kind: times, read: (given) => this.times(given) },
      ...shaped(true),
      { kind: numbers, read: (given) => this.numbers(given) },
      ...shaped(false),
    ];
  }

  /** Takes a cell, trimmed and not blank. */
  add(text: string, line: number): void {
    this.first ??= seenCell(text, line);
    if (this.alive.length === 0) return;
    if (this.kept.has(text)) {
      this.again(text);
      return;
    }
    const { early } = this;
    for (const kind of this.alive) kind.add(text, line, this.keep, early);
    early?.push(this.keep(text, line));
    const isEarlyOver = early !== undefined && early.length >= EARLY;
    if (isEarlyOver) this.early = undefined;
    if (isEarlyOver || !this.alive.every(({ isAlive }) => isAlive)) this.forget();
  }

  /** Keeps a text, once. Made for all texts at once: there may be millions. */
  private readonly keep = (text: string, line: number): OddText => {
    const known = this.kept.get(text);
    if (known !== undefined) return known;
    const its = oddText(text, line);
    this.kept.set(its.text, its);
    return its;
  };

  /** Counts a text that was added before. */
  again(text: string): void {
    if (this.kept.size === 0) return;
    const known = this.kept.get(text);
    if (known !== undefined) known.count++;
  }

  /** Takes the counts of texts that were counted elsewhere so far. */
  takeCounts(countOf: (text: string) => number | undefined): void {
    for (const one of this.kept.values()) one.count = countOf(one.text) || one.count;
  }

  private forget(): void {
    this.alive = this.alive.filter(({ isAlive }) => isAlive);
    const odd = this.alive.flatMap((kind) => kind.odd);
    this.kept = new Map([...(this.early ?? []), ...odd].map((one) => [one.text, one]));
  }

  /**
   * The readings of the first kind that fits all cells, and what is given. If a type is chosen, fewer
   * than half of the cells need not fit: `of` is their number.
   */
  readings(given: GivenOfColumn, of: number): DoubtedReading[] {
    const { type: chosen } = given;
    const { numbers } = this.kinds;
    // If numbers are chosen, those that are odd for their minus alone are read.
    const signed =
      chosen !== undefined && isNumeric({ type: chosen }) ? this.otherSigns(given) : undefined;
    // A pattern says of a column as much as a type does.
    const isFormatted = this.kinds.formatted !== undefined && chosen === undefined;
    const takesAll = chosen !== undefined && typeOf({ type: chosen }).readCell === takeAnyText;
    for (const { kind, read } of this.inOrder) {
      if (chosen === undefined && this.isRuledOut(kind)) continue;
      if (isFormatted && kind !== this.kinds.formatted) continue;
      const all = this.oddIn(kind, given);
      const left = kind === numbers ? all.filter(({ text }) => !signed?.has(text)) : all;
      const isFit = kind.isAlive && left.length === 0;
      const odd = isFit ? undefined : oddCellsOf(left);
      const isFew = kind.isAlive && kind.best.reads > 0 && (odd?.count ?? 0) * 2 < of;
      const isChosen = chosen !== undefined || isFormatted;
      if (!isFit && (!isChosen || takesAll || !isFew)) continue;
      const found = read(given).flatMap((reading): DoubtedReading[] => {
        const { type = reading.type } = given;
        const isOfType = type === reading.type || (type === 'number' && reading.type === 'integer');
        if (!isOfType) return [];
        const whole = kind === numbers && signed ? withOtherSigns(reading, signed) : reading;
        return [{ ...whole, type, ...(odd === undefined ? {} : { odd }) }];
      });
      if (found.length > 0) return found;
    }
    if (!takesAll) return [];
    const why = 'was chosen';
    return [{ type: chosen, spelling: {}, why, deciding: this.firstCells(), given: {} }];
  }

  /** The odd texts that are numbers in the best notation but for where their minus stands. */
  private otherSigns(given: GivenOfColumn): ReadonlyMap<string, number> {
    const { numbers } = this.kinds;
    const [reading] = numbers.best.evidence.readings();
    if (reading === undefined) return new Map();
    const { unit, spelling } = reading;
    const field: Field = {
      type: 'number',
      name: '',
      title: '',
      ...(unit !== undefined && { unit }),
    };
    const read = cellReader(field, { ...spelling, minus: 'any', apostrophe: true });
    const found = this.oddIn(numbers, given).map(({ text }) => [text, read(text)] as const);
    return new Map(found.filter((one): one is [string, number] => typeof one[1] === 'number'));
  }

  /** Whether the file's own types rule a kind out. */
  private isRuledOut(kind: KindEvidence): boolean {
    return (
      this.typesOfFile === 'names' ||
      (this.typesOfFile === 'numbers' && kind !== this.kinds.numbers)
    );
  }

  /** The type that nearly all of so many cells are of, if any is. */
  near(given: GivenOfColumn, of: number): NearType | undefined {
    const { numbers, times } = this.kinds;
    const found = this.inOrder.flatMap(({ kind, read }): NearType[] => {
      const odd = this.oddIn(kind, given);
      if (this.isRuledOut(kind)) return [];
      if (!kind.isAlive || odd.length === 0 || kind.best.reads < LEAST_READ) return [];
      const [reading] = kind === this.kinds.words ? [] : read(given);
      if (reading === undefined || reading.doubt !== undefined) return [];
      const all = oddCellsOf(odd);
      const fit = of - all.count;
      const isAsked = kind === numbers || kind === times;
      const areRead = kind === numbers && this.otherSigns(given).size === odd.length;
      const asks = areRead
        ? { isSafe: false, areRead }
        : isAsked && fit > 0
          ? askedOf(odd, kind.best.reads, fit, this.first)
          : undefined;
      if (asks === undefined && all.count * FEW > of) return [];
      return [{ reading, fit, of, odd: all, ...(asks === undefined ? {} : { asks }) }];
    });
    return found.toSorted((a, b) => b.fit - a.fit)[0];
  }

  private oddIn(kind: KindEvidence, { nothing = [] }: GivenOfColumn): readonly OddText[] {
    const { odd } = kind.best;
    return nothing.length === 0 ? odd : odd.filter(({ text }) => !nothing.includes(text));
  }

  /** Words that are said to mean nothing, of those that some evidence found odd. */
  oddWords(words: readonly string[]): readonly CountedCell[] {
    return words.flatMap((word) => this.kept.get(word) ?? []);
  }

  private booleans({ type }: GivenOfColumn): DoubtedReading[] {
    const words = this.kinds.words.best.evidence;
    const isChosen = type === 'boolean';
    const pair = words.pair(isChosen);
    // 1 and 0 are more often counts, unless the header asks a question.
    const isQuestion = /^(?:is|has)$/.test(wordsOf(this.header)[0] ?? '');
    if (pair === undefined || (words.areDigits && !isChosen && !isQuestion)) return [];
    // A file with booleans of its own has letters for something else.
    if (this.typesOfFile === 'texts' && !isChosen && words.areLetters) return [];
    return [{ type: 'boolean', why: 'has two words, for yes and no', given: {}, ...pair }];
  }

  private readonly inFormat = ({ zone }: GivenOfColumn): DoubtedReading[] => {
    const evidence = this.kinds.formatted?.best.evidence;
    const reading = evidence?.reading();
    if (evidence === undefined || reading === undefined) return [];
    const { type, format = '', local, range, cut, deciding } = reading;
    return [
      {
        type,
        spelling: { format, ...(cut === undefined ? {} : { cutTime: true }) },
        ...(local === undefined ? {} : { local }),
        ...(type === 'date' || local ? {} : this.zoneOf(zone, evidence)),
        ...(cut === undefined ? {} : { cut }),
        range,
        why: `is written as ${format}`,
        deciding,
        given: {},
      },
    ];
  };

  private times({ type, dates, zone }: GivenOfColumn): DoubtedReading[] {
    const all = this.kinds.times.best.evidence.readings(isOfIds(this.header));
    const ordered = all.filter(({ order }) => order === dates);
    const isChosen = type === 'date' || type === 'datetime';
    return (ordered.length > 0 ? ordered : all).map((reading) => {
      const { format, monthLanguage, order, doubt, local, range, cut, deciding } = reading;
      return {
        type: reading.type,
        spelling: {
          ...(format === undefined ? {} : { format }),
          ...(monthLanguage === undefined ? {} : { monthLanguage }),
          ...(cut === undefined ? {} : { cutTime: true }),
        },
        ...(cut === undefined ? {} : { cut }),
        ...(local === undefined ? {} : { local }),
        ...(reading.type === 'date' || local ? {} : this.zoneOf(zone)),
        range,
        why: WHY_ORDER[order ?? 'other'],
        deciding,
        given: {
          ...(doubt === undefined ? {} : { type: reading.type }),
          ...(order === undefined ? {} : { dates: order }),
        },
        ...(doubt === undefined || isChosen ? {} : { doubt }),
      };
    });
  }

  /** The zone in which the days of times with an offset are counted. */
  private zoneOf(
    chosen: string | undefined,
    { zone }: { readonly zone: ZoneEvidence } = this.kinds.times.best.evidence,
  ): Partial<Reading> {
    if (chosen !== undefined) {
      return isUtc(chosen) ? {} : { timeZone: chosen, whyZone: 'as was chosen' };
    }
    if (!zone.isBeyondUtc) return {};
    const found = zone.find();
    if (found === undefined) return { isZoneOpen: true };
    const { timeZone, offset } = found;
    const whyZone =
      offset === undefined
        ? 'the first by name that has the offset of each cell'
        : `since each cell has the offset ${offset}`;
    return { timeZone, whyZone };
  }

  /** Numbers that may be times since a moment, below a header that speaks of time: both readings. */
  private counted(
    number: NumberReading | undefined,
    chosen?: string,
  ): DoubtedReading[] | undefined {
    if (number === undefined || !isOfTimes(this.header)) return undefined;
    const { type, spelling, range, deciding, unit } = number;
    const isPlain = unit === undefined && Object.keys(spelling).length === 0;
    const counter = COUNTERS.find(({ from, to }) => range.min >= from && range.max < to);
    if (!isPlain || counter === undefined || (type === 'number' && counter.format === '%Q')) {
      return undefined;
    }
    const { format, of } = counter;
    const read = timeParser(format);
    const isDate = format === 'excel' && type === 'integer';
    const [min = '', max = ''] = [range.min, range.max].map((value) =>
      read(decimalText(value))?.slice(0, isDate ? '0000-00-00'.length : undefined),
    );
    const doubt = `may count ${of}, below a header that is of times`;
    const times: DoubtedReading = {
      type: isDate ? 'date' : 'datetime',
      spelling: { format },
      ...(format === 'excel' && !isDate ? { local: true } : {}),
      range: { min, max },
      why: `counts ${of}`,
      deciding,
      given: { format },
    };
    if (chosen === format) return [times];
    const { decimalChar: _, fraction: __, ...reading } = number;
    const why = type === 'integer' ? 'has whole numbers' : WHY_DECIMAL['.'];
    return [
      { ...times, doubt },
      { ...reading, why, given: { type }, isSafest: true },
    ];
  }

  private numbers({ type, decimal, format }: GivenOfColumn): DoubtedReading[] {
    const numbers = this.kinds.numbers.best.evidence;
    const isChosen = type !== undefined && isNumeric({ type });
    const isSure = isChosen || this.typesOfFile === 'numbers';
    if (!isSure && (this.whyNames !== undefined || this.roundedMoney !== undefined)) return [];
    // A number that the file has as such has a point before its decimals.
    const all = numbers
      .readings()
      .filter(({ decimalChar }) => !this.typesOfFile?.startsWith('numbers') || decimalChar === '.');
    const chosen = all.filter(({ decimalChar }) => decimalChar === decimal);
    const found = chosen.length > 0 ? chosen : all;
    const doubt = isSure || isOfQuantities(this.header) ? undefined : numbers.doubt;
    const counted = isChosen ? undefined : this.counted(found[0], format);
    if (counted !== undefined) return counted;
    return found.map(({ decimalChar, fraction: _, ...reading }) => ({
      ...reading,
      why: reading.type === 'integer' ? 'has whole numbers' : WHY_DECIMAL[decimalChar],
      given: {
        ...(doubt === undefined ? {} : { type: reading.type }),
        ...(doubt === undefined || found.length > 1 ? { decimal: decimalChar } : {}),
      },
      ...(doubt === undefined ? {} : { doubt: doubt.why, deciding: [doubt] }),
    }));
  }

  /** Why the cells name things, though they are numbers: their digits show it, or the header says so. */
  private get whyNames(): (SeenCell & { readonly why: string }) | undefined {
    const { evidence } = this.kinds.numbers.best;
    const { id, oneLength, checked } = evidence;
    if (id !== undefined) return id;
    if (checked !== undefined && !isOfQuantities(this.header)) return checked;
    if (oneLength?.mayBeIds && isOfIds(this.header)) {
      const why = `has ${oneLength.digits} digits in every cell, below a header that is of names`;
      return { ...oneLength, why };
    }
    const [first] = this.firstCells();
    if (first === undefined) return undefined;
    if (this.areCodes)
      return { ...first, why: 'has whole numbers below a header that is of codes' };
    return isOfVersions(this.header) && this.hasDecimals
      ? { ...first, why: 'has numbers below a header that is of versions' }
      : undefined;
  }

  private get hasDecimals(): boolean {
    const readings = this.kinds.numbers.best.evidence.readings();
    return readings.some(({ type }) => type === 'number');
  }

  /** Postal codes and the like, of which none begins with a zero, and that nobody adds up. */
  private get areCodes(): boolean {
    const isBare = this.kinds.numbers.best.evidence
      .readings()
      .every(({ type, spelling: { groupChar, ...signs } }) => {
        const isPlain = Object.values(signs).every((sign) => sign === undefined);
        return type === 'integer' && isPlain && (groupChar === undefined || groupChar === ' ');
      });
    return isBare && wordsOf(this.header).some((word) => CODE_WORD.test(word));
  }

  /** The cell of a sum of money that would change most as a number. */
  private get roundedMoney(): Rounded | undefined {
    const [reading] = this.kinds.numbers.best.evidence.readings();
    const { unit = titleAndUnit(this.header).unit ?? '', rounded } = reading ?? {};
    const isMoney = isCurrency(unit) || wordsOf(this.header).some((word) => MONEY_WORD.test(word));
    return isMoney ? rounded : undefined;
  }

  private firstCells(): readonly SeenCell[] {
    return this.first === undefined ? [] : [this.first];
  }

  /** The type that all cells of a text allow, if its header does not say that they are no numbers. */
  get perhaps(): FieldTypeName | undefined {
    const { denial, reads } = this.kinds.numbers.best;
    if (reads === 0 || denial !== undefined || this.whyNames !== undefined) return undefined;
    return this.roundedMoney === undefined ? undefined : 'number';
  }

  /** The pattern by which a text's cells are months or quarters, each of which has a first day. */
  get periodFormat(): string | undefined {
    const { denial, reads, evidence } = this.kinds.periods.best;
    return denial === undefined && reads > 0 ? evidence.format : undefined;
  }

  /** The range of the numbers that are not of nines alone. */
  get othersThanNines(): Range<number> | undefined {
    return this.kinds.numbers.best.evidence.others;
  }

  /** The digits of whole numbers that may name things: all have as many, and no word says amounts. */
  get mayBeNames(): number | undefined {
    const { denial, evidence } = this.kinds.numbers.best;
    const { digits = 0 } = evidence.oneLength ?? {};
    const isLong = digits >= LEAST_OF_NAMES && denial === undefined;
    return isLong && !isOfQuantities(this.header) ? digits : undefined;
  }

  /** Why the column is a text: the cell that ruled out the type which most cells were of. */
  asText(): Reading {
    const because = (why: string, deciding = this.firstCells()): Reading => {
      return { type: 'text', spelling: {}, why, deciding };
    };
    if (this.first === undefined) return because('has no values');
    if (this.typesOfFile === 'names')
      return because('has formulas of one text, which keep it as it is');
    const { words, times, numbers, shapes } = this.kinds;
    const { evidence, denial, nearness } = numbers.best;
    const { id } = evidence;
    // One among texts says nothing of these.
    const isOfId = id !== undefined && (nearness > 0 || id.line <= (denial ?? id).line);
    const names = denial === undefined || isOfId ? this.whyNames : undefined;
    if (names !== undefined) return because(names.why, [{ cell: names.cell, line: names.line }]);
    const { roundedMoney } = this;
    if (denial === undefined && roundedMoney !== undefined) {
      const { cell, line } = roundedMoney;
      return because('is money, with more digits than a number holds', [{ cell, line }]);
    }
    const { areDigits, areLetters } = words.best.evidence;
    if (
      words.best.denial === undefined &&
      !areDigits &&
      !(areLetters && this.typesOfFile === 'texts')
    ) {
      return because('has a word for yes or no alone, without its counterpart');
    }
    const [nearest] = [times, numbers, ...shapes.values(), words]
      .map((kind) => kind.nearest)
      .filter(({ nearness }) => nearness > 0)
      .sort((a, b) => b.nearness - a.nearness);
    if (nearest?.denial === undefined) return because('has texts');
    const { cell, line, because: reason } = nearest.denial;
    return because(`${showCell(cell)} ${reason}`, [{ cell, line }]);
  }

  /** The first cell that is not of a type, or not in the pattern that was given. */
  unfit(type: FieldTypeName | undefined): Denial {
    const { words, times, numbers, shapes, formatted } = this.kinds;
    if (type === undefined) {
      const because = 'is not in the pattern that was given';
      return formatted?.best.denial ?? { ...(this.first as SeenCell), because };
    }
    const kind: KindEvidence =
      shapes.get(type) ??
      { boolean: words, date: times, datetime: times }[type as string] ??
      numbers;
    const { denial } = kind.best;
    if (denial !== undefined) return denial;
    const isRead = type === 'integer' && numbers.best.reads > 0;
    const fraction = isRead ? numbers.best.evidence.readings()[0]?.fraction : undefined;
    return {
      ...(fraction ?? (this.first as SeenCell)),
      because: `is not ${FIELD_TYPES[type].noun}`,
    };
  }
}

/** The reading of a column in which some numbers, by their texts, have their minus elsewhere. */
function withOtherSigns(
  reading: DoubtedReading,
  signed: ReadonlyMap<string, number>,
): DoubtedReading {
  if (signed.size === 0) return reading;
  let range = reading.range as Range<number>;
  for (const value of signed.values()) range = widened(range, value);
  return { ...reading, range, spelling: { ...reading.spelling, minus: 'any', apostrophe: true } };
}

const takeAnyText = FIELD_TYPES.text.readCell;

/** With fewer distinct texts of a type, it is not said to be nearly the column's. */
const LEAST_READ = 2;

/** Shorter whole numbers have no separators anyway. */
const LEAST_OF_NAMES = 4;

/** One in so many cells may be odd in a column that is said to be nearly of a type. */
const FEW = 10;

/** A number with a mark, or below or above a bound. */
const MARKED =
  /^(?:[<>\u2264\u2265~\u2248]\s*[+-]?[\d.,]*\d|[+-]?[\d.,]*\d\s*[*\u2020\u2021\u00b9\u00b2\u00b3^+]{1,3})$/u;

/** Words for nothing are short, but for a few, which a person is asked about. */
const MOST_SAFE_LENGTH = 12;
const MOST_ASKED_LENGTH = 40;

/** Distinct numbers that make a column one of numbers, however many of its cells are odd. */
const ENOUGH_READ = 10;

/** Whether odd cells should be asked about: a word that stands for most, or numbers with marks. */
function askedOf(
  odd: readonly OddText[],
  reads: number,
  fit: number,
  first: SeenCell | undefined,
): NearType['asks'] {
  const count = odd.reduce((sum, one) => sum + one.count, 0);
  if (odd.length > 1 && odd.every((one) => MARKED.test(one.text))) return { isSafe: false };
  if (count > fit && reads < ENOUGH_READ) return undefined;
  const most = odd.reduce((best, one) => (one.count > best.count ? one : best));
  const { text, cell, line } = most;
  const hasDigit = /\p{N}/u;
  const isWord = !hasDigit.test(text) && text.length <= MOST_ASKED_LENGTH;
  const isMost = most.count * 5 >= count * 4;
  if (isMost && (isWord || (odd.length === 1 && (most.count > 1 || MARKED.test(text))))) {
    const isSafe =
      isWord &&
      text.length <= MOST_SAFE_LENGTH &&
      !/^\p{L}$/u.test(text) &&
      // The one names its row, the other perhaps its column.
      !isTotalWord(text) &&
      !(most.count === 1 && line === first?.line) &&
      !odd.some((one) => hasDigit.test(one.text));
    return { word: { cell, line, count: most.count }, isSafe };
  }
  return undefined;
}

const WHY_ORDER = {
  dmy: 'has dates with the day before the month',
  mdy: 'has dates with the month before the day',
  other: 'has dates',
};

/** Times since a moment that lie between 1990 and 2100, or for days between 1954 and 2064. */
const COUNTERS = [
  { format: '%s', of: 'seconds since 1970', from: 631_152_000, to: 4_102_444_800 },
  { format: '%Q', of: 'milliseconds since 1970', from: 631_152_000_000, to: 4_102_444_800_000 },
  { format: 'excel', of: 'days as spreadsheets do', from: 20_000, to: 60_000 },
] as const;

const WHY_DECIMAL = { '.': 'has numbers', ',': 'has numbers with a decimal comma' };

/**
 * The pairs of words for true and false. Other languages' single letters are left out: S and N are
 * more often south and north.
 */
const PAIRS: readonly (readonly [yes: string, no: string])[] = [
  ...([
    ['true', 'false'],
    ['t', 'f'],
    ['yes', 'no'],
    ['y', 'n'],
    ['on', 'off'],
  ] as const),
  ...([
    ['ja', 'nein'],
    ['j', 'n'],
    ['wahr', 'falsch'],
    ['oui', 'non'],
    ['vrai', 'faux'],
  ] as const),
  ...([
    ['si', 'no'],
    ['s\u00ed', 'no'],
    ['sim', 'n\u00e3o'],
    ['1', '0'],
  ] as const),
];

const WORDS = new Set(PAIRS.flat());

/** Six ways to write two words in capitals and not; more are no pair. */
const MOST_SPELLINGS = 6;

/** Collects whether a column's cells are a pair of words for true and false. */
class WordEvidence implements CellEvidence {
  private readonly seen = new Map<string, SeenCell>();

  add(text: string, line: number): string | undefined {
    if (this.seen.has(text)) return undefined;
    if (this.seen.size >= MOST_SPELLINGS || !WORDS.has(text.toLowerCase())) {
      return 'is neither true nor false';
    }
    this.seen.set(text, seenCell(text, line));
    return undefined;
  }

  /** Whether the cells are single letters: t and f. */
  get areLetters(): boolean {
    return [...this.seen.keys()].every((cell) => /^\p{L}$/u.test(cell));
  }

  /** Whether the cells are 1 and 0. */
  get areDigits(): boolean {
    return this.seen.has('0') || this.seen.has('1');
  }

  /** How the pair is written; undefined unless both of its words occur, unless one will do. */
  pair(
    isOneEnough: boolean,
  ): { readonly spelling: Spelling; readonly deciding: readonly SeenCell[] } | undefined {
    for (const [yes, no] of PAIRS) {
      const cells = [...this.seen.keys()];
      const [trueValues, falseValues] = [yes, no].map((word) =>
        cells.filter((cell) => cell.toLowerCase() === word),
      ) as [string[], string[]];
      const [first] = trueValues;
      const [second] = falseValues;
      if (trueValues.length + falseValues.length < cells.length) continue;
      if (!isOneEnough && (first === undefined || second === undefined)) continue;
      const deciding = [first, second].flatMap((word) =>
        word === undefined ? [] : [this.seen.get(word) as SeenCell],
      );
      const isDefault = yes === 'true';
      return { spelling: isDefault ? {} : { trueValues, falseValues }, deciding };
    }
    return undefined;
  }
}
