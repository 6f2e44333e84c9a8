import { setApart } from '../text/wording.ts';
import type { Drawn, MarkKind } from './mark.ts';
import { drawnPairs, emptyPairs, type PairMark, pairsOf, pointsOf } from './pairs.ts';
import type { PairsQuestion } from './question.ts';
import { sentence, sentenceCase } from './words.ts';

/** Two numbers of each row: a circle is one row, and leads to it. */
export const circles: MarkKind = {
  title: 'circles',
  of: 'points',
  draw: (question) =>
    emptyPairs(question as PairsQuestion) ?? drawCircles(question as PairsQuestion),
};

const RADIUS = 4.5;

function drawCircles(question: PairsQuestion): Drawn {
  const { known, xy, linkOf } = question;
  const { language, noun } = known;
  const points = pointsOf(xy.rows, question);
  const numbers = { x: points.map(({ x }) => x), y: points.map(({ y }) => y) };
  const pairs = pairsOf(question, numbers, points);
  const { x, y } = pairs;
  const hasNames = points.some(({ name }) => name !== '');
  const marks = points
    .toSorted((a, b) => b.y - a.y)
    .map((point): PairMark => {
      const both = `${setApart(y.field.title)} ${y.said(point.y)}, ${setApart(x.field.title)} ${x.said(point.x)}`;
      const isNamed = point.name !== '';
      return {
        name: isNamed ? point.name : undefined,
        said: isNamed ? `${setApart(point.name)}: ${both}` : both,
        numbers: [point.x, point.y],
        href: linkOf(point.row),
        shape: {
          shape: 'circle',
          look: 'dot thin',
          radius: RADIUS,
          x: x.at(point.x),
          y: 1 - y.at(point.y),
        },
        cells: [
          ...(hasNames ? [point.name] : []),
          y.numbers.whole(point.y),
          x.numbers.whole(point.x),
        ],
      };
    });
  return drawnPairs(pairs, marks, {
    form: language.say('Circles'),
    extent: language.say('a circle each'),
    look: 'points',
    kind: sentence(language, 'Each circle is one of the {noun}, and leads to it.', { noun }),
    heads: [
      ...(hasNames ? [{ title: sentenceCase(noun) }] : []),
      { title: y.field.title, isNumber: true },
      { title: x.field.title, isNumber: true },
    ],
  });
}
