import { TOTAL } from '../files/find-header.ts';
import { showCell } from '../text/wording.ts';
import type { CellShape } from '../values/field-type.ts';
import { FIELD_TYPES, type FieldTypeName, typeOf } from '../values/field-types.ts';
import type { Spelling } from '../values/spelling.ts';
import { isUtc } from '../values/time-zone.ts';
import {
  type CellEvidence,
  type CountedCell,
  type Denial,
  type NearType,
  type OpenReading,
  type Reading,
  type ReadingChoice,
  type Rounded,
  type SeenCell,
  ShapeEvidence,
  seenCell,
} from './column-decision.ts';
import {
  CODE_WORD,
  isCurrency,
  isOfIds,
  isOfQuantities,
  MONEY_WORD,
  titleAndUnit,
  wordsOf,
} from './column-names.ts';
import { EARLY, KindEvidence, type OddText, oddCellsOf, oddText } from './infer-kind.ts';
import { NumberEvidence } from './infer-number.ts';
import { TimeEvidence } from './infer-time.ts';
import type { Storage } from './storage.ts';

/** A reading that may well be wrong, and why. */
export type DoubtedReading = Omit<OpenReading, 'value'> & { readonly doubt?: string };

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
};

/** A kind of evidence, and its readings by some wishes, whatever is odd. */
type ReadKind = {
  readonly kind: KindEvidence;
  readonly read: (wishes: ReadingChoice) => readonly DoubtedReading[];
};

/** The first cell may be the odd one, and so may one that two ways to write allow. */
const MOST_BEGINNINGS = 3;

/** Collects which types a column's cells may be of. */
export class TypeEvidence {
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

  constructor(header: string, storage: Storage) {
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
    };
    const { words, times, numbers } = this.kinds;
    // Of two that are equally near, the first says why the column is a text.
    this.alive = [times, numbers, ...shapes.values(), words];
    const shaped = (areBefore: boolean) =>
      SHAPED.filter(({ shape }) => isBefore(shape) === areBefore).map(({ type, shape }) => ({
        kind: shapes.get(type) as KindEvidence,
        read: () => [{ type, spelling: {}, why: shape.why, deciding: this.firstCells(), wish: {} }],
      }));
    this.inOrder = [
      // Words are behind numbers, which 1 and 0 are sooner.
      { kind: words, read: (wishes) => this.booleans(wishes) },
      { kind: times, read: (wishes) => this.times(wishes) },
      ...shaped(true),
      { kind: numbers, read: (wishes) => this.numbers(wishes) },
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
   * The readings of the first kind that fits all cells, and the wishes. If a type is wished for, fewer
   * than half of the cells need not fit: `of` is their number.
   */
  readings(wishes: ReadingChoice, of: number): DoubtedReading[] {
    const { type: wished } = wishes;
    const takesAll = wished !== undefined && typeOf({ type: wished }).readCell === takeAnyText;
    for (const { kind, read } of this.inOrder) {
      const left = this.oddIn(kind, wishes);
      const isFit = kind.isAlive && left.length === 0;
      const odd = isFit ? undefined : oddCellsOf(left);
      const isFew = kind.isAlive && kind.best.reads > 0 && (odd?.count ?? 0) * 2 < of;
      if (!isFit && (wished === undefined || takesAll || !isFew)) continue;
      const found = read(wishes).flatMap((reading): DoubtedReading[] => {
        const { type = reading.type } = wishes;
        const isOfType = type === reading.type || (type === 'number' && reading.type === 'integer');
        if (!isOfType) return [];
        return [{ ...reading, type, ...(odd === undefined ? {} : { odd }) }];
      });
      if (found.length > 0) return found;
    }
    if (!takesAll) return [];
    const why = 'was chosen';
    return [{ type: wished, spelling: {}, why, deciding: this.firstCells(), wish: {} }];
  }

  /** The type that nearly all of so many cells are of, if any is. */
  near(wishes: ReadingChoice, of: number): NearType | undefined {
    const { numbers, times } = this.kinds;
    const found = this.inOrder.flatMap(({ kind, read }): NearType[] => {
      const odd = this.oddIn(kind, wishes);
      if (!kind.isAlive || odd.length === 0 || kind.best.reads < LEAST_READ) return [];
      const [reading] = kind === this.kinds.words ? [] : read(wishes);
      if (reading === undefined || reading.doubt !== undefined) return [];
      const all = oddCellsOf(odd);
      const fit = of - all.count;
      const isAsked = kind === numbers || kind === times;
      const asks = isAsked && fit > 0 ? askedOf(odd, kind.best.reads, fit, this.first) : undefined;
      if (asks === undefined && all.count * FEW > of) return [];
      return [{ reading, fit, of, odd: all, ...(asks === undefined ? {} : { asks }) }];
    });
    return found.toSorted((a, b) => b.fit - a.fit)[0];
  }

  private oddIn(kind: KindEvidence, { nothing = [] }: ReadingChoice): readonly OddText[] {
    const { odd } = kind.best;
    return nothing.length === 0 ? odd : odd.filter(({ text }) => !nothing.includes(text));
  }

  /** Words that are said to mean nothing, of those that some evidence found odd. */
  oddWords(words: readonly string[]): readonly CountedCell[] {
    return words.flatMap((word) => this.kept.get(word) ?? []);
  }

  private booleans({ type }: ReadingChoice): DoubtedReading[] {
    const words = this.kinds.words.best.evidence;
    const isWished = type === 'boolean';
    const pair = words.pair(isWished);
    // 1 and 0 are more often counts, unless the header asks a question.
    const isQuestion = /^(?:is|has)$/.test(wordsOf(this.header)[0] ?? '');
    if (pair === undefined || (words.areDigits && !isWished && !isQuestion)) return [];
    return [{ type: 'boolean', why: 'has two words, for yes and no', wish: {}, ...pair }];
  }

  private times({ type, dates, zone }: ReadingChoice): DoubtedReading[] {
    const all = this.kinds.times.best.evidence.readings(isOfIds(this.header));
    const ordered = all.filter(({ order }) => order === dates);
    const isWished = type === 'date' || type === 'datetime';
    return (ordered.length > 0 ? ordered : all).map((reading) => {
      const { format, monthLanguage, order, doubt, local, range, deciding } = reading;
      return {
        type: reading.type,
        spelling: {
          ...(format === undefined ? {} : { format }),
          ...(monthLanguage === undefined ? {} : { monthLanguage }),
        },
        ...(local === undefined ? {} : { local }),
        ...(reading.type === 'date' || local ? {} : this.zoneOf(zone)),
        range,
        why: WHY_ORDER[order ?? 'other'],
        deciding,
        wish: {
          ...(doubt === undefined ? {} : { type: reading.type }),
          ...(order === undefined ? {} : { dates: order }),
        },
        ...(doubt === undefined || isWished ? {} : { doubt }),
      };
    });
  }

  /** The zone in which the days of times with an offset are counted. */
  private zoneOf(wished: string | undefined): Partial<Reading> {
    const { zone } = this.kinds.times.best.evidence;
    if (wished !== undefined) {
      return isUtc(wished) ? {} : { timeZone: wished, whyZone: 'as was chosen' };
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

  private numbers({ type, decimal }: ReadingChoice): DoubtedReading[] {
    const numbers = this.kinds.numbers.best.evidence;
    const isWished = type === 'number' || type === 'integer';
    const mayBeIds = numbers.oneLength !== undefined && !isOfQuantities(this.header);
    if (!isWished && (numbers.id !== undefined || mayBeIds)) return [];
    if (!isWished && this.areCodes) return [];
    const all = numbers.readings();
    if (!isWished && this.roundedMoney !== undefined) return [];
    const chosen = all.filter(({ decimalChar }) => decimalChar === decimal);
    return (chosen.length > 0 ? chosen : all).map(({ decimalChar, fraction: _, ...reading }) => ({
      ...reading,
      why: reading.type === 'integer' ? 'has whole numbers' : WHY_DECIMAL[decimalChar],
      wish: { decimal: decimalChar },
    }));
  }

  /** Postal codes and the like, of which none begins with a zero, and that nobody adds up. */
  private get areCodes(): boolean {
    const isBare = this.kinds.numbers.best.evidence
      .readings()
      .every(
        ({ type, spelling }) =>
          type === 'integer' && Object.values(spelling).every((sign) => sign === undefined),
      );
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
    const { evidence, denial, reads } = this.kinds.numbers.best;
    if (reads === 0 || denial !== undefined || evidence.id !== undefined) return undefined;
    if (this.roundedMoney !== undefined) return 'number';
    return evidence.oneLength !== undefined && !isOfIds(this.header) ? 'integer' : undefined;
  }

  /** Why the column is a text: the cell that ruled out the type which most cells were of. */
  asText(): Reading {
    const because = (why: string, deciding = this.firstCells()): Reading => {
      return { type: 'text', spelling: {}, why, deciding };
    };
    if (this.first === undefined) return because('has no values');
    const { words, times, numbers, shapes } = this.kinds;
    const { evidence, denial, nearness } = numbers.best;
    const { id, oneLength } = evidence;
    // One among texts says nothing of these.
    if (id !== undefined && (nearness > 0 || id.line <= (denial ?? id).line)) {
      return because(id.why, [{ cell: id.cell, line: id.line }]);
    }
    if (denial === undefined && oneLength !== undefined) {
      return because(`has ${oneLength.digits} digits in every cell`, [oneLength]);
    }
    const { roundedMoney } = this;
    if (denial === undefined && roundedMoney !== undefined) {
      const { cell, line } = roundedMoney;
      return because('is money, with more digits than a number holds', [{ cell, line }]);
    }
    if (denial === undefined && this.areCodes) {
      return because('has whole numbers below a header that is of codes');
    }
    if (words.best.denial === undefined && !words.best.evidence.areDigits) {
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

  /** The first cell that is not of a type. */
  unfit(type: FieldTypeName): Denial {
    const { words, times, numbers, shapes } = this.kinds;
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

const takeAnyText = FIELD_TYPES.text.readCell;

/** With fewer distinct texts of a type, it is not said to be nearly the column's. */
const LEAST_READ = 2;

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
      !TOTAL.test(text) &&
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
