import { showCell } from '../text/wording.ts';
import type { CellShape } from '../values/field-type.ts';
import { FIELD_TYPES, type FieldTypeName, typeOf } from '../values/field-types.ts';
import type { Spelling } from '../values/spelling.ts';
import {
  type Denial,
  type OpenReading,
  type Reading,
  type ReadingChoice,
  type SeenCell,
  ShapeEvidence,
  seenCell,
} from './column-decision.ts';
import { wordsOf } from './column-names.ts';
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

type Evidence = {
  times: TimeEvidence;
  numbers: NumberEvidence;
  shapes: ReadonlyMap<FieldTypeName, ShapeEvidence>;
  words: WordEvidence;
};

/** Collects which types a column's cells may be of. */
export class TypeEvidence {
  private readonly header: string;
  private readonly evidence: Evidence;
  /** All kinds of it. */
  private readonly all: readonly (TimeEvidence | NumberEvidence | ShapeEvidence | WordEvidence)[];
  /** The kinds of evidence that no cell has refuted. */
  private readonly alive: { add(text: string, line: number): boolean }[];
  private first?: SeenCell;

  constructor(header: string, storage: Storage) {
    this.header = header;
    const ofHeader = wordsOf(header);
    const shapes = SHAPED.map(
      ({ type, shape }) =>
        [type, new ShapeEvidence(shape.testFor(ofHeader), shape.whyNot)] as const,
    );
    this.evidence = {
      times: new TimeEvidence(),
      numbers: new NumberEvidence(storage),
      shapes: new Map(shapes),
      words: new WordEvidence(),
    };
    const { times, numbers, words } = this.evidence;
    // Words are behind numbers, which 1 and 0 are sooner.
    this.all = [times, numbers, ...shapes.map(([, evidence]) => evidence), words];
    this.alive = [...this.all];
  }

  /** Takes a cell, trimmed and not blank. */
  add(text: string, line: number): void {
    this.first ??= seenCell(text, line);
    const { alive } = this;
    let left = 0;
    for (const evidence of alive) {
      if (evidence.add(text, line)) alive[left++] = evidence;
    }
    alive.length = left;
  }

  /** The readings of the first kind that fits all cells, and the wishes. */
  readings(wishes: ReadingChoice): DoubtedReading[] {
    const shaped = (areBefore: boolean) => () => this.shaped(areBefore, wishes);
    const kinds = [this.booleans, this.times, shaped(true), this.numbers, shaped(false)];
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

  private booleans({ type }: ReadingChoice): DoubtedReading[] {
    const { words } = this.evidence;
    const isWished = type === 'boolean';
    const pair = words.denial === undefined ? words.pair(isWished) : undefined;
    // 1 and 0 are more often counts, unless the header asks a question.
    const isQuestion = /^(?:is|has)$/.test(wordsOf(this.header)[0] ?? '');
    if (pair === undefined || (words.areDigits && !isWished && !isQuestion)) return [];
    return [{ type: 'boolean', why: 'has two words, for yes and no', wish: {}, ...pair }];
  }

  private times({ type, dates }: ReadingChoice): DoubtedReading[] {
    const { times } = this.evidence;
    if (times.denial !== undefined) return [];
    const all = times.readings();
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

  private shaped(areBefore: boolean, wishes: ReadingChoice): DoubtedReading[] {
    const found = SHAPED.find(
      ({ type, shape }) =>
        isBefore(shape) === areBefore &&
        (wishes.type ?? type) === type &&
        this.hasShapeOf(type, wishes),
    );
    if (found === undefined) return [];
    const { type, shape } = found;
    return [{ type, spelling: {}, why: shape.why, deciding: this.firstCells(), wish: {} }];
  }

  /** Whether all cells look like those of a type, or it is wished for, and takes any text. */
  private hasShapeOf(type: FieldTypeName, wishes: ReadingChoice): boolean {
    const isWished =
      wishes.type === type && typeOf({ type }).readCell === FIELD_TYPES.text.readCell;
    return isWished || this.evidence.shapes.get(type)?.denial === undefined;
  }

  private numbers({ type, decimal }: ReadingChoice): DoubtedReading[] {
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

  /** Postal codes and the like, of which none begins with a zero, and that nobody adds up. */
  private get areCodes(): boolean {
    const { numbers } = this.evidence;
    if (numbers.denial !== undefined) return false;
    const isBare = numbers
      .readings()
      .every(
        ({ type, spelling }) =>
          type === 'integer' && Object.values(spelling).every((sign) => sign === undefined),
      );
    return isBare && wordsOf(this.header).some((word) => CODE_WORD.test(word));
  }

  private firstCells(): readonly SeenCell[] {
    return this.first === undefined ? [] : [this.first];
  }

  /** Why the column is a text: the cell that ruled out the type which most cells were of. */
  asText(): Reading {
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
    const [nearest] = this.all
      .filter(({ reads, denial }) => reads > 0 && denial !== undefined)
      .sort((a, b) => b.reads - a.reads);
    if (nearest?.denial === undefined) return because('has texts');
    const { cell, line, because: reason } = nearest.denial;
    return because(`${showCell(cell)} ${reason}`, [{ cell, line }]);
  }

  /** The first cell that is not of a type. */
  unfit(type: FieldTypeName): Denial {
    const { words, times, numbers, shapes } = this.evidence;
    const { denial } =
      shapes.get(type) ??
      { boolean: words, date: times, datetime: times }[type as string] ??
      numbers;
    const fraction = type === 'integer' ? numbers.readings()[0]?.fraction : undefined;
    if (denial !== undefined) return denial;
    return {
      ...(fraction ?? (this.first as SeenCell)),
      because: `is not ${FIELD_TYPES[type].noun}`,
    };
  }
}

const WHY_ORDER = {
  dmy: 'has dates with the day before the month',
  mdy: 'has dates with the month before the day',
  other: 'has dates',
};

const WHY_DECIMAL = { '.': 'has numbers', ',': 'has numbers with a decimal comma' };

/** The words of headers above codes of digits, as they are used in several countries. */
const CODE_WORD =
  /^(?:zip\d?|zipcode|postcode|postal|postalcode|plz|postleitzahl|fips|geoid|insee|siren|siret|ean|upc|isbn)$/;

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
class WordEvidence {
  denial?: Denial;
  /** How many of the cells are such words. */
  reads = 0;
  private readonly seen = new Map<string, SeenCell>();

  /** Takes a cell, trimmed and not blank. Returns whether all so far may be a pair. */
  add(text: string, line: number): boolean {
    if (!this.seen.has(text)) {
      if (this.seen.size >= MOST_SPELLINGS || !WORDS.has(text.toLowerCase())) {
        this.denial = { ...seenCell(text, line), because: 'is neither true nor false' };
        return false;
      }
      this.seen.set(text, seenCell(text, line));
    }
    this.reads++;
    return true;
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
