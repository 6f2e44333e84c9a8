import type { AxisName } from '../block/views.ts';
import { drawFile } from '../figure/draw-file.ts';
import type { Figure } from '../figure/figure.ts';
import { ENGLISH } from '../languages/english.ts';
import { invalidArguments, type Problem } from '../problem/errors.ts';
import { describeFilters, describeHaving } from '../query/filters-in-words.ts';
import type { Output } from '../query/run.ts';
import { listInWords, shorten } from '../text/wording.ts';
import type { Drawing, DrawnView, ViewQuery } from './view.ts';

/** A figure as an SVG file, and the answer that it is made of. */
export type FigureFile = {
  readonly text: string;
  readonly total: number;
  readonly output: Output;
};

/** Throws a Problem if a page of the same address does not open a figure. */
export function checkFigure({ view, name, values }: ViewQuery): void {
  if (view.figure !== undefined) return;
  throw noFigure(
    values,
    `svg is the figure of a page, and the page of this address opens its ${name}. Ask for _view=chart, or for groups with _group and _measure; rows are in _format=csv.`,
  );
}

/** Draws what the page of the same address shows. Throws a Problem if no figure can show it. */
export async function figureFile(query: ViewQuery, drawing: Drawing): Promise<FigureFile> {
  const drawn = await query.view.figure?.(query, drawing);
  if (drawn === undefined) {
    throw noFigure(
      query.values,
      'No figure can show this question. Ask for numbers by at least one field, such as _group=<field> and _measure=count, and for fewer groups; _format=csv has its groups and rows.',
    );
  }
  const { axes, refused } = drawn.figure;
  if (refused !== undefined)
    throw noAxis(
      drawn.figureIn(ENGLISH),
      axes.map(({ name }) => name),
    );
  const text = drawFile(drawn.figure, conditionsOf(query, drawing, drawn));
  await drawing.budget.checkpoint(text.length);
  return { text, total: drawn.total, output: drawn.output };
}

/** Characters of the filters in a file. */
const MOST_OF_FILTERS = 600;

/** Which rows and groups a figure is of: `where Shift is PM and Age is Adult`. */
function conditionsOf(
  query: ViewQuery,
  { of, language }: Drawing,
  { grouping, values = query.values }: DrawnView,
): string {
  const { say } = language;
  const listed = (first: string, texts: readonly { readonly text: string }[]) =>
    texts.map(({ text }, i) => `${i === 0 ? first : say('and')} ${text}`);
  const all = [
    ...listed(say('where'), describeFilters(of.block, values, language)),
    ...listed(
      say('only groups whose'),
      grouping === undefined ? [] : describeHaving(grouping, values, language),
    ),
  ];
  return shorten(all.join(' '), MOST_OF_FILTERS);
}

function noAxis({ refused }: Figure, offered: readonly AxisName[]): Problem {
  const fix =
    offered.length > 1
      ? `Ask for ${listInWords(offered, 'or')}, or leave _axis out.`
      : 'Leave _axis out.';
  const detail = `${refused} ${fix}`;
  return invalidArguments([{ code: 'no-figure', detail, parameter: '_axis' }]);
}

function noFigure({ _view }: ViewQuery['values'], detail: string): Problem {
  const parameter = _view === undefined ? '_format' : '_view';
  return invalidArguments([{ code: 'no-figure', detail, parameter }]);
}
