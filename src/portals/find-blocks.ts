import { Budget } from '../work/budget.ts';
import type { Scheduler } from '../work/scheduler.ts';
import { finish } from '../work/work.ts';
import {
  type BlockHits,
  type BlockIndex,
  type BlockTexts,
  INDEX_STEPS,
  INDEX_WITHIN_MS,
  indexBlocks,
  nearWord,
  type Search,
  searchBlocks,
  type TextPlace,
} from './block-index.ts';
import type { Hit } from './listed-block.ts';

/** A block that has all words of a search, by its position in the list, and where it has them. */
type FoundAt = { readonly block: number; readonly hits: readonly Hit[] };

/** What a search for blocks has found, the best first. */
export type BlocksFound = {
  readonly found: readonly FoundAt[];
  /** Words that no block has, and the word that each may have meant. */
  readonly near: ReadonlyMap<string, string>;
  /** Words that begin more words than were searched. */
  readonly begun: readonly string[];
  /** How many values of a column are searched, if these are not all that are known. */
  readonly values?: number;
};

/** Values and examples of a block that are shown with it. */
const MOST_HITS = 3;

/** Finds blocks by words. The first search makes its index of the blocks' texts. */
export class BlockFinder {
  readonly #texts: () => readonly BlockTexts[];
  #index: Promise<Indexed> | undefined;

  constructor(texts: () => readonly BlockTexts[]) {
    this.#texts = texts;
  }

  async find(text: string, scheduler: Scheduler): Promise<BlocksFound> {
    const { index, texts, budget, ...search } = await this.search(text, scheduler);
    const near = new Map<string, string>();
    for (const word of search.unknown) {
      const meant = await finish(nearWord(index, word), budget);
      if (meant !== undefined) near.set(word, meant);
    }
    const all = search.found.filter(({ words }) => words === search.asked.length);
    return {
      near,
      begun: search.begun,
      values: index.bounds?.values,
      found: all.map((one) => foundAt(one, texts[one.block] as BlockTexts)),
    };
  }

  /** What the words of a text find, with what they were sought in, and the budget of the search. */
  async search(text: string, scheduler: Scheduler): Promise<Search & Indexed & { budget: Budget }> {
    this.#index ??= this.#makeIndex(scheduler).catch((error) => {
      this.#index = undefined;
      throw error;
    });
    const { index, texts } = await this.#index;
    const budget = new Budget(scheduler);
    const found = await finish(searchBlocks(index, texts.length, text), budget);
    return { ...found, index, texts, budget };
  }

  async #makeIndex(scheduler: Scheduler): Promise<Indexed> {
    const texts = this.#texts();
    const budget = new Budget(scheduler, INDEX_STEPS, INDEX_WITHIN_MS);
    return { texts, index: await finish(indexBlocks(texts), budget) };
  }
}

type Indexed = { readonly texts: readonly BlockTexts[]; readonly index: BlockIndex };

function foundAt({ block, places }: BlockHits, texts: BlockTexts): FoundAt {
  const titles = new Map(texts.fields.map(({ name, title }) => [name, title]));
  const hits = [...places]
    .filter(([{ value, example }]) => value !== undefined || example !== undefined)
    // What has the most of the words comes first; of those, a value, and what has few words besides.
    .sort(([a, hitsA], [b, hitsB]) => hitsB - hitsA || rankOf(a) - rankOf(b) || a.words - b.words)
    .slice(0, MOST_HITS)
    .map(([place]) => hitAt(place, texts, titles));
  return { block, hits: hits.filter((hit) => hit !== undefined) };
}

const rankOf = ({ value }: TextPlace) => (value === undefined ? 1 : 0);

function hitAt(
  { field = '', value, rows, example = -1 }: TextPlace,
  { examples }: BlockTexts,
  titles: ReadonlyMap<string, string>,
): Hit | undefined {
  if (value !== undefined) {
    const written = value.replaceAll('\\*', '*');
    const query = { [field]: value };
    return { query, field: titles.get(field) ?? field, value: written, rows };
  }
  const { title, arguments: query } = examples[example] ?? {};
  return title === undefined || query === undefined ? undefined : { query, example: title };
}
