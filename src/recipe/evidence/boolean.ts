import type { Spelling } from '../../values/spelling.ts';
import { isOfCountriesOrLanguages, wordsOf } from '../column-names.ts';
import {
  type CellEvidence,
  type GivenOfColumn,
  type SeenCell,
  seenCell,
} from './column-decision.ts';
import { type DoubtedReading, Kind, type SeenColumn } from './kind.ts';

/** Two words for yes and no. */
export class BooleanKind extends Kind<WordEvidence> {
  constructor(column: SeenColumn) {
    super(column, () => new WordEvidence());
  }

  readings({ type }: GivenOfColumn): DoubtedReading[] {
    const words = this.best.evidence;
    const isChosen = type === 'boolean';
    const pair = words.pair(isChosen);
    // 1 and 0 are more often counts, unless the header asks a question.
    const isQuestion = /^(?:is|has)$/.test(wordsOf(this.column.header)[0] ?? '');
    if (pair === undefined || (words.areDigits && !isChosen && !isQuestion)) return [];
    // A file that has booleans of its own uses letters for something else.
    if (this.column.typesOfFile === 'texts' && !isChosen && words.areLetters) return [];
    if (this.areCodes && !isChosen) return [];
    return [{ type: 'boolean', why: 'has two words, for yes and no', given: {}, ...pair }];
  }

  /** Whether the words may be Norway and Slovenia: two letters below a header of such. */
  get areCodes(): boolean {
    return this.best.evidence.areOfTwoLetters && isOfCountriesOrLanguages(this.column.header);
  }
}

/**
 * The pairs of words for true and false. They lack single letters of other languages: S and N are
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

/**
 * Two words have six common spellings in upper and lower case. A column with more is not a pair.
 */
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

  /** Whether the cells have two letters: SI and NO. */
  get areOfTwoLetters(): boolean {
    return [...this.seen.keys()].every((cell) => /^\p{L}{2}$/u.test(cell));
  }

  /** Whether the cells are 1 and 0. */
  get areDigits(): boolean {
    return this.seen.has('0') || this.seen.has('1');
  }

  /** The spelling of the pair. Undefined unless both words occur, or one is enough. */
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
