import type { DatasetBlock } from '../block/block.ts';
import { alternativeName } from '../block/parameter.ts';
import { type PageState, pageState } from '../page/block-view.ts';

/**
 * A row's page may be told the question that led to it, by the names that the block itself takes:
 * filters and searches, the order, and the view. It then shows the way back and the rows beside it.
 */
const TAKEN = ['_sort', '_view'];

/** Tells which names of an address are of a question about rows. */
export function namesOfQuestion({ parameters }: DatasetBlock): (name: string) => boolean {
  const names = new Set([...parameters.map(({ name }) => name), ...TAKEN]);
  return (name) => names.has(name) || alternativeName(name) !== undefined;
}

/**
 * Characters of a question in the address of a row. The links of a list leave out a longer one,
 * since each of them would repeat it.
 */
const MOST_QUESTION_LENGTH = 500;

/** The part of a page's arguments that its links to rows carry, with the view that has the links. */
export function carriedQuestion(block: DatasetBlock, sent: PageState, view?: 'map'): PageState {
  const isAsked = namesOfQuestion(block);
  const question = pageState(block, sent).filter(([name]) => name !== '_view' && isAsked(name));
  const ofView: PageState = view === undefined ? [] : [['_view', view]];
  const { length } = new URLSearchParams(question.map(([name, value]) => [name, value])).toString();
  return length > MOST_QUESTION_LENGTH ? ofView : [...question, ...ofView];
}
