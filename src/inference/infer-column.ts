import type { Value } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import { cellReader, isBlankCell } from '../values/spelling.ts';
import { showCell } from '../values/wording.ts';
import type { ColumnDecision, Reading, Wishes } from './column-decision.ts';
import { DistinctTexts, type Room, roomForColumns } from './distinct-texts.ts';
import { type SeenCell, seenCell } from './infer-evidence.ts';
import { type DoubtedReading, TypeEvidence } from './infer-type.ts';
import { isMissingWord } from './missing-words.ts';

const MOST_SAMPLES = 100;

/** A longer cell is not shown as an example. */
const MOST_SAMPLE_LENGTH = 100;

/** Words for nothing in all their spellings; a column with more is a text. */
const MOST_MISSING = 32;

const ONLY_WORDS = 'has words for nothing alone';

/** Collects what a column's cells may be: every cell of it, in a bounded memory. */
export class ColumnEvidence {
  private readonly types: TypeEvidence;
  private readonly distinct: DistinctTexts;
  private readonly missing = new Map<string, SeenCell & { count: number }>();
  private readonly samples: string[] = [];
  private filled = 0;
  private blanks = 0;
  private longest = 0;

  /** `room` is shared by all columns of a file. */
  constructor(header: string, room: Room = roomForColumns()) {
    this.types = new TypeEvidence(header);
    this.distinct = new DistinctTexts(room);
  }

  /** Takes the next cell, as it is written in the file. */
  add(cell: string, line: number): void {
    const text = trimmed(cell);
    if (isBlankCell(text)) {
      this.blanks++;
      return;
    }
    this.filled++;
    if (isMissingWord(text) && this.addMissing(text, line)) return;
    if (this.distinct.add(text)) return;
    if (text.length > this.longest) this.longest = text.length;
    if (this.samples.length < MOST_SAMPLES && text.length <= MOST_SAMPLE_LENGTH) {
      this.samples.push(seenCell(text, line).cell);
    }
    this.types.add(text, line);
  }

  /** The column's type and spelling; a text, with the readings to choose among, if it is open. */
  decide(wishes: Wishes = {}): ColumnDecision {
    const { types } = this;
    const { type } = wishes;
    const asText = types.asText();
    if (this.distinct.size === 0) {
      const [first] = this.missing.values();
      // A text keeps such words, so these are its values.
      const its = first === undefined ? asText : { ...asText, why: ONLY_WORDS, deciding: [first] };
      return this.decision(type === undefined || type === 'text' ? its : { ...asText, type });
    }
    if (type === 'text') return this.decision({ ...asText, why: 'was chosen' });
    const found = types.readings(wishes);
    const [first] = found;
    if (first === undefined) {
      if (type === undefined) return this.decision(asText);
      const unfit = types.unfit(type);
      const why = `${showCell(unfit.cell)} ${unfit.because}`;
      return { ...this.decision({ ...asText, why, deciding: [unfit] }), unfit };
    }
    if (found.length === 1 && first.doubt === undefined) return this.decision(first);
    const { deciding } = first;
    const text = { ...asText, wish: { type: 'text' as const } };
    const readings = [...found, text].map((reading) => {
      return { ...reading, value: readAs(reading, deciding[0]?.cell ?? '') };
    });
    return { ...this.decision({ ...text, why: whyOpen(found), deciding }), readings };
  }

  private decision(reading: Reading): ColumnDecision {
    const { distinct, filled, blanks, longest } = this;
    const { type, spelling, unit, local, range, why, deciding } = reading;
    const isText = type === 'text';
    const missing = isText ? [] : [...this.missing.values()];
    const missingValues = missing.map(({ cell }) => cell);
    return {
      type,
      spelling: missing.length === 0 ? spelling : { ...spelling, missingValues },
      ...(unit === undefined ? {} : { unit }),
      ...(local === undefined ? {} : { local }),
      ...(range === undefined ? {} : { range }),
      why,
      deciding: deciding.map(({ cell, line }) => ({ cell, line })),
      missing,
      filled: filled - missing.reduce((sum, { count }) => sum + count, 0),
      blanks,
      distinct: {
        count: distinct.size + (isText ? this.missing.size : 0),
        isExact: !distinct.isUncounted,
      },
      isUnique:
        filled > 0 &&
        blanks === 0 &&
        this.missing.size === 0 &&
        !distinct.hasRepeats &&
        !distinct.isUncounted,
      longest,
      samples: this.samples.map((cell) => {
        const count = distinct.countOf(cell);
        return count === undefined ? { cell } : { cell, count };
      }),
    };
  }

  private addMissing(text: string, line: number): boolean {
    const known = this.missing.get(text);
    if (known !== undefined) {
      known.count++;
      return true;
    }
    if (this.missing.size >= MOST_MISSING) return false;
    this.missing.set(text, { ...seenCell(text, line), count: 1 });
    return true;
  }
}

function readAs({ type, spelling, unit, local }: Reading, cell: string): Value | undefined {
  const field: Field = {
    ...{ type, name: '', title: '' },
    ...(unit === undefined ? {} : { unit }),
    ...(local === undefined ? {} : { local }),
  };
  return cellReader(field, spelling)(cell);
}

function whyOpen(found: readonly DoubtedReading[]): string {
  const [{ doubt } = {}] = found;
  return doubt ?? 'can be read in two ways';
}

/** Most cells have no white space around them, which is seen at once. */
function trimmed(cell: string): string {
  const [first, last] = [cell.charCodeAt(0), cell.charCodeAt(cell.length - 1)];
  return first > 0x20 && first < 0x80 && last > 0x20 && last < 0x80 ? cell : cell.trim();
}
