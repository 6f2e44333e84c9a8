import type { DatasetBlock } from '../../block/block.ts';
import type { Described } from '../../block/describe-block.ts';
import { isFilterable } from '../../block/parameter.ts';
import { stepsOfFolding } from '../../text/fold.ts';
import { MOST_WORDS, wordsAsked } from '../../text/pattern.ts';
import { firstFew, fitting, numberText, shorten } from '../../text/wording.ts';
import type { Work } from '../../work/work.ts';
import { bytesOf, bytesOfLines, MOST_TEXT_BYTES, markedAsData, safeJson } from './data-text.ts';
import { sourceText } from './receipt.ts';

/** A text of a block that has some word: of the block itself, a field's, or a value. */
type Place = {
  /** The block's position in the list of blocks. */
  readonly block: number;
  /** How much it says about the block. */
  readonly weight: number;
  /** How many words the text has. */
  readonly words: number;
  readonly field?: string;
  /** A common value of the field, as a filter takes it. */
  readonly value?: string;
};

/** Where each word stands, in the texts of all blocks. */
export type BlockIndex = {
  readonly places: ReadonlyMap<string, readonly Place[]>;
  /** The words in order, so that those with one beginning stand together. */
  readonly words: readonly string[];
  /** How many fields of a block and values of a field are searched, if these are not all. */
  readonly bounds?: { readonly fields: number; readonly values: number };
};

/**
 * Fields and common values that `find` searches, of all blocks together. Of more, each block gives
 * the first fields and each field the commonest values, and the answer says how many.
 */
const MOST_FIELDS = 50_000;
const MOST_VALUES = 100_000;

/** Texts of a block that are found by one word. Its own and its fields' come before its values. */
const MOST_PLACES = 12;

/** Words of a text that are searched. */
const MOST_WORDS_OF_TEXT = 100;

const WEIGHTS = { name: 3, field: 2, value: 2, text: 1 };

/** Splitting a short text into words takes microseconds. */
const STEPS_OF_A_PLACE = 200;

/** Reads the texts of all blocks once. It reads no dataset. */
export function* indexBlocks(blocks: readonly Described[]): Work<BlockIndex> {
  const places = new Map<string, Place[]>();
  const most = mostOfEach(blocks);
  let isCut = false;
  for (const [block, described] of blocks.entries()) {
    const fields = fieldsOf(described);
    const add = (text: string, place: Omit<Place, 'block' | 'words'>) => {
      addPlace(places, text, { ...place, block });
      return STEPS_OF_A_PLACE + 3 * stepsOfFolding(text);
    };
    const { name, title, description, parameters } = described.block;
    const { noun = '' } = described.block as Partial<DatasetBlock>;
    yield add(`${name} ${title} ${noun}`, { weight: WEIGHTS.name });
    for (const field of fields.slice(0, most.fields)) {
      const text = `${field.name} ${field.title} ${field.unit ?? ''}`;
      yield add(text, { weight: WEIGHTS.field, field: field.name });
    }
    if (fields.length === 0) {
      for (const { name, title } of parameters) {
        yield add(`${name} ${title}`, { weight: WEIGHTS.text });
      }
    }
    yield add(`${description} ${sourceText(described)}`, { weight: WEIGHTS.text });
    const lists = fields
      .slice(0, most.fields)
      .filter(isFilterable)
      .map((field) => ({ field: field.name, values: valuesOf(described, field.name) }));
    isCut ||=
      fields.length > most.fields || lists.some(({ values }) => values.length > most.values);
    // The commonest value of each field comes before the second of any.
    for (let rank = 0; rank < most.values; rank++) {
      const ranked = lists.filter(({ values }) => rank < values.length);
      if (ranked.length === 0) break;
      for (const { field, values } of ranked) {
        const value = values[rank] as string;
        yield add(value, { weight: WEIGHTS.value, field, value });
      }
    }
  }
  const words = [...places.keys()].sort();
  yield STEPS_OF_A_PLACE * words.length;
  return { places, words, ...(isCut ? { bounds: most } : {}) };
}

function mostOfEach(blocks: readonly Described[]): { fields: number; values: number } {
  const fields = Math.max(1, Math.floor(MOST_FIELDS / blocks.length));
  const lists = blocks.map(({ suggestions = {} }) => Object.keys(suggestions).length);
  const searched = lists.reduce((sum, count) => sum + Math.min(count, fields), 1);
  return { fields, values: Math.max(1, Math.floor(MOST_VALUES / searched)) };
}

function fieldsOf({ block }: Described): DatasetBlock['fields'] {
  return (block as Partial<DatasetBlock>).fields ?? [];
}

/** Values of a field that the import kept: the commonest, or all if they are few. */
export function valuesOf({ suggestions, manifest }: Described, field: string): readonly string[] {
  return suggestions?.[field] ?? manifest?.fields[field]?.values ?? [];
}

function addPlace(places: Map<string, Place[]>, text: string, of: Omit<Place, 'words'>): void {
  const words = new Set(wordsAsked(text).slice(0, MOST_WORDS_OF_TEXT).map(singularOf));
  const place = { ...of, words: words.size };
  for (const word of words) {
    const found = places.get(word);
    if (found === undefined) places.set(word, [place]);
    // Blocks come one after another, so this block's places are the last ones.
    else if (found.at(-MOST_PLACES)?.block !== of.block) found.push(place);
  }
}

/** A word without the end of an English plural. */
function singularOf(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

/** A block that was found. */
type Found = {
  readonly block: number;
  score: number;
  /** Where words were found, and how many of them in each place. */
  readonly places: Map<Place, number>;
};

/** The blocks that were found, the best first. */
export type Search = {
  readonly asked: readonly string[];
  /** Words that no block has. */
  readonly unknown: readonly string[];
  readonly found: readonly Found[];
  /** What was not searched, in sentences. */
  readonly leftOut: readonly string[];
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
  const found = new Map<number, Found>();
  const unknown: string[] = [];
  const begun: string[] = [];
  for (const word of asked) {
    const best = new Map<number, number>();
    const { like, isCut } = wordsLike(index, singularOf(word));
    if (isCut) begun.push(word);
    for (const [known, share] of like) {
      const places = index.places.get(known) as readonly Place[];
      for (const place of places) {
        const { block, weight } = place;
        best.set(block, Math.max(best.get(block) ?? 0, weight * share));
        const one = found.get(block) ?? { block, score: 0, places: new Map() };
        one.places.set(place, (one.places.get(place) ?? 0) + share);
        found.set(block, one);
      }
      yield places.length * STEPS_OF_A_HIT;
    }
    if (best.size === 0) unknown.push(word);
    // A word that few blocks have says more.
    const rarity = Math.log(1 + blocks / Math.max(1, best.size));
    for (const [block, weight] of best) (found.get(block) as Found).score += rarity * weight;
  }
  const inOrder = [...found.values()].sort((a, b) => b.score - a.score || a.block - b.block);
  const leftOut = [
    ...(words.length > MOST_WORDS ? [`Only the first ${MOST_WORDS} words were searched for.`] : []),
    ...(begun.length > 0
      ? [`More than ${MOST_BEGUN} words begin with ${quoted(begun)}; some were not searched for.`]
      : []),
  ];
  return { asked, unknown, found: inOrder, leftOut };
}

/** Fewer letters would begin too many words, unless each is a word, as in Chinese. */
const LEAST_BEGINNING = 3;
const ASCII = /^[ -~]*$/;

/** Words of blocks that one word of a search may begin. Of more the first, and the answer says so. */
const MOST_BEGUN = 200;

/** How much a word counts that begins with the word asked for. */
const SHARE_OF_BEGUN = 0.6;

/** The words of blocks that a word is, or begins, and how much each counts. */
function wordsLike(
  { places, words }: BlockIndex,
  word: string,
): { like: [string, number][]; isCut: boolean } {
  const like: [string, number][] = places.has(word) ? [[word, 1]] : [];
  if (word.length < LEAST_BEGINNING && ASCII.test(word)) return { like, isCut: false };
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] as string) < word) low = middle + 1;
    else high = middle;
  }
  const end = low + MOST_BEGUN;
  for (let i = low; i < end; i++) {
    const known = words[i];
    if (known?.startsWith(word) !== true) return { like, isCut: false };
    if (known !== word) like.push([known, SHARE_OF_BEGUN]);
  }
  return { like, isCut: words[end]?.startsWith(word) === true };
}

/** Blocks that an answer lists, and of each the fields and values in which words were found. */
const MOST_BLOCKS = 10;
const MOST_FIELDS_OF_A_BLOCK = 6;
const MOST_VALUES_OF_A_BLOCK = 6;

/** What was found as text for a model, from the block at `from`, and where to look next. */
export function searchText(
  { asked, unknown, found, leftOut }: Search,
  blocks: readonly Described[],
  { bounds }: BlockIndex,
  from: number,
): string[] {
  const isAll = asked.length === 0;
  const listed: readonly Found[] = isAll
    ? blocks.map((_, block) => ({ block, score: 0, places: new Map() }))
    : found;
  const page = listed.slice(from, isAll ? undefined : from + MOST_BLOCKS);
  const [best] = page;
  if (best === undefined && listed.length > 0) {
    return [`There are only ${numberText(listed.length)}; call again with a smaller from.`];
  }
  const next = best && blocks[best.block]?.block.name;
  const head = headOf(asked, found.length, blocks.length);
  const behind = [
    ...(unknown.length === 0 || next === undefined
      ? []
      : [
          `Not found: ${quoted(unknown)}. Only common values are searched here; _q of query searches all rows.`,
        ]),
    ...leftOut,
    ...(bounds === undefined
      ? []
      : [
          `Of each block ${numberText(bounds.fields)} fields are searched, of each field ${numberText(bounds.values)} common value${bounds.values === 1 ? '' : 's'}.`,
        ]),
    ...(next === undefined ? [] : [`Next: describe with block: ${next}, then query.`]),
  ];
  const more = (shown: number) =>
    `${numberText(listed.length - from - shown)} more: call again with from: ${from + shown}.`;
  const around = bytesOfLines([head, ...markedAsData(['']), ...behind, more(0)]);
  const entries = fitting(
    page.map((one) => blockLines(one, blocks[one.block] as Described)),
    bytesOfLines,
    MOST_TEXT_BYTES - around,
    1,
  );
  const isCut = from + entries.length < listed.length;
  return [
    head,
    ...markedAsData(entries.flat()),
    ...(isCut ? [more(entries.length)] : []),
    ...behind,
  ];
}

function headOf(asked: readonly string[], found: number, blocks: number): string {
  if (asked.length === 0) return `${numberText(blocks)} blocks:`;
  const words = `of the words ${quoted(asked)}`;
  if (found === 0) {
    return `None of ${numberText(blocks)} blocks has any ${words}. Try others, or no words for a list of all.`;
  }
  const some = `${numberText(found)} of ${numberText(blocks)} blocks`;
  return found === 1 ? `${some} has some ${words}:` : `${some} have some ${words}, the best first:`;
}

function quoted(words: readonly string[]): string {
  return words.map((word) => safeJson(shorten(word, MOST_OF_A_WORD))).join(', ');
}

/** Characters of a word that an answer repeats. */
const MOST_OF_A_WORD = 30;

/** A block in a line, and the fields and values in which words were found. */
function blockLines({ places }: Found, described: Described): string[] {
  const { block, manifest } = described;
  const { noun = 'rows' } = block as Partial<DatasetBlock>;
  const rows = manifest === undefined ? [] : [`${numberText(manifest.rows)} ${noun}`];
  const source = sourceText(described);
  const about = [
    `- ${block.name}: ${safeJson(shorten(block.title, MOST_OF_A_TITLE))}`,
    ...rows,
    ...(source === '' ? [] : [shorten(source, MOST_OF_A_TITLE)]),
  ];
  // What has the most of the words comes first; of those, what has few words besides.
  const inOrder = [...places]
    .sort(([a, hitsA], [b, hitsB]) => hitsB - hitsA || hitsB / b.words - hitsA / a.words)
    .map(([place]) => place);
  const fields = inOrder.flatMap(({ field, value }) =>
    field === undefined || value !== undefined ? [] : [nameAndTitle(described, field)],
  );
  const values = inOrder.flatMap(({ field, value }) =>
    value === undefined ? [] : [`${field}: ${safeJson(value)}`],
  );
  return [
    about.join('; '),
    ...(fields.length === 0 ? [] : [`  fields ${fewInLine(fields, MOST_FIELDS_OF_A_BLOCK)}`]),
    ...(values.length === 0 ? [] : [`  values ${fewInLine(values, MOST_VALUES_OF_A_BLOCK)}`]),
  ];
}

function fewInLine(texts: readonly string[], most: number): string {
  const shown = fitting(texts.slice(0, most), bytesOf, MOST_LINE_BYTES, 1);
  return firstFew(texts, shown.length);
}

/** Bytes of the fields, and of the values, of a block that was found. */
const MOST_LINE_BYTES = 1000;

/** A field's name, and its title where that says more. */
function nameAndTitle(described: Described, name: string): string {
  const title = fieldsOf(described).find((field) => field.name === name)?.title ?? name;
  return title.toLowerCase() === name ? name : `${name} (${shorten(title, MOST_OF_A_TITLE)})`;
}

/** Characters of a title and of a source in a list of blocks. */
const MOST_OF_A_TITLE = 100;
