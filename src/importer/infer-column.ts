import type { Field, Value } from '../fields/field.ts';
import { FIELD_TYPES, type FieldTypeName } from '../fields/field-types.ts';
import { isPhone } from '../fields/phone.ts';
import type { DecimalChar } from '../fields/spelled-number.ts';
import { cellReader, type Spelling } from '../fields/spelling.ts';
import { DistinctTexts, type Room, roomForColumns } from './distinct-texts.ts';
import { wordsOf } from './header-words.ts';
import {
  type Denial,
  type Range,
  type SeenCell,
  ShapeEvidence,
  seenCell,
} from './infer-evidence.ts';
import { NumberEvidence } from './infer-number.ts';
import { type DateOrder, TimeEvidence } from './infer-time.ts';
import { WordEvidence } from './infer-words.ts';
import { isMissingWord } from './missing-words.ts';

/** What whoever adds the file has decided. Orders and decimals settle what no cell settles. */
export type Wishes = {
  readonly type?: FieldTypeName;
  readonly dates?: DateOrder;
  readonly decimal?: DecimalChar;
};

/** A type for a column, and how its cells are written. */
export type Reading = {
  readonly type: FieldTypeName;
  readonly spelling: Spelling;
  readonly unit?: string;
  /** For times without an offset. */
  readonly local?: true;
  readonly range?: Range<number> | Range<string>;
  /** A clause that says why: `has leading zeros`. */
  readonly why: string;
  /** The cells that decided it. */
  readonly deciding: readonly SeenCell[];
};

/** A reading among several. */
export type OpenReading = Reading & {
  /** The wish that chooses it. */
  readonly wish: Wishes;
  /** What the first deciding cell is in it. */
  readonly value: Value | undefined;
};

/** What is decided of a column, and what is known of it. */
export type ColumnDecision = Reading & {
  /**
   * Where the cells allow several readings: all of them, the text last. The decision is then the
   * text, which is never wrong.
   */
  readonly readings?: readonly OpenReading[];
  /** The first cell that is not of the type that was wished for; the column is then a text. */
  readonly unfit?: Denial;
  /** The words for nothing that the type leaves out, with the first line of each. */
  readonly missing: readonly (SeenCell & { readonly count: number })[];
  readonly filled: number;
  readonly blanks: number;
  /** How many distinct cells there are, not counting words for nothing; more if not exact. */
  readonly distinct: { readonly count: number; readonly isExact: boolean };
  /** Whether no two cells are equal, none is blank and none a word for nothing. */
  readonly isUnique: boolean;
  /** The length of the longest cell, in UTF-16 units. */
  readonly longest: number;
  /** The first distinct cells; how often each occurs, if there are at most 500. */
  readonly samples: readonly { readonly cell: string; readonly count?: number }[];
};

/** The types that cells may be of, in the order in which they are preferred. */
type Evidence = {
  words: WordEvidence;
  times: TimeEvidence;
  numbers: NumberEvidence;
  links: ShapeEvidence;
  phones: ShapeEvidence;
};

const MOST_SAMPLES = 100;

/** A longer cell is not shown as an example. */
const MOST_SAMPLE_LENGTH = 100;

/** Words for nothing in all their spellings; a column with more is a text. */
const MOST_MISSING = 32;

/** Collects what a column's cells may be: every cell of it, in a bounded memory. */
export class ColumnEvidence {
  private readonly header: string;
  private readonly evidence: Evidence;
  /** The kinds of evidence that no cell has refuted. */
  private alive: { add(text: string, line: number): boolean }[];
  private readonly distinct: DistinctTexts;
  private readonly missing = new Map<string, SeenCell & { count: number }>();
  private readonly samples: string[] = [];
  private first?: SeenCell;
  private filled = 0;
  private blanks = 0;
  private longest = 0;

  /** `room` is shared by all columns of a file. */
  constructor(header: string, room: Room = roomForColumns()) {
    this.header = header;
    this.distinct = new DistinctTexts(room);
    const isForPhones = wordsOf(header).some((word) => PHONE_WORD.test(word));
    this.evidence = {
      words: new WordEvidence(),
      times: new TimeEvidence(),
      numbers: new NumberEvidence(),
      links: new ShapeEvidence(isLink, 'is no web address'),
      phones: new ShapeEvidence((text) => isPhone(text, isForPhones), 'is no phone number'),
    };
    this.alive = Object.values(this.evidence);
  }

  /** Takes the next cell, as it is written in the file. */
  add(cell: string, line: number): void {
    const text = trimmed(cell);
    if (text === '') {
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
    this.first ??= seenCell(text, line);
    const { alive } = this;
    let left = 0;
    for (const evidence of alive) {
      if (evidence.add(text, line)) alive[left++] = evidence;
    }
    alive.length = left;
  }

  /** The column's type and spelling; a text, with the readings to choose among, if it is open. */
  decide(wishes: Wishes = {}): ColumnDecision {
    const { type } = wishes;
    if (this.first === undefined) return this.decision({ ...this.asText(), type: type ?? 'text' });
    if (type === 'text') return this.decision(this.asText());
    const found = this.readings(wishes);
    const [first] = found;
    if (first === undefined) {
      if (type === undefined) return this.decision(this.asText());
      const unfit = this.unfit(type, this.first);
      const why = `${JSON.stringify(unfit.cell)} ${unfit.because}`;
      return { ...this.decision({ ...this.asText(), why, deciding: [unfit] }), unfit };
    }
    if (found.length === 1 && first.doubt === undefined) return this.decision(first);
    const { deciding } = first;
    const text = { ...this.asText(), wish: { type: 'text' as const } };
    const readings = [...found, text].map((reading) => {
      return { ...reading, value: readAs(reading, deciding[0]?.cell ?? '') };
    });
    return { ...this.decision({ ...text, why: whyOpen(found), deciding }), readings };
  }

  /** The readings of the first kind that fits all cells, and the wishes. */
  private readings(wishes: Wishes): DoubtedReading[] {
    const kinds = [this.booleans, this.times, this.phones, this.numbers, this.links];
    for (const kind of kinds) {
      const found = kind.call(this, wishes).flatMap((reading) => {
        const { type = reading.type } = wishes;
        const isOfType = type === reading.type || (type === 'number' && reading.type === 'integer');
        return isOfType ? [{ ...reading, type }] : [];
      });
      if (found.length > 0) return found;
    }
    return [];
  }

  private booleans({ type }: Wishes): DoubtedReading[] {
    const { words } = this.evidence;
    const isWished = type === 'boolean';
    const pair = words.denial === undefined ? words.pair(isWished) : undefined;
    // 1 and 0 are more often counts, unless the header asks a question.
    const isQuestion = /^(?:is|has)$/.test(wordsOf(this.header)[0] ?? '');
    if (pair === undefined || (words.areDigits && !isWished && !isQuestion)) return [];
    return [{ type: 'boolean', why: 'has two words, for yes and no', wish: {}, ...pair }];
  }

  private times({ type, dates }: Wishes): DoubtedReading[] {
    const { times } = this.evidence;
    if (times.denial !== undefined) return [];
    const all = times.readings();
    const ordered = all.filter(({ order }) => order === dates);
    const isWished = type === 'date' || type === 'datetime';
    return (ordered.length > 0 ? ordered : all).map((reading) => {
      const { format, order, doubt, local, range, deciding } = reading;
      return {
        type: reading.type,
        spelling: format === undefined ? {} : { format },
        ...(local === undefined ? {} : { local }),
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

  private phones({ type }: Wishes): DoubtedReading[] {
    if (this.evidence.phones.denial !== undefined && type !== 'phone') return [];
    const why = 'has phone numbers';
    return [{ type: 'phone', spelling: {}, why, deciding: this.firstCells(), wish: {} }];
  }

  private numbers({ type, decimal }: Wishes): DoubtedReading[] {
    const { numbers } = this.evidence;
    if (numbers.denial !== undefined) return [];
    const isWished = type === 'number' || type === 'integer';
    if (!isWished && (numbers.id ?? numbers.oneLength) !== undefined) return [];
    if (!isWished && this.areCodes) return [];
    const all = numbers.readings();
    const chosen = all.filter(({ decimalChar }) => decimalChar === decimal);
    return (chosen.length > 0 ? chosen : all).map(({ decimalChar, fraction: _, ...reading }) => ({
      ...reading,
      why: reading.type === 'integer' ? 'has whole numbers' : WHY_DECIMAL[decimalChar],
      wish: { decimal: decimalChar },
    }));
  }

  private links(): DoubtedReading[] {
    if (this.evidence.links.denial !== undefined) return [];
    const why = 'has web addresses';
    return [{ type: 'link', spelling: {}, why, deciding: this.firstCells(), wish: {} }];
  }

  /** Postal codes and the like, of which none begins with a zero, and that nobody adds up. */
  private get areCodes(): boolean {
    const { numbers } = this.evidence;
    if (numbers.denial !== undefined) return false;
    const isBare = numbers
      .readings()
      .every(({ type, spelling }) => type === 'integer' && Object.keys(spelling).length === 0);
    return isBare && wordsOf(this.header).some((word) => CODE_WORD.test(word));
  }

  private firstCells(): readonly SeenCell[] {
    return this.first === undefined ? [] : [this.first];
  }

  /** Why the column is a text: the cell that ruled out the type which most cells were of. */
  private asText(): Reading {
    const because = (why: string, deciding = this.firstCells()): Reading => {
      return { type: 'text', spelling: {}, why, deciding };
    };
    if (this.first === undefined) return because('has no values');
    const { words, numbers } = this.evidence;
    if (numbers.id !== undefined) return because(numbers.id.why, [numbers.id]);
    const { oneLength } = numbers;
    if (numbers.denial === undefined && oneLength !== undefined) {
      return because(`has ${oneLength.digits} digits in every cell`, [oneLength]);
    }
    if (this.areCodes) return because('has whole numbers below a header that is of codes');
    if (words.denial === undefined && !words.areDigits) {
      return because('has a word for yes or no alone, without its counterpart');
    }
    const [nearest] = Object.values(this.evidence)
      .filter(({ reads, denial }) => reads > 0 && denial !== undefined)
      .sort((a, b) => b.reads - a.reads);
    if (nearest?.denial === undefined) return because('has texts');
    const { cell, line, because: reason } = nearest.denial;
    return because(`${JSON.stringify(cell)} ${reason}`, [{ cell, line }]);
  }

  /** The first cell that is not of a type. */
  private unfit(type: FieldTypeName, first: SeenCell): Denial {
    const { words, times, numbers, links } = this.evidence;
    const { denial } =
      { boolean: words, date: times, datetime: times, link: links }[type as string] ?? numbers;
    const fraction = type === 'integer' ? numbers.readings()[0]?.fraction : undefined;
    if (denial !== undefined) return denial;
    return { ...(fraction ?? first), because: `is not ${FIELD_TYPES[type].noun}` };
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

/** A reading that may well be wrong, and why. */
type DoubtedReading = Omit<OpenReading, 'value'> & { readonly doubt?: string };

function readAs({ type, spelling, unit, local }: Reading, cell: string): Value | undefined {
  const field: Field = {
    ...{ type, name: '', title: '' },
    ...(unit === undefined ? {} : { unit }),
    ...(local === undefined ? {} : { local }),
  };
  return cellReader(field, spelling)(cell);
}

const WHY_ORDER = {
  dmy: 'has dates with the day before the month',
  mdy: 'has dates with the month before the day',
  other: 'has dates',
};

const WHY_DECIMAL = { '.': 'has numbers', ',': 'has numbers with a decimal comma' };

function whyOpen(found: readonly DoubtedReading[]): string {
  const [{ doubt } = {}] = found;
  return doubt ?? 'can be read in two ways';
}

/** The words of headers above phone numbers. */
const PHONE_WORD =
  /^(?:(?:tele)?phones?|(?:tele)?fon|tel|tél(?:éphone)?|telé?fonos?|fax|mobile|cell|handy|móvil|celular)$/;

/** The words of headers above codes of digits, as they are used in several countries. */
const CODE_WORD =
  /^(?:zip\d?|zipcode|postcode|postal|postalcode|plz|postleitzahl|fips|geoid|insee|siren|siret|ean|upc|isbn)$/;

function isLink(text: string): boolean {
  return FIELD_TYPES.link.readCell(text, LINK) !== undefined;
}

const LINK: Field = { type: 'link', name: '', title: '' };

/** Most cells have no white space around them, which is seen at once. */
function trimmed(cell: string): string {
  const [first, last] = [cell.charCodeAt(0), cell.charCodeAt(cell.length - 1)];
  return first > 0x20 && first < 0x80 && last > 0x20 && last < 0x80 ? cell : cell.trim();
}
