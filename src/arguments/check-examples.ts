import type { Block, DatasetBlock } from '../block/block.ts';
import { VIEWS } from '../block/views.ts';
import { listInWords } from '../text/wording.ts';
import { Budget } from '../work/budget.ts';
import { Scheduler } from '../work/scheduler.ts';
import { readArgumentsOf } from './arguments.ts';
import type { Members, ReadArguments } from './given.ts';

/**
 * Throws if the block would refuse one of its own examples, or what its page opens with: documents
 * show the examples, and each deployment runs them.
 */
export function checkExamples(block: Block & Pick<DatasetBlock, 'first'>): void {
  const { first } = block;
  const read = readArgumentsOf(block);
  for (const { title, arguments: given } of block.examples) {
    checkGiven(block, `example “${title}”`, given, read);
  }
  if (first === undefined) return;
  const why = whyNotFirst(first);
  if (why !== undefined) throw new Error(`Block ${block.name}: its "first" is refused: ${why}`);
  checkGiven(block, '"first"', first, read);
}

/** What a question of a chart is made of. */
export const OF_CHARTS: readonly string[] = [
  '_view',
  '_group',
  '_measure',
  '_mark',
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
): void {
  try {
    read(
      { query: {}, body: given as Members, isPost: true, isWebhook: false },
      new Budget(new Scheduler()),
    );
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`Block ${block.name}: its ${what} is refused: ${message}`);
  }
}
