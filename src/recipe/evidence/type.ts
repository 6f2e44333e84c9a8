import { showCell } from '../../text/wording.ts';
import { FIELD_TYPES, type FieldTypeName, isNumeric, typeOf } from '../../values/field-types.ts';
import type { Storage } from '../storage.ts';
import { askedOf } from './ask-odd.ts';
import { BooleanKind } from './boolean.ts';
import {
  type CountedCell,
  type Denial,
  type GivenOfColumn,
  type NearType,
  type Range,
  type Reading,
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
import { NumberKind, withOtherSigns } from './number-kind.ts';
import { PatternKind } from './pattern.ts';
import { PeriodKind } from './period.ts';
import { type ShapeKind, shapeKinds } from './shape.ts';
import { TimeKind } from './time.ts';

/** Collects which types a column's cells may be of. */
export class TypeEvidence implements SeenColumn {
  readonly header: string;
  /** Set before the readings are asked for, if the file has types. */
  typesOfFile: TypesOfFile | undefined;
  private readonly booleans: BooleanKind;
  private readonly times: TimeKind;
  private readonly numbers: NumberKind;
  private readonly shapes: readonly ShapeKind[];
  private readonly periods = new PeriodKind();
  /** Present if the pattern of the column's dates or times is given. */
  private readonly pattern: PatternKind | undefined;
  /** All kinds, in the order in which their readings are taken. */
  private readonly inOrder: readonly Kind[];
  /** The kinds that few cells refute. */
  private alive: readonly Kind[];
  private first?: SeenCell;
  /** All texts so far, as long as they are few. */
  private early: OddText[] | undefined = [];
  /** The early texts and the odd ones, with how often each was added. */
  private kept = new Map<string, OddText>();

  /** `format` is the pattern of dates or times that is given for the column. */
  constructor(header: string, storage: Storage, format?: string) {
    this.header = header;
    this.booleans = new BooleanKind(this);
    this.times = new TimeKind(this);
    this.numbers = new NumberKind(this, storage);
    this.shapes = shapeKinds(this);
    this.pattern = format === undefined ? undefined : new PatternKind(format);
    const { booleans, times, numbers, shapes, periods } = this;
    const given = this.pattern === undefined ? [] : [this.pattern];
    // Of two that are equally near, the first says why the column is a text.
    this.alive = [...given, times, numbers, ...shapes, booleans, periods];
    this.inOrder = [
      ...given,
      // Booleans come before times, and their readings leave 1 and 0 to numbers.
      booleans,
      times,
      ...shapes.filter(({ isBeforeNumbers }) => isBeforeNumbers),
      numbers,
      ...shapes.filter(({ isBeforeNumbers }) => !isBeforeNumbers),
      periods,
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
    const kept = oddText(text, line);
    this.kept.set(kept.text, kept);
    return kept;
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
    const { numbers, pattern } = this;
    // If numbers are chosen, those that are odd for their minus alone are read.
    const signed =
      chosen !== undefined && isNumeric({ type: chosen })
        ? numbers.otherSigns(this.oddIn(numbers, given))
        : undefined;
    // A pattern says of a column as much as a type does.
    const isFormatted = pattern !== undefined && chosen === undefined;
    const takesAll = chosen !== undefined && typeOf({ type: chosen }).readCell === takeAnyText;
    for (const kind of this.inOrder) {
      if (chosen === undefined && this.isRuledOut(kind)) continue;
      if (isFormatted && kind !== pattern) continue;
      const all = this.oddIn(kind, given);
      const left = kind === numbers ? all.filter(({ text }) => !signed?.has(text)) : all;
      const isFit = kind.isAlive && left.length === 0;
      const odd = isFit ? undefined : oddCellsOf(left);
      const isFew = kind.isAlive && kind.best.reads > 0 && (odd?.count ?? 0) * 2 < of;
      const isChosen = chosen !== undefined || isFormatted;
      if (!isFit && (!isChosen || takesAll || !isFew)) continue;
      const found = kind.readings(given).flatMap((reading): DoubtedReading[] => {
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

  /** Whether the file's own types rule a kind out. */
  private isRuledOut(kind: Kind): boolean {
    return (
      this.typesOfFile === 'names' || (this.typesOfFile === 'numbers' && kind !== this.numbers)
    );
  }

  /** The type that nearly all of so many cells are of, if any is. */
  near(given: GivenOfColumn, of: number): NearType | undefined {
    const { booleans, numbers, times } = this;
    const found = this.inOrder.flatMap((kind): NearType[] => {
      const odd = this.oddIn(kind, given);
      if (this.isRuledOut(kind)) return [];
      if (!kind.isAlive || odd.length === 0 || kind.best.reads < LEAST_READ) return [];
      const [reading] = kind === booleans ? [] : kind.readings(given);
      if (reading === undefined || reading.doubt !== undefined) return [];
      const all = oddCellsOf(odd);
      const fit = of - all.count;
      const isAsked = kind === numbers || kind === times;
      const areRead = kind === numbers && numbers.otherSigns(odd).size === odd.length;
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

  private oddIn(kind: Kind, { nothing = [] }: GivenOfColumn): readonly OddText[] {
    const { odd } = kind.best;
    return nothing.length === 0 ? odd : odd.filter(({ text }) => !nothing.includes(text));
  }

  /** Words that are said to mean nothing, of those that some evidence found odd. */
  oddWords(words: readonly string[]): readonly CountedCell[] {
    return words.flatMap((word) => this.kept.get(word) ?? []);
  }

  firstCells(): readonly SeenCell[] {
    return this.first === undefined ? [] : [this.first];
  }

  /** The type that all cells of a text allow, if its header does not say that they are no numbers. */
  get perhaps(): FieldTypeName | undefined {
    return this.numbers.mayBeNumbers ? 'number' : undefined;
  }

  /** The pattern by which a text's cells are months or quarters, each of which has a first day. */
  get periodFormat(): string | undefined {
    return this.periods.format;
  }

  /** The range of the numbers that are not of nines alone. */
  get othersThanNines(): Range<number> | undefined {
    return this.numbers.best.evidence.others;
  }

  /** The digits of whole numbers that may name things: all have as many, and no word says amounts. */
  get mayBeNames(): number | undefined {
    return this.numbers.mayBeNames;
  }

  /** Why the column is a text: the cell that ruled out the type which most cells were of. */
  asText(): Reading {
    const because = (why: string, deciding = this.firstCells()): Reading => {
      return { type: 'text', spelling: {}, why, deciding };
    };
    if (this.first === undefined) return because('has no values');
    if (this.typesOfFile === 'names')
      return because('has formulas of one text, which keep it as it is');
    const { booleans, times, numbers, shapes } = this;
    const { evidence, denial, nearness } = numbers.best;
    const { id } = evidence;
    // One among texts says nothing of these.
    const isOfId = id !== undefined && (nearness > 0 || id.line <= (denial ?? id).line);
    const names = denial === undefined || isOfId ? numbers.whyNames : undefined;
    if (names !== undefined) return because(names.why, [{ cell: names.cell, line: names.line }]);
    const { roundedMoney } = numbers;
    if (denial === undefined && roundedMoney !== undefined) {
      const { cell, line } = roundedMoney;
      return because('is money, with more digits than a number holds', [{ cell, line }]);
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
    if (nearest?.denial === undefined) return because('has texts');
    const { cell, line, because: reason } = nearest.denial;
    return because(`${showCell(cell)} ${reason}`, [{ cell, line }]);
  }

  /** The first cell that is not of a type, or not in the pattern that was given. */
  unfit(type: FieldTypeName | undefined): Denial {
    const { booleans, times, numbers, shapes, pattern } = this;
    if (type === undefined) {
      const because = 'is not in the pattern that was given';
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

const takeAnyText = FIELD_TYPES.text.readCell;

/** With fewer distinct texts of a type, it is not said to be nearly the column's. */
const LEAST_READ = 2;

/** One in so many cells may be odd in a column that is said to be nearly of a type. */
const FEW = 10;
