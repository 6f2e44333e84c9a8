import { datasetOf } from '../../block/block.ts';
import type { Described } from '../../block/describe-block.ts';
import {
  type BlockHits,
  type BlockIndex,
  MOST_BEGUN,
  type Search,
} from '../../portals/block-index.ts';
import { MOST_WORDS } from '../../text/pattern.ts';
import { firstFew, fitting, numberText, shorten } from '../../text/wording.ts';
import { bytesOf, fitEntries, markedAsData, safeJson } from './data-text.ts';
import { sourceText } from './receipt.ts';

/** Blocks that an answer lists, and of each the fields and values in which words were found. */
const MOST_BLOCKS = 10;
const MOST_FIELDS_OF_A_BLOCK = 6;
const MOST_VALUES_OF_A_BLOCK = 6;

/** What was found as text for a model, from the block at `from`, and where to look next. */
export function searchText(
  { asked, unknown, found, isShortened, begun }: Search,
  blocks: readonly Described[],
  { bounds }: BlockIndex,
  from: number,
): readonly string[] {
  const isAll = asked.length === 0;
  const listed: readonly BlockHits[] = isAll
    ? blocks.map((_, block) => ({ block, score: 0, words: 0, places: new Map() }))
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
    ...(isShortened ? [`Only the first ${MOST_WORDS} words were searched for.`] : []),
    ...(begun.length > 0
      ? [`More than ${MOST_BEGUN} words begin with ${quoted(begun)}; some were not searched for.`]
      : []),
    ...(bounds === undefined
      ? []
      : [
          `Of each block ${numberText(bounds.fields)} fields are searched, of each field ${numberText(bounds.values)} common value${bounds.values === 1 ? '' : 's'}.`,
        ]),
    ...(next === undefined ? [] : [`Next: describe with block: ${next}, then query.`]),
  ];
  const entries = page.map((one) => blockLines(one, blocks[one.block] as Described));
  const linesOf = (shown: number) => [
    head,
    ...markedAsData(entries.slice(0, shown).flat()),
    ...moreBlocks(listed.length - from - shown, from + shown),
    ...behind,
  ];
  return fitEntries(page.length, linesOf, Math.min(1, page.length)).lines;
}

function moreBlocks(more: number, from: number): string[] {
  return more <= 0 ? [] : [`${numberText(more)} more: call again with from: ${from}.`];
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
function blockLines({ places }: BlockHits, described: Described): string[] {
  const { block, manifest } = described;
  const { noun = 'rows' } = datasetOf(block) ?? {};
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
function nameAndTitle({ block }: Described, name: string): string {
  const { fields = [] } = datasetOf(block) ?? {};
  const title = fields.find((field) => field.name === name)?.title ?? name;
  return title.toLowerCase() === name ? name : `${name} (${shorten(title, MOST_OF_A_TITLE)})`;
}

/** Characters of a title and of a source in a list of blocks. */
const MOST_OF_A_TITLE = 100;
