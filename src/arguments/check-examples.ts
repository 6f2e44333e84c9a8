import type { Block, DatasetBlock } from '../block/block.ts';
import { askedBy } from '../block/block-figure.ts';
import { VIEWS } from '../block/views.ts';
import { listInWords } from '../text/wording.ts';
import { Budget } from '../work/budget.ts';
import { Scheduler } from '../work/scheduler.ts';
import { readArgumentsOf } from './arguments.ts';
import type { Arguments, Members, ReadArguments } from './given.ts';

/**
 * Throws if the block would refuse one of its own examples, its figures, or what its page opens with:
 * documents show the examples, and each deployment runs them.
 */
export function checkExamples(block: Block & Pick<DatasetBlock, 'first' | 'figures'>): void {
  const { first, figures = [] } = block;
  const read = readArgumentsOf(block);
  for (const { title, arguments: given } of block.examples) {
    checkGiven(block, `example “${title}”`, given, read);
  }
  for (const { title, ask } of figures) {
    const asked = askedBy({ ask });
    const other = Object.keys(asked).find((name) => NOT_OF_FIGURES.includes(name));
    if (other !== undefined) {
      throw new Error(
        `Block ${block.name}: its figure “${title}” has ${other} in its "ask", and a figure's question is of _view=chart or map, _group, _measure, _mark and filters.`,
      );
    }
    const { values, grouping } = checkGiven(block, `figure “${title}”`, asked, read);
    const view = values._view ?? 'chart';
    const isQuestion = grouping !== undefined || values._xy !== undefined || view === 'map';
    if ((view !== 'chart' && view !== 'map') || !isQuestion) {
      throw new Error(
        `Block ${block.name}: its figure “${title}” asks for no figure; its "ask" needs _group, _xy or _view=map.`,
      );
    }
  }
  if (first === undefined) return;
  const why = whyNotFirst(first);
  if (why !== undefined) throw new Error(`Block ${block.name}: its "first" is refused: ${why}`);
  checkGiven(block, '"first"', first, read);
}

/** What is of the page that shows a figure, or of rows in a table. */
const NOT_OF_FIGURES: readonly string[] = [
  ...['api_key', '_cursor', '_embed', '_fields', '_format', '_lang', '_raw', '_bom', '_explain'],
  '_facets',
];

/** What a question of a chart is made of. */
export const OF_CHARTS: readonly string[] = [
  '_view',
  '_group',
  '_measure',
  '_mark',
  '_axis',
  '_xy',
  '_scale',
  '_sort',
  '_limit',
];

/** What a page may open with, by its view: a question of all rows. */
const OF_FIRST: Readonly<Record<string, readonly string[]>> = {
  chart: OF_CHARTS,
  map: ['_view', '_group', '_measure', '_mark'],
  table: ['_view'],
};

function whyNotFirst(first: Readonly<Record<string, unknown>>): string | undefined {
  const view = String(first._view);
  const names = Object.hasOwn(OF_FIRST, view) ? OF_FIRST[view] : undefined;
  // What is no view at all is refused as in an example.
  if (first._view !== undefined && names === undefined) {
    return (VIEWS as readonly string[]).includes(view)
      ? `_view is ${view}, and a page opens with its chart, map or table.`
      : undefined;
  }
  if (names === undefined) return 'it has no _view: chart, map or table.';
  const other = Object.keys(first).find((name) => !names.includes(name));
  if (other !== undefined) {
    return `it has ${other}, and a ${view} takes ${listInWords(names, 'and')}: a page opens with all rows.`;
  }
  const groups = [first._group ?? []].flat().flatMap((text) => String(text).split(','));
  if (view === 'chart' && groups.length === 0 && first._xy === undefined) {
    return 'its chart has no _group.';
  }
  return groups.length > 2 ? 'a figure has two fields in _group at most.' : undefined;
}

function checkGiven(
  block: Block,
  what: string,
  given: Readonly<Record<string, unknown>>,
  read: ReadArguments,
): Arguments {
  try {
    return read(
      { query: {}, body: given as Members, isPost: true, isWebhook: false },
      new Budget(new Scheduler()),
    );
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`Block ${block.name}: its ${what} is refused: ${message}`);
  }
}
