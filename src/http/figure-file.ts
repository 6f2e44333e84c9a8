import type { OpenedView } from '../page/opened-view.ts';
import { invalidArguments, type Problem } from '../problem/errors.ts';
import { describeFilters, describeHaving } from '../query/filters-in-words.ts';
import { shorten } from '../text/wording.ts';
import type { Budget } from '../work/budget.ts';
import { figureOfView, totalOfFigure } from './figure-outcome.ts';
import { loadFigures } from './load-pages.ts';
import { type FigureRead, readFigure } from './read-figure.ts';
import type { ViewAsked } from './view-asked.ts';

/** A figure as an SVG file, and the answer that it is made of. */
export type FigureFile = Pick<FigureRead, 'output'> & {
  readonly text: string;
  readonly total: number;
};

/** Characters of the filters in a file. */
const MOST_OF_FILTERS = 600;

/** Throws a Problem if a page of the same address does not open a figure. */
export function checkFigure({ view, values }: OpenedView): void {
  if (view === 'chart' || view === 'map') return;
  throw noFigure(
    values,
    `svg is the figure of a page, and the page of this address opens its ${view}. Ask for _view=chart, or for groups with _group and _measure; rows are in _format=csv.`,
  );
}

/** Draws what the page of the same address shows. Throws a Problem if no figure can show it. */
export async function figureFile(
  asked: Pick<ViewAsked, 'served' | 'profile' | 'language'>,
  opened: OpenedView,
  budget: Budget,
): Promise<FigureFile> {
  const read = await readFigure({
    ...figureOfView(asked, opened, budget),
    // A file leads nowhere.
    linkOf: () => () => undefined,
    linkToRow: () => '',
  });
  if (read === undefined) {
    throw noFigure(
      opened.values,
      'No figure can show this question. Ask for numbers by at least one field, such as _group=<field> and _measure=count, and for fewer groups; _format=csv has its groups and rows.',
    );
  }
  const { drawFile } = await loadFigures();
  const text = drawFile(read.figure, conditionsOf(asked, opened, read));
  await budget.checkpoint(text.length);
  return { text, total: totalOfFigure(opened, read), output: read.output };
}

/** Which rows and groups a figure is of: `where Shift is PM and Age is Adult`. */
function conditionsOf(
  { served, language }: Pick<ViewAsked, 'served' | 'language'>,
  { values }: OpenedView,
  { grouping }: FigureRead,
): string {
  const { fields, filters } = served.block;
  const { say } = language;
  const listed = (first: string, texts: readonly { readonly text: string }[]) =>
    texts.map(({ text }, i) => `${i === 0 ? first : say('and')} ${text}`);
  const all = [
    ...listed(say('where'), describeFilters({ fields, filters }, values, language)),
    ...listed(
      say('only groups whose'),
      grouping === undefined ? [] : describeHaving(grouping, values, language),
    ),
  ];
  return shorten(all.join(' '), MOST_OF_FILTERS);
}

function noFigure({ _view }: OpenedView['values'], detail: string): Problem {
  const parameter = _view === undefined ? '_format' : '_view';
  return invalidArguments([{ code: 'no-figure', detail, parameter }]);
}
