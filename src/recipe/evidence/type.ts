import type { CellType } from '../../files/source-table.ts';
import { showCell } from '../../text/wording.ts';
import { FIELD_TYPES, type FieldTypeName, isNumeric, typeOf } from '../../values/field-types.ts';
import { askedOf } from './ask-odd.ts';
import { BooleanKind } from './boolean.ts';
import {
  type CellReading,
  type CountedCell,
  type Denial,
  type GivenOfColumn,
  type NearType,
  type SeenCell,
  seenCell,
} from './column-decision.ts';
import {
  type DoubtedReading,
  EARLY,
  type Kind,
  type OddText,
  oddCellsOf,
  oddText,
  type SeenColumn,
  type TypesOfFile,
} from './kind.ts';
import { MarkedTextKind } from './marked-text.ts';
import { NumberKind, withOtherSigns } from './number-kind.ts';
import { PatternKind } from './pattern.ts';
import { PeriodKind } from './period.ts';
import type { PlainCell } from './plain-cell.ts';
import { type ShapeKind, shapeKinds } from './shape.ts';
import { TimeKind } from './time.ts';
import { TypedTimeKind } from './typed-time.ts';

/** Collects which types a column's cells may be of. */
export class TypeEvidence implements SeenColumn {
  readonly header: string;
  /** Set before the readings are requested, if the file has types of its own. */
  typesOfFile: TypesOfFile | undefined;
  private readonly booleans: BooleanKind;
  private readonly times: TimeKind;
  readonly numbers: NumberKind;
  private readonly shapes: readonly ShapeKind[];
  readonly periods: PeriodKind;
  private readonly marked: MarkedTextKind;
  /** Present if a pattern of dates or times is given for the column. */
  private readonly pattern: PatternKind | undefined;
  /** Present if the first cell is of a file that types times and no texts, as Excel does. */
  private typedTimes?: TypedTimeKind;
  /** All kinds, in the order in which their readings are tried. */
  private inOrder: readonly Kind[];
  /** The kinds with few odd texts. */
  private alive: readonly Kind[];
  private first?: SeenCell;
  /** All texts so far, as long as they are few. */
  private early: OddText[] | undefined = [];
  /** The early texts and the odd ones, with how often each was added. */
  private kept = new Map<string, OddText>();

  /** `format` is the pattern of dates or times given for the column, perhaps in a `calendar`. */
  constructor(header: string, { format, calendar }: Pick<GivenOfColumn, 'format' | 'calendar'>) {
    this.header = header;
    this.booleans = new BooleanKind(this);
    this.times = new TimeKind(this);
    this.numbers = new NumberKind(this);
    this.shapes = shapeKinds(this);
    this.periods = new PeriodKind(this);
    this.marked = new MarkedTextKind(this);
    const other = calendar === 'gregorian' ? undefined : calendar;
    this.pattern = format === undefined ? undefined : new PatternKind(this, format, other);
    const { booleans, times, numbers, shapes, periods, marked } = this;
    const given = this.pattern === undefined ? [] : [this.pattern];
    // Of two equally near kinds, the first says why the column is a text.
    this.alive = [...given, times, numbers, ...shapes, booleans, periods, marked];
    this.inOrder = [
      ...given,
      // Booleans come before times, and their readings leave 1 and 0 to numbers.
      booleans,
      times,
      ...shapes.filter(({ isBeforeNumbers }) => isBeforeNumbers),
      numbers,
      ...shapes.filter(({ isBeforeNumbers }) => !isBeforeNumbers),
      periods,
      marked,
    ];
  }

  /** Takes a cell, trimmed and not blank, and the type that the file gives it. */
  add(text: string, line: number, type?: CellType): void {
    const isTyped = type === 'time';
    if (this.first === undefined && (isTyped || type === 'other')) this.addTypedTimes();
    this.first ??= seenCell(text, line);
    if (this.alive.length === 0) return;
    if (this.again(text)) return;
    const { early } = this;
    for (const kind of this.alive) kind.add(text, line, this.keep, early, isTyped);
    early?.push(this.keep(text, line));
    const isEarlyOver = early !== undefined && early.length >= EARLY;
    if (isEarlyOver) this.early = undefined;
    if (isEarlyOver || !this.alive.every(({ isAlive }) => isAlive)) this.forget();
  }

  private addTypedTimes(): void {
    const typedTimes = new TypedTimeKind(this);
    this.typedTimes = typedTimes;
    this.alive = [...this.alive, typedTimes];
    this.inOrder = this.inOrder.flatMap((kind) =>
      kind === this.times ? [kind, typedTimes] : [kind],
    );
  }

  /** Keeps a text once. It is one function for all texts, because there may be millions. */
  private readonly keep = (text: string, line: number): OddText => {
    const known = this.kept.get(text);
    if (known !== undefined) return known;
    const kept = oddText(text, line);
    this.kept.set(kept.text, kept);
    return kept;
  };

  /** Counts a text that was added before, if it was kept. Returns whether it was. */
  again(text: string, times = 1): boolean {
    const known = this.kept.size === 0 ? undefined : this.kept.get(text);
    if (known !== undefined) known.count += times;
    return known !== undefined;
  }

  /** Whether a cell would only be counted. `count` does that. */
  changesNothing(cell: PlainCell): boolean {
    if (this.first === undefined || this.early !== undefined || this.kept.size > 0) return false;
    const [kind, other] = this.alive;
    return kind === undefined || (other === undefined && kind.changesNothing(cell));
  }

  count(cell: PlainCell): void {
    this.alive[0]?.count(cell);
  }

  /** Takes over counts of texts that were counted elsewhere. */
  takeCounts(countOf: (text: string) => number | undefined): void {
    for (const one of this.kept.values()) one.count = countOf(one.text) || one.count;
  }

  private forget(): void {
    this.alive = this.alive.filter(({ isAlive }) => isAlive);
    const odd = this.alive.flatMap((kind) => kind.odd);
    this.kept = new Map([...(this.early ?? []), ...odd].map((one) => [one.text, one]));
  }

  /**
   * Returns the readings of the first kind that fits all cells and what is given. If a type is
   * chosen, fewer than half of the cells may fail to fit. `of` is the number of cells.
   */
  readings(given: GivenOfColumn, of: number): DoubtedReading[] {
    const { type: chosen } = given;
    const { numbers, pattern } = this;
    // Chosen numbers include those that are odd only for the place of their minus.
    const signed =
      chosen !== undefined && isNumeric({ type: chosen })
        ? numbers.otherSigns(this.oddIn(numbers, given))
        : undefined;
    // A pattern decides as much about a column as a type does, and more than a type of the file.
    const isFormatted = pattern !== undefined && (chosen === undefined || isOfTime(chosen));
    const takesAll = chosen !== undefined && typeOf({ type: chosen }).readCell === takeAnyText;
    for (const kind of this.inOrder) {
      if (isFormatted ? kind !== pattern : chosen === undefined && this.isRuledOut(kind)) continue;
      const all = this.oddIn(kind, given);
      const unread = kind === numbers ? all.filter(({ text }) => !signed?.has(text)) : all;
      const isFit = kind.isAlive && unread.length === 0;
      const odd = isFit ? undefined : oddCellsOf(unread);
      const isFew = kind.isAlive && kind.best.reads > 0 && (odd?.count ?? 0) * 2 < of;
      const isChosen = chosen !== undefined || isFormatted;
      if (!isFit && (!isChosen || takesAll || !isFew)) continue;
      const found = kind.readings(given).flatMap((reading): DoubtedReading[] => {
        const { type = reading.type } = given;
        const isOfType = type === reading.type || (type === 'number' && reading.type === 'integer');
        if (!isOfType) return [];
        const whole = kind === numbers && signed ? withOtherSigns(reading, signed) : reading;
        return [{ ...whole, type, odd }];
      });
      if (found.length > 0) return found;
    }
    if (!takesAll) return [];
    const why = 'was chosen';
    return [{ type: chosen, spelling: {}, why, deciding: this.firstCells(), given: {} }];
  }

  /** Whether the file's own types rule out a kind. */
  private isRuledOut(kind: Kind): boolean {
    return (
      this.typesOfFile === 'names' || (this.typesOfFile === 'numbers' && kind !== this.numbers)
    );
  }

  /** The type that nearly all of the `of` cells have, if any. */
  near(given: GivenOfColumn, of: number): NearType | undefined {
    const { booleans, numbers, times } = this;
    const found = this.inOrder.flatMap((kind): NearType[] => {
      const odd = this.oddIn(kind, given);
      if (this.isRuledOut(kind)) return [];
      if (!kind.isAlive || odd.length === 0 || kind.best.reads < LEAST_READ) return [];
      const [reading] = kind === booleans || kind === this.marked ? [] : kind.readings(given);
      if (reading === undefined || reading.doubt !== undefined) return [];
      const all = oddCellsOf(odd);
      const fit = of - all.count;
      const isAsked = kind === numbers || kind === times || kind === this.typedTimes;
      const areRead = kind === numbers && numbers.otherSigns(odd).size === odd.length;
      const asks = areRead
        ? { isSafe: false, areRead }
        : isAsked && fit > 0
          ? askedOf(odd, kind.best.reads, fit, this.first)
          : undefined;
      if (asks === undefined && all.count * FEW > of) return [];
      return [{ reading, fit, of, odd: all, asks }];
    });
    return found.toSorted((a, b) => b.fit - a.fit)[0];
  }

  private oddIn(kind: Kind, { nothing = [] }: GivenOfColumn): readonly OddText[] {
    const { odd } = kind.best;
    return nothing.length === 0 ? odd : odd.filter(({ text }) => !nothing.includes(text));
  }

  /** Given words for nothing that some evidence found odd. */
  oddWords(words: readonly string[]): readonly CountedCell[] {
    return words.flatMap((word) => this.kept.get(word) ?? []);
  }

  firstCells(): readonly SeenCell[] {
    return this.first === undefined ? [] : [this.first];
  }

  /** Says why the column is a text, with the cell that ruled out its nearest type. */
  asText(): CellReading {
    const because = (why: string, deciding = this.firstCells()): CellReading => {
      return { type: 'text', spelling: {}, why, deciding };
    };
    if (this.first === undefined) return because('has no values');
    if (this.typesOfFile === 'names')
      return because('has formulas of one text, which keep it as it is');
    const { booleans, times, numbers, shapes } = this;
    const { evidence, denial, nearness } = numbers.best;
    const { id } = evidence;
    // A single id among texts says nothing about them.
    const isOfId = id !== undefined && (nearness > 0 || id.line <= (denial ?? id).line);
    const names = denial === undefined || isOfId ? numbers.whyNames : undefined;
    if (names !== undefined) return because(names.why, [{ cell: names.cell, line: names.line }]);
    const { roundedMoney } = numbers;
    if (denial === undefined && roundedMoney !== undefined) {
      const { cell, line } = roundedMoney;
      return because('is money, with more digits than a number holds', [{ cell, line }]);
    }
    if (booleans.best.denial === undefined && booleans.areCodes) {
      return because('has two letters below a header of countries or languages');
    }
    const { areDigits, areLetters } = booleans.best.evidence;
    if (
      booleans.best.denial === undefined &&
      !areDigits &&
      !(areLetters && this.typesOfFile === 'texts')
    ) {
      return because('has a word for yes or no alone, without its counterpart');
    }
    const [nearest] = [times, numbers, ...shapes, booleans]
      .map((kind) => kind.nearest)
      .filter(({ nearness }) => nearness > 0)
      .sort((a, b) => b.nearness - a.nearness);
    if (nearest?.denial === undefined) return because(whyNoNumber(this.first.cell));
    const { cell, line, because: reason } = nearest.denial;
    return because(`${showCell(cell)} ${reason}`, [{ cell, line }]);
  }

  /** The first cell that does not fit a type, or the given pattern. */
  unfit(type: FieldTypeName | undefined): Denial {
    const { booleans, times, numbers, shapes, pattern } = this;
    if (type === undefined || (pattern !== undefined && isOfTime(type))) {
      const because =
        type === undefined
          ? 'is not in the pattern that was given'
          : `is not ${FIELD_TYPES[type].noun} in that pattern`;
      return pattern?.best.denial ?? { ...(this.first as SeenCell), because };
    }
    const kind: Kind =
      shapes.find((shape) => shape.type === type) ??
      { boolean: booleans, date: times, datetime: times }[type as string] ??
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

/** Says why a cell that no kind has read is no number and no date. */
function whyNoNumber(cell: string): string {
  if (!/\p{N}/u.test(cell)) return /\p{L}/u.test(cell) ? 'has words' : 'has signs, no digits';
  if (/^\P{L}*$/u.test(cell) && !/\d/.test(cell)) return 'has digits other than 0 to 9';
  if (TIME_OF_DAY.test(cell)) return 'has times of day or durations';
  if (OWN_DATE.test(cell)) return 'has dates in a pattern that --format may give';
  return /\p{L}/u.test(cell) ? 'has letters beside digits' : 'has signs between digits';
}

const TIME_OF_DAY = /^\d+:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s*[ap]\.?m\.?)?$/i;

/** A date with a name of a month, or with a year of four digits at one end. */
const OWN_DATE =
  /\b\d{1,4}[-/., ]{0,2}(?:jan|feb|mar|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[\p{L}.]{0,20}[-/., ]{1,2}\d|^\P{N}{0,40}(?:jan|feb|mar|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[\p{L}.]{0,20} \d{1,2},? \d{4}|^(?:1[5-9]|20)\d\d([-/.])\d{1,2}\1\d{1,2}(?!\d)|^\d{1,2}([-/.])\d{1,2}\2(?:1[5-9]|20)\d\d(?!\d)/iu;

/** Whether a pattern of dates or times can be given with a type. */
function isOfTime(type: FieldTypeName): boolean {
  return type === 'date' || type === 'datetime';
}

const takeAnyText = FIELD_TYPES.text.readCell;

/** A column nearly has a type only with at least this many distinct texts of it. */
const LEAST_READ = 2;

/** At most one cell in this many may be odd if a column nearly has a type. */
const FEW = 10;
