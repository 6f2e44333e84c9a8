import { datasetOf, type Example } from '../block/block.ts';
import { type Described, sourcesOf } from '../block/describe-block.ts';
import type { DatasetProfile, ValueCount } from '../block/manifest.ts';
import { isFilterable } from '../block/parameter.ts';
import { stepsOfFolding } from '../text/fold.ts';
import { nearestOne } from '../text/near-name.ts';
import { MOST_WORDS, wordsAsked } from '../text/pattern.ts';
import { firstWhere } from '../values/comparison.ts';
import { ownMember } from '../values/field-type.ts';
import type { Work } from '../work/work.ts';

/** Finds blocks by words: of their texts, their fields and examples, and common values. */

/** What a block is found by: plain data, so that a function can have it in a file. */
export type BlockTexts = {
  readonly name: string;
  readonly title: string;
  readonly noun?: string;
  readonly description: string;
  /** Whose data it has. */
  readonly source: string;
  readonly examples: readonly Example[];
  readonly fields: readonly FieldTexts[];
  /** The names and titles of the parameters of a block without fields. */
  readonly parameters: readonly string[];
};

type FieldTexts = {
  readonly name: string;
  readonly title: string;
  readonly unit?: string;
  /** Common values, the most common first, as a filter takes them; with their rows if known. */
  readonly values?: readonly (string | ValueCount)[];
};

/** The texts of a block. `commonest` has the rows of values. */
export function textsOf(
  described: Described & Partial<Pick<DatasetProfile, 'commonest'>>,
): BlockTexts {
  const { name, title, description, parameters, examples } = described.block;
  const { fields = [], noun } = datasetOf(described.block) ?? {};
  const { commonest = {} } = described;
  const sources = sourcesOf(described).map(({ publisher, title, date, version }) =>
    [publisher, title, date ?? version].filter((text) => text !== undefined),
  );
  return {
    name,
    title,
    description,
    examples,
    noun,
    source: sources.flat().join(' '),
    fields: fields.map((field) => {
      const counts = ownMember(commonest, field.name) ?? [];
      const rows = new Map(counts.map(([value, count]) => [value.trim(), count]));
      const values = isFilterable(field) ? valuesOf(described, field.name) : [];
      return {
        name: field.name,
        title: field.title,
        unit: field.unit,
        values: values.length === 0 ? undefined : values.map((value) => withRows(value, rows)),
      };
    }),
    parameters: fields.length === 0 ? parameters.map(({ name, title }) => `${name} ${title}`) : [],
  };
}

function withRows(value: string, rows: ReadonlyMap<string, number>): string | ValueCount {
  const count = rows.get(value.replaceAll('\\*', '*'));
  return count === undefined ? value : [value, count];
}

/** Values of a field that the import kept: the commonest, or all if they are few. */
export function valuesOf({ suggestions, manifest }: Described, field: string): readonly string[] {
  return ownMember(suggestions, field) ?? ownMember(manifest?.fields, field)?.values ?? [];
}

/** A text of a block that has some word: of the block itself, a field's, an example's, or a value. */
export type TextPlace = {
  /** The block's position in the list of blocks. */
  readonly block: number;
  /** How much it says about the block. */
  readonly weight: number;
  /** How many words the text has. */
  readonly words: number;
  readonly field?: string;
  /** A common value of the field, as a filter takes it, and its rows if known. */
  readonly value?: string;
  readonly rows?: number;
  /** The position of an example. */
  readonly example?: number;
};

/** Where each word stands, in the texts of all blocks. */
export type BlockIndex = {
  readonly places: ReadonlyMap<string, readonly TextPlace[]>;
  /** The words in order, so that those with one beginning stand together. */
  readonly words: readonly string[];
  /** Those that no text has: what its words may be in the singular, and a word that is. */
  readonly stems: ReadonlyMap<string, string>;
  /** How many fields of a block and values of a field are searched, if these are not all. */
  readonly bounds?: { readonly fields: number; readonly values: number };
};

/**
 * Fields and common values that a search for blocks goes over, of all blocks together. Of more, each
 * block gives the first fields and each field the commonest values, and the answer says how many.
 */
const MOST_FIELDS = 50_000;
const MOST_VALUES = 100_000;

/** Texts of a block that are found by one word. Its own and its fields' come before its values. */
const MOST_PLACES = 12;

/** Words of a text that are searched. */
const MOST_WORDS_OF_TEXT = 100;

/** Examples of a block that are searched. */
const MOST_EXAMPLES = 20;

const WEIGHTS = { name: 3, field: 2, value: 2, text: 1 };

/** Splitting a short text into words takes microseconds. */
const STEPS_OF_A_PLACE = 200;

/** The work and the time of the first search, which makes the index: enough for all that it may hold. */
export const INDEX_STEPS = 1e9;
export const INDEX_WITHIN_MS = 20_000;

/** Reads the texts of all blocks once. It reads no dataset. */
export function* indexBlocks(blocks: readonly BlockTexts[]): Work<BlockIndex> {
  const places = new Map<string, TextPlace[]>();
  const written = new Map<string, string>();
  const most = mostOfEach(blocks);
  let isCut = false;
  for (const [block, texts] of blocks.entries()) {
    const add = (text: string, place: Omit<TextPlace, 'block' | 'words'>) => {
      addPlace(places, written, text, { ...place, block });
      return STEPS_OF_A_PLACE + 3 * stepsOfFolding(text);
    };
    const { name, title, noun = '', description, source, examples, parameters } = texts;
    yield add(`${name} ${title} ${noun}`, { weight: WEIGHTS.name });
    const fields = texts.fields.slice(0, most.fields);
    for (const { name, title, unit = '' } of fields) {
      yield add(`${name} ${title} ${unit}`, { weight: WEIGHTS.field, field: name });
    }
    for (const text of parameters) yield add(text, { weight: WEIGHTS.text });
    yield add(`${description} ${source}`, { weight: WEIGHTS.text });
    for (const [example, { title }] of examples.slice(0, MOST_EXAMPLES).entries()) {
      yield add(title, { weight: WEIGHTS.text, example });
    }
    const lists = fields.map(({ name, values = [] }) => ({ field: name, values }));
    isCut ||=
      texts.fields.length > most.fields || lists.some(({ values }) => values.length > most.values);
    // The commonest value of each field comes before the second of any.
    for (let rank = 0; rank < most.values; rank++) {
      const ranked = lists.filter(({ values }) => rank < values.length);
      if (ranked.length === 0) break;
      for (const { field, values } of ranked) {
        const [value, rows] = [values[rank] as string | ValueCount].flat() as [string, number?];
        yield add(value, { weight: WEIGHTS.value, field, value, rows });
      }
    }
  }
  const words = [...places.keys()].sort();
  yield STEPS_OF_A_PLACE * words.length;
  const stems = new Map([...written].filter(([form, word]) => form !== word));
  return { places, words, stems, bounds: isCut ? most : undefined };
}

/** The texts without what a search does not go over, for a file. */
export function withinBounds(blocks: readonly BlockTexts[]): BlockTexts[] {
  const most = mostOfEach(blocks);
  // One more of each tells that there are more.
  return blocks.map((block) => ({
    ...block,
    examples: block.examples.slice(0, MOST_EXAMPLES),
    fields: block.fields.slice(0, most.fields + 1).map((field) => ({
      ...field,
      values: field.values?.slice(0, most.values + 1),
    })),
  }));
}

function mostOfEach(blocks: readonly BlockTexts[]): { fields: number; values: number } {
  const fields = Math.max(1, Math.floor(MOST_FIELDS / blocks.length));
  const lists = blocks.map((block) => block.fields.filter(({ values }) => values).length);
  const searched = lists.reduce((sum, count) => sum + Math.min(count, fields), 1);
  return { fields, values: Math.max(1, Math.floor(MOST_VALUES / searched)) };
}

/** Adds a text by its words, and by what they may be in the singular. */
function addPlace(
  places: Map<string, TextPlace[]>,
  written: Map<string, string>,
  text: string,
  of: Omit<TextPlace, 'words'>,
): void {
  const words = new Set(wordsAsked(text).slice(0, MOST_WORDS_OF_TEXT));
  const place = { ...of, words: words.size };
  const forms = new Set<string>();
  for (const word of words) {
    for (const form of formsOf(word)) {
      forms.add(form);
      if (form === word || !written.has(form)) written.set(form, word);
    }
  }
  for (const form of forms) {
    const found = places.get(form);
    if (found === undefined) places.set(form, [place]);
    // Blocks come one after another, so this block's places are the last ones.
    else if (found.at(-MOST_PLACES)?.block !== of.block) found.push(place);
  }
}

/** A word, and what it may be in the singular if it is an English plural. */
function formsOf(word: string): readonly string[] {
  const { length } = word;
  if (length < 4 || !/[^su]s$/.test(word)) return [word];
  const [withoutS, withoutEs] = [word.slice(0, -1), word.slice(0, -2)];
  if (length > 4 && word.endsWith('ies')) return [word, withoutS, `${word.slice(0, -3)}y`];
  return length > 4 && /(?:s|x|z|ch|sh)es$/.test(word)
    ? [word, withoutS, withoutEs]
    : [word, withoutS];
}

/** A block that was found. */
export type BlockHits = {
  readonly block: number;
  score: number;
  /** How many of the words it has. */
  words: number;
  /** Where words were found, and how many of them in each place. */
  readonly places: Map<TextPlace, number>;
};

/** The blocks that were found, the best first. */
export type Search = {
  readonly asked: readonly string[];
  /** Words that no block has. */
  readonly unknown: readonly string[];
  readonly found: readonly BlockHits[];
  /** Whether more words were asked for than were searched. */
  readonly isShortened: boolean;
  /** Words that begin more words than were searched. */
  readonly begun: readonly string[];
};

/** Words that say how something is asked, not about what. */
const ASKING = new Set(
  'a all an and any are as at be by did do does each for from had has have how in is it its list many me most much of on or per show tell than that the their there these this those to was were what when where which who whose with'.split(
    ' ',
  ),
);

const STEPS_OF_A_HIT = 20;

/** Finds the blocks that have some of a text's words, or words that begin with them. */
export function* searchBlocks(index: BlockIndex, blocks: number, text: string): Work<Search> {
  const all = wordsAsked(text);
  const telling = all.filter((word) => !ASKING.has(word));
  const words = telling.length === 0 ? all : telling;
  const asked = words.slice(0, MOST_WORDS);
  const found = new Map<number, BlockHits>();
  const unknown: string[] = [];
  const begun: string[] = [];
  for (const word of asked) {
    const best = new Map<number, number>();
    const { like, isCut } = wordsLike(index, word);
    if (isCut) begun.push(word);
    const hits = new Map<TextPlace, number>();
    for (const [known, share] of like) {
      const places = index.places.get(known) as readonly TextPlace[];
      for (const place of places) hits.set(place, Math.max(hits.get(place) ?? 0, share));
      yield places.length * STEPS_OF_A_HIT;
    }
    for (const [place, share] of hits) {
      const { block, weight } = place;
      best.set(block, Math.max(best.get(block) ?? 0, weight * share));
      const one = found.get(block) ?? { block, score: 0, words: 0, places: new Map() };
      one.places.set(place, (one.places.get(place) ?? 0) + share);
      found.set(block, one);
    }
    if (best.size === 0) unknown.push(word);
    // A word that few blocks have says more.
    const rarity = Math.log(1 + blocks / Math.max(1, best.size));
    for (const [block, weight] of best) {
      const one = found.get(block) as BlockHits;
      one.score += rarity * weight;
      one.words++;
    }
  }
  const inOrder = [...found.values()].sort((a, b) => b.score - a.score || a.block - b.block);
  const isShortened = words.length > MOST_WORDS;
  return { asked, unknown, found: inOrder, isShortened, begun };
}

/** Fewer letters would begin too many words, unless each is a word, as in Chinese. */
const LEAST_BEGINNING = 2;
const ASCII = /^[ -~]*$/;

/** Words of blocks that one word of a search may begin. Of more the first, and the answer says so. */
export const MOST_BEGUN = 200;

/** How much a word counts that begins with the word asked for. */
const SHARE_OF_BEGUN = 0.6;

/** The words of blocks that a word is, in the singular or plural, or begins; how much each counts. */
function wordsLike(
  { places, words }: BlockIndex,
  asked: string,
): { like: ReadonlyMap<string, number>; isCut: boolean } {
  const like = new Map<string, number>();
  const forms = formsOf(asked);
  let isCut = false;
  for (const word of forms) {
    if (places.has(word)) like.set(word, 1);
    if (word.length < LEAST_BEGINNING && ASCII.test(word)) continue;
    const low = firstFrom(words, word);
    const end = low + MOST_BEGUN;
    for (let i = low; i < end && words[i]?.startsWith(word); i++) {
      const known = words[i] as string;
      const isSame = formsOf(known).some((form) => forms.includes(form));
      like.set(known, Math.max(like.get(known) ?? 0, isSame ? 1 : SHARE_OF_BEGUN));
    }
    isCut ||= words[end]?.startsWith(word) === true;
  }
  return { like, isCut };
}

/** The position of the first word that is not before this one. */
function firstFrom(words: readonly string[], word: string): number {
  return firstWhere((at) => (words[at] as string) >= word, 0, words.length);
}

/** Words of blocks that are compared with one that none has, and the work for each, in steps. */
const MOST_COMPARED = 5000;
const STEPS_OF_A_COMPARISON = 100;

/** What a word that no block has may have meant: a word with the same first letter and few edits. */
export function* nearWord({ words, stems }: BlockIndex, word: string): Work<string | undefined> {
  const first = word.slice(0, String.fromCodePoint(word.codePointAt(0) ?? 0).length);
  const low = firstFrom(words, first);
  const compared: { words: string[] }[] = [];
  for (let i = low; i < low + MOST_COMPARED && words[i]?.startsWith(first); i++) {
    compared.push({ words: [words[i] as string] });
  }
  yield compared.length * STEPS_OF_A_COMPARISON;
  const near = nearestOne(word, compared)?.word;
  return near === undefined ? undefined : (stems.get(near) ?? near);
}
