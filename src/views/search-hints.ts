import type { Members } from '../arguments/given.ts';
import { isFilterable, Q } from '../block/parameter.ts';
import { isFilterName } from '../page/filter-order.ts';
import { isTooMuch } from '../problem/errors.ts';
import { fold } from '../text/fold.ts';
import { wordsAsked, wordsInText } from '../text/pattern.ts';
import { ownMember } from '../values/field-type.ts';
import type { Budget } from '../work/budget.ts';
import type { OfDataset, SearchHint } from './view.ts';

/** Hints on a page, and values that are counted to find them. */
const MOST_HINTS = 3;
const MOST_TRIED = 6;

/** Work for counting what hints would find, in steps; beyond it, there are none. */
const STEPS_OF_HINTS = 2_000_000;

/** Words that are compared, and the work for each pair of words, in steps. */
const MOST_WORDS = 4;
const STEPS_PER_PAIR = 20;

/**
 * Values of fields with few that are like a word that was searched for, and as filters find more
 * than the search did: `laundry` is nearly the type of business Laundries. Rows do not change.
 */
export async function searchHints(
  of: OfDataset,
  values: Members,
  matching: number,
  ofRun: Budget,
): Promise<readonly SearchHint[]> {
  const { [Q]: text, ...others } = values;
  if (typeof text !== 'string') return [];
  const budget = ofRun.part(STEPS_OF_HINTS);
  const filters = Object.entries(others).filter(([name]) => isFilterName(of.block, name));
  const hints: SearchHint[] = [];
  try {
    for (const like of (await likeValues(of, text, budget)).slice(0, MOST_TRIED)) {
      if (ownMember(values, like.field.name) !== undefined) continue;
      const left = like.others === '' ? {} : { [Q]: like.others };
      const asked = { ...Object.fromEntries(filters), ...left, [like.field.name]: [like.value] };
      const output = await of.plan({ ...asked, _limit: 1 }, budget).run(budget);
      const rows = output.kind === 'rows' ? output.total : 0;
      if (rows > matching) hints.push({ ...like, rows });
    }
  } catch (error) {
    if (!isTooMuch(error)) throw error;
  }
  return hints.sort((a, b) => b.rows - a.rows).slice(0, MOST_HINTS);
}

type Like = Omit<SearchHint, 'rows'>;

/** The values that are like a word, with the words that are left. */
async function likeValues(
  { block, manifest }: OfDataset,
  text: string,
  budget: Budget,
): Promise<Like[]> {
  const all = wordsAsked(text);
  const words = all.slice(0, MOST_WORDS);
  const found: Like[] = [];
  for (const field of block.fields.filter(isFilterable)) {
    const values = ownMember(manifest.fields, field.name)?.values ?? [];
    for (const value of values) {
      const own = wordsInText(fold(value));
      await budget.checkpoint(words.length * own.length * STEPS_PER_PAIR);
      const word = words.find((one) => own.some((other) => isLike(one, other)));
      if (word === undefined) continue;
      const others = all.filter((one) => one !== word).join(' ');
      found.push({ field, value: value.replaceAll('*', '\\*'), word, others });
    }
  }
  return found;
}

/** A word in another form has the same beginning, up to its last letter, and a short end. */
const LEAST_BEGINNING = 3;
const MOST_END = 4;

function isLike(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > MOST_END) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  return same >= Math.max(LEAST_BEGINNING, short.length - 1);
}
