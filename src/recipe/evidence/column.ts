import type { KnownTexts, PlainRows } from '../../files/plain-rows.ts';
import type { CellType } from '../../files/source-table.ts';
import { numberText, showCell } from '../../text/wording.ts';
import { isNumeric } from '../../values/field-types.ts';
import { cellReader, isBlankCell, withoutFormula } from '../../values/spelling.ts';
import {
  type CellReading,
  type ColumnDecision,
  type CountedCell,
  type GivenOfColumn,
  namelessField,
  seenCell,
} from './column-decision.ts';
import { DistinctTexts, MOST_COUNTED, type Room, roomForColumns } from './distinct-texts.ts';
import { Ends } from './ends.ts';
import type { DoubtedReading, TypesOfFile } from './kind.ts';
import { isMissingWord, isNeverValue, mayBeMissing } from './missing-words.ts';
import { isOfNines } from './number.ts';
import { writtenAs } from './pattern.ts';
import { PlainCell } from './plain-cell.ts';
import { TypeEvidence } from './type.ts';

/** Cells of a column that are kept as examples. */
const MOST_SAMPLES = 100;

const EQUALS = 0x3d;

/** Longer cells are not shown as examples. */
const MOST_SAMPLE_LENGTH = 100;

/** Spellings of words for nothing in a column. A column with more is a text. */
const MOST_MISSING = 32;

/** Odd cells that are shown beside a column's type. */
const MOST_DECIDING = 3;

const ONLY_WORDS = 'has words for nothing alone';

/** Collects in bounded memory what a column's cells may be. It sees every cell. */
export class ColumnEvidence {
  private readonly types: TypeEvidence;
  private readonly distinct: DistinctTexts;
  /** Words given as meaning nothing, beside the known ones. */
  private readonly givenWords: ReadonlySet<string>;
  private readonly missing = new Map<string, CountedCell & { count: number }>();
  private readonly samples: string[] = [];
  private filled = 0;
  private hasFormulas = false;
  private blanks = 0;
  private longest = 0;
  private readonly nines = new NineCounts();
  private readonly ends = new Ends();
  /** The texts of plain rows, and how many cells of each are taken and not yet added but the first. */
  private known?: KnownTexts;
  private times = new Uint32Array(0);
  private readonly cell = new PlainCell();
  /** How many filled cells the file itself gives each type. */
  private readonly typeCounts = { number: 0, text: 0, boolean: 0, time: 0, other: 0 };

  /** All columns of a file share `room`. */
  constructor(
    header: string,
    room: Room = roomForColumns(),
    { nothing = [], ...given }: Pick<GivenOfColumn, 'nothing' | 'format' | 'calendar'> = {},
  ) {
    this.types = new TypeEvidence(header, given);
    this.distinct = new DistinctTexts(room, (countOf) => this.types.takeCounts(countOf));
    this.givenWords = new Set(nothing);
  }

  /** Takes the cells of some rows. `endRows` adds those whose texts came before. */
  addRows(rows: PlainRows, column: number): void {
    const { text, codes, length, columns, starts, ends, ids, firstLine } = rows;
    const { distinct } = this;
    const known = rows.known[column] as KnownTexts;
    this.known = known;
    // Where texts may soon be too many to be counted, it matters which comes first.
    const isOrdered = distinct.size + length > MOST_COUNTED;
    if (isOrdered) this.endRows();
    if (this.times.length < known.size) {
      const times = new Uint32Array(2 * known.size);
      times.set(this.times);
      this.times = times;
    }
    const { times } = this;
    for (let row = 0, at = column; row < length; row++, at += columns) {
      const id = ids[at] as number;
      if (id >= 0 && !isOrdered && !distinct.isUncounted) {
        const before = times[id] as number;
        times[id] = before + 1;
        if (before > 0) continue;
      }
      const [start, end] = [starts[at] as number, ends[at] as number];
      const line = firstLine + row;
      this.cell.becomes(codes, start, end);
      if (!this.addPlain(this.cell, line)) this.add(text.slice(start, end), line);
    }
  }

  /** Adds what `addRows` has taken and not added. */
  endRows(): void {
    const { known, times } = this;
    for (let id = 0; id < times.length; id++) {
      const again = (times[id] as number) - 1;
      if (again <= 0) continue;
      this.add(known?.textOf(id) as string, 0, undefined, again);
      times[id] = 1;
    }
  }

  /** Adds a cell if it is only to be counted. Returns whether it did. */
  private addPlain(cell: PlainCell, line: number): boolean {
    const { codes, start, end } = cell;
    if (start === end || this.samples.length < MOST_SAMPLES) return false;
    const [first, last] = [codes[start] as number, codes[end - 1] as number];
    if (!isPlainEnd(first) || !isPlainEnd(last) || first === EQUALS) return false;
    if (mayBeMissing(first, last) || mayBeOfNines(first, last)) return false;
    if (this.givenWords.size > 0) return false;
    if (!this.types.changesNothing(cell) || !this.ends.areClear(cell)) return false;
    this.filled++;
    const isRepeated = this.distinct.addIn(codes, start, end);
    this.ends.addPlain(cell, isRepeated ? undefined : line);
    if (isRepeated) return true;
    if (end - start > this.longest) this.longest = end - start;
    this.types.count(cell);
    return true;
  }

  /**
   * Takes the next cell as written in the file, and the type that the file gives it. With `again`,
   * takes that number of further cells with a text that was taken before.
   */
  add(cell: string, line: number, type?: CellType, again = 0): void {
    const times = again || 1;
    let text = trimmed(cell);
    if (text.charCodeAt(0) === EQUALS) {
      const bare = withoutFormula(text).trim();
      if (bare !== text) this.hasFormulas = true;
      text = bare;
    }
    if (isBlankCell(text)) {
      this.blanks += times;
      return;
    }
    this.filled += times;
    if (type !== undefined) this.typeCounts[type]++;
    this.nines.add(text, line, times);
    this.ends.count(text, times);
    const mayBeNothing =
      isMissingWord(text) || (this.givenWords.size > 0 && this.givenWords.has(text));
    if (mayBeNothing && this.addMissing(text, line, times)) return;
    const { distinct } = this;
    const { areCounted } = distinct;
    if (again > 0) distinct.addAgain(text, again);
    if (again > 0 || distinct.add(text)) {
      if (!areCounted) this.types.again(text, times);
      return;
    }
    if (text.length > this.longest) this.longest = text.length;
    if (this.samples.length < MOST_SAMPLES && text.length <= MOST_SAMPLE_LENGTH) {
      this.samples.push(seenCell(text, line).cell);
    }
    this.types.add(text, line, type);
    this.ends.add(text, line);
  }

  /**
   * Decides the column's type and spelling. If several readings are open, it is a text with these.
   */
  decide(given: GivenOfColumn = {}): ColumnDecision {
    const { types, distinct } = this;
    const { type, nothing = [] } = given;
    if (distinct.areCounted) types.takeCounts((text) => distinct.countOf(text));
    types.typesOfFile = this.typesOfFile();
    const asText = types.asText();
    const keepsWords = nothing.includes('');
    const decision = (reading: CellReading) => this.decision(reading, nothing);
    if (distinct.size === 0) {
      const [first] = this.missing.values();
      const text = first === undefined ? asText : { ...asText, why: ONLY_WORDS, deciding: [first] };
      const pattern = given.format === undefined ? undefined : writtenAs(given.format);
      if (pattern !== undefined && (type ?? pattern.type) === pattern.type) {
        return decision({ ...asText, ...pattern });
      }
      return decision(type === undefined || type === 'text' ? text : { ...asText, type });
    }
    if (type === 'text') return decision({ ...asText, why: 'was chosen' });
    // Beside numbers, a word that is a value is odd.
    const [value] = keepsWords ? this.wordsAsValues(nothing) : [];
    const of = this.filled - sumOf(this.wordsForNothing(nothing, false));
    const found = value === undefined ? types.readings(given, of) : [];
    const [first] = found;
    if (first === undefined) {
      if (type === undefined && given.format === undefined) return this.nearly(asText, given, of);
      const unfit = value ? { ...value, because: 'is kept as a value' } : types.unfit(type);
      const why = `${showCell(unfit.cell)} ${unfit.because}`;
      return { ...decision({ ...asText, why, deciding: [unfit] }), unfit };
    }
    if (found.length === 1 && first.doubt === undefined) {
      const { odd } = first;
      if (odd === undefined) return decision(first);
      return decision({ ...first, why: whyNear(first, of - odd.count, of), deciding: odd.first });
    }
    const { deciding } = first;
    const text = { ...asText, given: { type: 'text' as const } };
    // A type that is given is never replaced by a text.
    const safest = found.find(({ isSafest }) => isSafest) ?? (type === undefined ? text : first);
    const others: readonly DoubtedReading[] = found.filter((one) => one !== safest);
    const readings = [...others, safest].map((reading) => {
      const read = cellReader(namelessField(reading), { ...reading.spelling, cutTime: true });
      return { ...reading, deciding, value: read(deciding[0]?.cell ?? '') };
    });
    return { ...decision({ ...safest, why: whyOpen(found), deciding }), readings };
  }

  /** What the file's own types say about the column. Words for nothing are texts in any column. */
  private typesOfFile(): TypesOfFile | undefined {
    const { number, text } = this.typeCounts;
    // People write such formulas to get texts.
    if (this.hasFormulas) return 'names';
    const words = sumOf([...this.missing.values()]);
    const values = this.filled - words;
    if (number > 0) return number >= values ? 'numbers' : 'numbers-and-others';
    return text > 0 && text >= values ? 'texts' : undefined;
  }

  /** Decides on a text, and says what keeps it from having another type. */
  private nearly(asText: CellReading, given: GivenOfColumn, of: number): ColumnDecision {
    const near = this.types.near(given, of);
    const { nothing = [] } = given;
    if (near === undefined) {
      const { numbers, periods } = this.types;
      const perhaps = numbers.mayBeNumbers ? ('number' as const) : undefined;
      const decision = this.decision(asText, nothing);
      return { ...decision, perhaps, periodFormat: periods.format };
    }
    const { reading, fit, odd } = near;
    const why = whyNear(reading, fit, of);
    return { ...this.decision({ ...asText, why, deciding: odd.first }, nothing), near };
  }

  /** Makes a decision of a reading, without what only tells it from others. */
  private decision(
    reading: CellReading & Partial<DoubtedReading>,
    nothing: readonly string[],
  ): ColumnDecision {
    const { distinct, filled, blanks, longest } = this;
    const { given, doubt, isSafest, ...shown } = reading;
    const { type, spelling, range, deciding, odd } = shown;
    const { mayBeNames, lostDigits } = this.types.numbers;
    const missing = this.wordsForNothing(nothing, type === 'text');
    const missingValues = missing.map(({ cell }) => cell);
    const known = missing.filter(({ cell }) => this.missing.has(cell)).length;
    return {
      ...shown,
      spelling: {
        ...spelling,
        missingValues: missing.length === 0 ? undefined : missingValues,
        oddCells: odd?.count,
        textFormulas: this.hasFormulas ? true : undefined,
      },
      deciding: deciding.slice(0, MOST_DECIDING).map(({ cell, line }) => ({ cell, line })),
      ...(range !== undefined && isNumeric({ type }) ? this.standIn() : {}),
      mayBeNames: type === 'integer' && mayBeNames !== undefined ? mayBeNames : undefined,
      lostDigits,
      missing,
      wordsKept: nothing.includes('') ? [] : this.wordsAsValues(missingValues),
      filled: filled - sumOf(missing) - (odd?.count ?? 0),
      blanks,
      distinct: {
        count: distinct.size + this.missing.size - missing.length,
        isExact: !distinct.isUncounted,
      },
      isUnique:
        filled > 0 &&
        blanks === 0 &&
        missing.length === 0 &&
        odd === undefined &&
        known === this.missing.size &&
        !distinct.hasRepeats &&
        !distinct.isUncounted,
      longest,
      samples: this.samples
        .filter((cell) => !missingValues.includes(cell))
        .map((cell) => {
          const count = distinct.countOf(cell);
          return count === undefined ? { cell } : { cell, count };
        }),
    };
  }

  /** A repeated number far from all others, as people and programs write for unknown values. */
  private standIn(): Pick<ColumnDecision, 'standIn'> {
    const standIn = this.ninesFarOff() ?? this.endFarOff();
    return { standIn };
  }

  private endFarOff(): CountedCell | undefined {
    if (this.distinct.size < LEAST_DISTINCT) return undefined;
    const { least, greatest } = this.ends;
    if (least === undefined || greatest === undefined) return undefined;
    if (least.value >= EXCEL_ERRORS.from && least.value <= EXCEL_ERRORS.to) return least;
    const isBelow = least.value < 0 && least.next >= 0;
    const others = Math.max(Math.abs(least.next), Math.abs(greatest.value));
    if (least.count > 1 && -least.value > (isBelow ? 1 : FAR) * others) return least;
    const below = Math.max(Math.abs(greatest.next), Math.abs(least.value));
    return greatest.count > 1 && greatest.value > FAR_ABOVE * below ? greatest : undefined;
  }

  private ninesFarOff(): CountedCell | undefined {
    const range = this.types.numbers.best.evidence.rangeWithoutNines;
    if (range === undefined) {
      const only = this.nines.counted.find(({ count }) => count > 1);
      return only !== undefined && Math.abs(Number(only.cell)) > MOST_USUAL ? only : undefined;
    }
    const farthest = Math.max(Math.abs(range.min), Math.abs(range.max));
    return this.nines.counted.find(({ cell, count }) => {
      const value = Number(cell);
      const isBelow = value < 0 && range.min >= 0;
      // One number may be a value, unless it alone is negative.
      if (count === 1 && !(isBelow && cell.length >= LEAST_ALONE)) return false;
      return Math.abs(value) > (isBelow ? 1 : FAR) * farthest;
    });
  }

  /** The words that mean nothing. In a text: only those that cannot be values, or are given. */
  private wordsForNothing(nothing: readonly string[], isText: boolean): readonly CountedCell[] {
    const known = [...this.missing.entries()].filter(([word]) => {
      if (nothing.includes(word)) return true;
      return !nothing.includes('') && (!isText || isNeverValue(word));
    });
    const further = nothing.filter((word) => !this.missing.has(word));
    return [...known.map(([, word]) => word), ...this.types.oddWords(further)];
  }

  /** The words for nothing that are values here. */
  private wordsAsValues(nothing: readonly string[]): readonly CountedCell[] {
    return [...this.missing.entries()].flatMap(([word, cell]) =>
      nothing.includes(word) ? [] : [cell],
    );
  }

  private addMissing(text: string, line: number, times: number): boolean {
    const known = this.missing.get(text);
    if (known !== undefined) {
      known.count += times;
      return true;
    }
    if (this.missing.size >= MOST_MISSING) return false;
    // A given word may be longer than what is shown.
    const cell = Buffer.from(text).toString();
    this.missing.set(cell, { cell, line, count: 1 });
    return true;
  }
}

/** How many times farther from 0 than the others a number of nines is if it stands for unknown. */
const FAR = 5;

/** How many times greater any other number is, which may be a great amount. */
const FAR_ABOVE = 10;

/** What programs that read Excel make of its errors, from #NULL! to #N/A: 0x800A07D0 and more. */
const EXCEL_ERRORS = { from: -2_146_826_288, to: -2_146_826_246 };

/** Distinct numbers of a column whose ends are compared with the others. */
const LEAST_DISTINCT = 3;

/** A number of nines in every cell stands for unknown if it is greater. */
const MOST_USUAL = 100;

/** Characters of a number of nines that means unknown although it occurs once: -999. */
const LEAST_ALONE = 4;

/** Different numbers of nines that are counted. */
const MOST_NINES = 20;

/** Counts cells that consist of nines: 999, -9999, 99.99. */
class NineCounts {
  private readonly counts = new Map<string, CountedCell & { count: number }>();

  add(text: string, line: number, times: number): void {
    if (!isOfNines(text)) return;
    const known = this.counts.get(text);
    if (known !== undefined) known.count += times;
    else if (this.counts.size < MOST_NINES) {
      this.counts.set(text, { ...seenCell(text, line), count: 1 });
    }
  }

  get counted(): readonly CountedCell[] {
    return [...this.counts.values()];
  }
}

function whyNear({ why }: CellReading, fit: number, of: number): string {
  return `${why} in ${numberText(fit)} of ${numberText(of)} cells`;
}

function sumOf(words: readonly CountedCell[]): number {
  return words.reduce((sum, { count }) => sum + count, 0);
}

function whyOpen(found: readonly DoubtedReading[]): string {
  const [{ doubt } = {}] = found;
  return doubt ?? 'can be read in two ways';
}

/** Trims a cell. Most have no white space around them, which the first test sees. */
function trimmed(cell: string): string {
  const [first, last] = [cell.charCodeAt(0), cell.charCodeAt(cell.length - 1)];
  return isPlainEnd(first) && isPlainEnd(last) ? cell : cell.trim();
}

/** Whether a character is surely no white space. */
function isPlainEnd(code: number): boolean {
  return code > 0x20 && code < 0x80;
}

/** Whether a number with these ends may consist of nines. */
function mayBeOfNines(first: number, last: number): boolean {
  return last === NINE && (first === NINE || first === MINUS);
}

const [MINUS, NINE] = [0x2d, 0x39];
