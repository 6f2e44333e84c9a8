import type { Grouping } from '../block/grouping.ts';
import type { MarkName } from '../block/views.ts';
import { type FigureOutcome, hrefOf, pageState } from '../page/block-view.ts';
import { countedBeside } from '../page/filter-order.ts';
import type { OpenedView } from '../page/opened-view.ts';
import type { Warning } from '../problem/errors.ts';
import type { Row } from '../values/field-type.ts';
import type { Budget } from '../work/budget.ts';
import { loadFigures, loadPages } from './load-pages.ts';
import { type Answered, type FigureAsked, type FigureRead, readFigure } from './read-figure.ts';
import { rowLinks, type ViewAsked } from './view-asked.ts';

/** Rows of the numbers below a figure, and of those beside a map, which is no higher than that. */
const MOST_NUMBERS = 60;
const MOST_BESIDE_MAP = 12;

/** Characters of the links of a figure. Each repeats what the page's address asks for. */
const MOST_OF_LINKS = 1_000_000;

const LINKS_LEFT_OUT: Warning = {
  title: 'Links left out',
  message:
    'This address is so long that only some marks of the figure lead to their rows. All numbers are there.',
};

/** What a view asks for its figure. */
export function figureOfView(
  { served, profile, language }: Pick<ViewAsked, 'served' | 'profile' | 'language'>,
  opened: OpenedView,
  budget: Budget,
): Omit<FigureAsked, 'linkOf' | 'linkToRow'> {
  const { view, values, grouping } = opened;
  return {
    ...{ language, served, profile, grouping, budget, values },
    mark:
      (values._mark as MarkName | undefined) ??
      (view === 'map' && grouping ? 'regions' : undefined),
    mayBeShorter: isOwnQuestion(opened),
  };
}

/** How many rows the answer of a figure has, or groups, if somebody asked for them. */
export function totalOfFigure(
  opened: OpenedView,
  { matching, output }: Pick<FigureRead, 'matching' | 'output'>,
): number {
  return opened.grouping === undefined || isOwnQuestion(opened) ? matching : output.total;
}

/** Whether a figure's question is the page's own, and groups were not asked for. */
function isOwnQuestion({ added, isImplied }: OpenedView): boolean {
  return added._group !== undefined && !isImplied;
}

/** The figure of a page, as HTML. Undefined if no mark can draw what is asked. */
export async function figureOutcome(
  asked: ViewAsked,
  opened: OpenedView,
  budget: Budget,
): Promise<{ readonly outcome: FigureOutcome; readonly output: Answered } | undefined> {
  const { served, profile, sent } = asked;
  const state = pageState(served.block, sent);
  const { rowsOfGroup } = await loadPages();
  const links = new WeakMap<Row, string>();
  let left = MOST_OF_LINKS;
  const read = await readFigure({
    ...figureOfView(asked, opened, budget),
    counted: countedBeside(served.block, served.manifest, profile, opened.values),
    linkOf: (drawn: Grouping) => (group, to) => {
      if (left <= 0) return undefined;
      const known = to === undefined ? links.get(group) : undefined;
      if (known !== undefined) return known;
      const rows = rowsOfGroup(state, drawn, group, to);
      const href = rows === undefined ? undefined : hrefOf(rows);
      left -= href?.length ?? 0;
      if (href !== undefined && to === undefined) links.set(group, href);
      return href;
    },
    linkToRow: rowLinks(asked, 'map'),
  });
  if (read === undefined) return undefined;
  const { figure, marks, matching, output } = read;
  const { drawPicture, drawWords, drawNumbers, markOf } = await loadFigures();
  const picture = drawPicture(figure);
  await budget.checkpoint(picture.length);
  const { layout } = figure.picture ?? {};
  const most = layout === 'map' ? MOST_BESIDE_MAP : MOST_NUMBERS;
  const { length } = figure.numbers.rows;
  return {
    output,
    outcome: {
      ...{ kind: 'figure', figure, matching, picture },
      marks: marks.map((name) => ({ name, title: markOf(name).title })),
      ...(read.grouping === undefined ? {} : { grouping: read.grouping }),
      caption: drawWords(figure.caption),
      ...(layout === 'list' || length === 0 ? {} : { numbers: drawNumbers(figure, 0, most) }),
      numbersShown: Math.min(length, most),
      ...(output.facets === undefined ? {} : { facets: output.facets }),
      ...(output.bins === undefined ? {} : { bins: output.bins }),
      warnings: [...asked.warnings, ...output.warnings, ...(left > 0 ? [] : [LINKS_LEFT_OUT])],
      ...(output.help === undefined ? {} : { help: output.help }),
    },
  };
}
