import { cellReader } from '../../values/spelling.ts';
import {
  type GivenOfColumn,
  namelessField,
  type Range,
  type SeenCell,
  seenCell,
  widened,
} from './column-decision.ts';
import type { DoubtedReading, SeenColumn } from './kind.ts';
import { TimeEvidence, TimeKind } from './time.ts';

/** Dates or times that the file has typed, beside texts that are written as others. */
export class TypedTimeKind extends TimeKind<TypedTimeEvidence> {
  constructor(column: SeenColumn) {
    super(column, () => new TypedTimeEvidence());
  }

  override readings(given: GivenOfColumn): DoubtedReading[] {
    const { typed, mayBeExchanged } = this.best.evidence;
    if (typed === undefined) return [];
    return super.readings(given).flatMap((reading): DoubtedReading[] => {
      const { type, local, spelling, why, deciding } = reading;
      const isLike = type === typed.type && (type === 'date' || local === true);
      if (!isLike || spelling.format === undefined) return [];
      const range = reading.range as Range<string>;
      const { min, max } = widened(widened(typed.range, range.min), range.max);
      const isChosen = given.type === type;
      return [
        {
          ...reading,
          spelling: { ...spelling, typedTimes: true },
          why: `${why} in texts, beside those that the file has typed`,
          range: { min, max },
          deciding: [...deciding, typed.first],
          given: { ...reading.given, type },
          doubt: mayBeExchanged && !isChosen ? MAY_BE_EXCHANGED : reading.doubt,
        },
      ];
    });
  }
}

const MAY_BE_EXCHANGED =
  'has typed dates to the 12th alone, and texts of later days: a spreadsheet may have exchanged day and month';

type Typed = {
  readonly type: 'date' | 'datetime';
  readonly first: SeenCell;
  readonly range: Range<string>;
};

/** Reads typed times as they are, and finds how the texts beside them are written. */
class TypedTimeEvidence extends TimeEvidence {
  typed?: Typed;
  private areAllExchanged = true;

  override add(text: string, line: number, isTyped?: boolean): string | undefined {
    if (!isTyped) {
      // No text has a first number that could be a month.
      if (!/^(?:1[3-9]|[23]\d)\D/.test(text)) this.areAllExchanged = false;
      return super.add(text, line);
    }
    const type = READERS.date(text) === undefined ? 'datetime' : 'date';
    const value = READERS[type](text);
    if (typeof value !== 'string') return 'is no date';
    if (this.typed !== undefined && this.typed.type !== type) return 'is no time as others are';
    if (Number(text.slice(8, 10)) > 12) this.areAllExchanged = false;
    const { first = seenCell(text, line), range } = this.typed ?? {};
    this.typed = { type, first, range: widened(range, value) };
    return undefined;
  }

  /** Whether a program may have read those dates alone whose day could be a month. */
  get mayBeExchanged(): boolean {
    return this.areAllExchanged;
  }
}

const READERS = {
  date: cellReader(namelessField({ type: 'date' }), {}),
  datetime: cellReader(namelessField({ type: 'datetime', local: true }), {}),
};
