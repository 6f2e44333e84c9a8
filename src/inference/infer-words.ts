import type { Spelling } from '../values/spelling.ts';
import { type Denial, type SeenCell, seenCell } from './infer-evidence.ts';

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
export class WordEvidence {
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
