import { setApart } from '../text/wording.ts';
import { countIn, fewerPoints, isOfValues, othersOf } from './arranged-lines.ts';
import { axisOf, axisSentences } from './axis-kinds.ts';
import { drawLines } from './line.ts';
import { ofMany, quietSentences } from './line-words.ts';
import { type MarkKind, MOST_PLOTS } from './mark.ts';
import type { GroupsQuestion } from './question.ts';
import { isTold, keysIn, type Lines, type Series, timeOf, writingOf } from './series.ts';
import { clipped, type Picture, type Shape } from './shape.ts';
import { sentence, unitText, type Words } from './words.ts';

/** A small plot for each line, all with one axis: for more lines than colours can tell apart. */
export const plots: MarkKind = {
  title: 'small plots',
  of: 'time',
  showsOthers: true,
  fits: (question) => {
    const count = countIn(question) ?? 0;
    const { other } = (count > 1 && timeOf(question as GroupsQuestion)) || {};
    return isOfValues(other) && count <= MOST_PLOTS;
  },
  fewer: fewerPoints,
  draw: (question) =>
    drawLines(question as GroupsQuestion, {
      arranged: (question, { panels: [panel], time, extent }) => {
        const { measure, series } = panel as NonNullable<typeof panel>;
        const quiet = othersOf(question, { time, extent }, series);
        return { panels: [{ question, measure, time, series, quiet, extent }], earlier: 0 };
      },
      said: ([lines]) => sentencesOf(lines as Lines),
      picture: ([lines]) => pictureOf(lines as Lines),
    }),
};

function sentencesOf(lines: Lines): Words[] {
  const numbers = writingOf(lines);
  const { language } = numbers;
  return [
    sentence(language, 'Each is drawn for itself, all with one axis.'),
    ...ofMany(lines, numbers),
    ...axisSentences(lines),
    ...quietSentences(lines),
  ];
}

function pictureOf(lines: Lines): Picture {
  const { question, measure, time, series, quiet } = lines;
  const { periods, other } = time;
  const numbers = writingOf(lines);
  const axis = axisOf(lines);
  const keys = keysIn([...series, ...quiet]);
  const [first = 0, last = 0] = [keys[0], keys.at(-1)];
  const [from, to] = [periods.beginOf(first), periods.beginOf(last)];
  const x = (key: number) => (from === to ? 0.5 : (periods.beginOf(key) - from) / (to - from));
  const placesOf = ({ points }: Series) =>
    points.map(({ key, value }) => (value === null ? null : ([x(key), axis.at(value)] as const)));
  const { domain, ticks } = axis;
  const { texts, unit: word } = numbers.ticks(ticks);
  const unit = [word, unitText(measure, question)].filter((one) => one !== undefined).join(' ');
  const grid = ticks.map((tick): Shape => {
    const y = axis.at(tick);
    return { shape: 'line', look: tick === 0 ? 'base' : 'grid', x: [0, 1], y: [y, y] };
  });
  const ends = [0, ticks.length - 1].map((i): Shape => {
    const down = i === 0 ? -0.35 : 1.1;
    const y = axis.at(ticks[i] ?? domain[0]);
    return {
      shape: 'text',
      look: 'tick note',
      x: [0, 2],
      y,
      down,
      runs: [{ text: texts[i] ?? '' }],
    };
  });
  return {
    layout: 'plots',
    unit,
    shapes: grid,
    quiet: clipped(quiet.flatMap((one) => [...placesOf(one), null])),
    ends: [periods.short(first), periods.short(last)],
    plots: series.map((one) => {
      const told = one.points.filter(isTold);
      const [begin, end] = [told[0], told.at(-1)];
      const said = [...new Set([begin, end])].flatMap((point) =>
        point === undefined ? [] : [`${numbers.spoken(point.value)} ${periods.when(point.key)}`],
      );
      const { value } = one;
      return {
        name: one.name,
        value: end === undefined ? '–' : numbers.aligned(end.value),
        title: `${setApart(one.name)}: ${said.join(', ')}`,
        href:
          value === undefined || other === undefined
            ? undefined
            : question.linkOf({ [other.column.name]: value }),
        points: placesOf(one),
        labels: ends,
      };
    }),
  };
}
