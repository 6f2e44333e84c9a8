import type { Grouping } from '../block/grouping.ts';
import type { MarkName } from '../block/views.ts';
import { type FigureOutcome, hrefOf, pageState } from '../page/block-view.ts';
import type { OpenedView } from '../page/opened-view.ts';
import type { Budget } from '../work/budget.ts';
import { loadFigures, loadPages } from './load-pages.ts';
import { type Answered, readFigure } from './read-figure.ts';
import { facetsFor, rowLinks, type ViewAsked } from './view-asked.ts';

/** Rows of the numbers below a figure. */
const MOST_NUMBERS = 60;

/** The figure of a page, as HTML. Undefined if no mark can draw what is asked. */
export async function figureOutcome(
  asked: ViewAsked,
  { view, values, grouping, added }: OpenedView,
  budget: Budget,
): Promise<{ readonly outcome: FigureOutcome; readonly output: Answered } | undefined> {
  const { served, profile, sent } = asked;
  const state = pageState(served.block, sent);
  const { rowsOfGroup } = await loadPages();
  const read = await readFigure({
    ...{ served, profile, grouping, budget },
    values: { ...values, ...facetsFor(served, values._facets) },
    mark:
      (values._mark as MarkName | undefined) ??
      (view === 'map' && grouping ? 'regions' : undefined),
    linkOf: (drawn: Grouping) => (group, to) => {
      const rows = rowsOfGroup(state, drawn, group, to);
      return rows === undefined ? undefined : hrefOf(rows);
    },
    linkToRow: rowLinks(asked),
    mayBeShorter: added._group !== undefined,
  });
  if (read === undefined) return undefined;
  const { figure, marks, matching, output } = read;
  const { drawPicture, drawWords, drawNumbers } = await loadFigures();
  const picture = drawPicture(figure);
  await budget.checkpoint(picture.length);
  const isList = figure.picture?.layout === 'list';
  const { length } = figure.numbers.rows;
  return {
    output,
    outcome: {
      ...{ kind: 'figure', figure, marks, matching, picture },
      ...(read.grouping === undefined ? {} : { grouping: read.grouping }),
      caption: drawWords(figure.caption),
      ...(isList || length === 0 ? {} : { numbers: drawNumbers(figure, 0, MOST_NUMBERS) }),
      numbersShown: Math.min(length, MOST_NUMBERS),
      ...(output.facets === undefined ? {} : { facets: output.facets }),
      warnings: [...asked.warnings, ...output.warnings],
      ...(output.help === undefined ? {} : { help: output.help }),
    },
  };
}
