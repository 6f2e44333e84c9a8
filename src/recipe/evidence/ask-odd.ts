import { isTotalWord } from '../../files/totals.ts';
import type { NearType, SeenCell } from './column-decision.ts';
import type { OddText } from './kind.ts';

/** A number with a mark, or with a sign for a bound. */
const MARKED =
  /^(?:[<>\u2264\u2265~\u2248]\s*[+-]?[\d.,]*\d|[+-]?[\d.,]*\d\s*[*\u2020\u2021\u00b9\u00b2\u00b3^+]{1,3})$/u;

/** Words for nothing are short. A person is asked about the few longer ones. */
const MOST_SAFE_LENGTH = 12;
const MOST_ASKED_LENGTH = 40;

/** With this many distinct numbers, a column is of numbers even if most of its cells are odd. */
const ENOUGH_READ = 10;

/**
 * Whether a person should be asked about odd cells: if one word stands for most, or numbers have
 * marks.
 */
export function askedOf(
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
      // A word for a total names its row, and an odd first cell may name its column.
      !isTotalWord(text) &&
      !(most.count === 1 && line === first?.line) &&
      !odd.some((one) => hasDigit.test(one.text));
    return { word: { cell, line, count: most.count }, isSafe };
  }
  return undefined;
}
