import type { Drawn, MarkKind } from './mark.ts';
import {
  emptyPairs,
  pairsCaption,
  pairsOf,
  pairsTitle,
  pointsOf,
  shapesOver,
  shapesUnder,
} from './pairs.ts';
import type { PairsQuestion } from './question.ts';
import { linked, type Shape } from './shape.ts';
import { sentence, sentenceCase } from './words.ts';

/** Two numbers of each row: a circle is one row, and leads to it. */
export const circles: MarkKind = {
  title: 'circles',
  fits: ({ xy }) => xy?.found.of === 'rows',
  draw: (question) => drawCircles(question as PairsQuestion),
};

const RADIUS = 4.5;

function drawCircles(question: PairsQuestion): Drawn {
  const empty = emptyPairs(question);
  if (empty !== undefined) return empty;
  const { known, xy, linkOf } = question;
  const { language, noun } = known;
  const { say } = language;
  const points = pointsOf(xy.rows, question);
  const pairs = pairsOf(
    question,
    { x: points.map(({ x }) => x), y: points.map(({ y }) => y) },
    points,
  );
  const { x, y } = pairs;
  const listed = points
    .toSorted((a, b) => b.y - a.y)
    .map((point) => ({ ...point, ...linked(linkOf(point.row)) }));
  const said = (point: { readonly x: number; readonly y: number }) =>
    `${y.field.title} ${y.said(point.y)}, ${x.field.title} ${x.said(point.x)}`;
  const hasNames = points.some(({ name }) => name !== '');
  return {
    title: pairsTitle(question),
    extent: say('a circle each'),
    form: say('Circles'),
    caption: [
      ...pairsCaption(pairs),
      sentence(language, 'Each circle is one of the {noun}, and leads to it.', { noun }),
    ],
    picture: {
      layout: 'plot',
      look: 'pairs',
      shapes: [
        ...shapesUnder(pairs),
        {
          shape: 'link',
          look: 'points',
          shapes: listed.map(
            ({ name, href, ...point }): Shape => ({
              ...{ shape: 'link', title: name === '' ? said(point) : `${name}: ${said(point)}` },
              ...linked(href),
              shapes: [
                {
                  ...{ shape: 'circle', look: 'dot thin', radius: RADIUS },
                  ...{ x: x.at(point.x), y: 1 - y.at(point.y) },
                },
              ],
            }),
          ),
        },
        ...shapesOver(pairs),
      ],
      readouts: [],
    },
    marks: listed.map(({ name, href, ...point }) => ({
      ...{ name: name === '' ? said(point) : name, numbers: [point.x, point.y] },
      ...linked(href),
    })),
    numbers: {
      heads: [
        ...(hasNames ? [{ title: sentenceCase(noun) }] : []),
        { title: y.field.title, isNumber: true },
        { title: x.field.title, isNumber: true },
      ],
      rows: listed.map(({ name, href, ...point }) => ({
        cells: [...(hasNames ? [name] : []), y.numbers.whole(point.y), x.numbers.whole(point.x)],
        ...linked(href),
      })),
    },
  };
}
