import type { Dimension, Measure } from '../block/grouping.ts';
import type { Row } from '../values/field-type.ts';
import { classesOf } from './classes.ts';
import { groundOf, sizeOf } from './drawing.ts';
import { type Drawn, emptyFigure, type MarkKind, MOST_MARKS } from './mark.ts';
import { numberWords } from './numbers.ts';
import {
  drawnMeasure,
  type GroupsQuestion,
  isShare,
  nameOf,
  numberIn,
  type Question,
  rowsIn,
  valueIn,
} from './question.ts';
import { linked, type Shape } from './shape.ts';
import {
  countsSentence,
  dimensionTitle,
  measureTitle,
  noValues,
  rowsText,
  sentence,
  sentenceCase,
  titleOf,
  unitText,
  type Words,
} from './words.ts';

/** The areas of a block, shaded by a number of their groups. */
export const regions: MarkKind = {
  title: 'areas on a map',
  fits: ({ answer, known }) => {
    const [dimension, second] = answer?.grouping.dimensions ?? [];
    if (answer === undefined || dimension === undefined || second !== undefined) return false;
    const { map } = known;
    if (map?.kind !== 'regions' || dimension.cells !== undefined) return false;
    return answer.groups.some((group) => isNamed(map.shapes, valueIn(group, dimension)));
  },
  draw: (question) => drawRegions(question as GroupsQuestion),
};

function isNamed(shapes: Readonly<Record<string, string>>, name: unknown): name is string {
  return typeof name === 'string' && Object.hasOwn(shapes, name);
}

function drawRegions(question: GroupsQuestion): Drawn {
  const { answer, known } = question;
  const { language } = known;
  const dimension = answer.grouping.dimensions[0] as Dimension;
  const measure = drawnMeasure(question) as Measure;
  const shapes = known.map?.kind === 'regions' ? known.map.shapes : {};
  const title = titleOf(measure, question);
  const placed = answer.groups.flatMap((group) => {
    const name = valueIn(group, dimension);
    const value = numberIn(group, measure);
    return isNamed(shapes, name) && value !== null ? [{ name, value, group }] : [];
  });
  if (placed.length === 0)
    return { ...emptyFigure(language), title, caption: [noValues(question)] };
  const values = placed.map(({ value }) => value);
  const column = { field: measure.column, values, isShare: isShare(measure) };
  const numbers = numberWords({ language, ...column });
  const classes = classesOf(values, numbers);
  const ground = groundOf(question, []);
  const byName = new Map(placed.map((one) => [one.name, one]));
  const names = Object.keys(shapes).slice(0, MOST_MARKS);
  const unseen = Object.keys(shapes).length - names.length;
  const elsewhere = answer.groups.filter((group) => !isNamed(shapes, valueIn(group, dimension)));
  const blank = new Set(
    answer.groups
      .map((group) => valueIn(group, dimension))
      .filter((name) => !byName.has(`${name}`)),
  );
  const isFiltered = answer.isFiltered === true || answer.matching < known.rows;
  // What the filters leave out has a number, of which they say nothing.
  const isLeftOut = (name: string) => isFiltered && !byName.has(name) && !blank.has(name);
  const leftOut = names.filter(isLeftOut).length;
  const empty = names.filter((name) => !byName.has(name)).length - leftOut;
  const marks = placed
    .toSorted((a, b) => b.value - a.value)
    .map(({ name, value, group }) => ({
      ...{ name, numbers: [value] },
      ...linked(question.linkOf(group)),
    }));
  const [most, least] = [marks[0], marks.at(-1)] as [(typeof marks)[0], (typeof marks)[0]];
  const say = (one: (typeof marks)[0]): [string] => [numbers.spoken(one.numbers[0] as number)];
  const unit = unitText(measure, question);
  const more = answer.total - answer.groups.length;
  const noNumber = language.say('no number');
  const notIn = language.say('not in this filter');
  const unshaded = [...(leftOut > 0 ? [notIn] : []), ...(empty > 0 ? [noNumber] : [])].join(', ');
  return {
    ...{ title, form: language.say('Map'), marks },
    extent: language.say('in {count} areas', { count: placed.length }),
    ...(unit === undefined ? {} : { keyUnit: unit }),
    key: [...classes.key, ...(unshaded === '' ? [] : [{ look: 'area', text: unshaded }])],
    caption: [
      sentence(language, '{name} has the most, {most}, {other} the least, {least}.', {
        ...{ name: most.name, most: say(most), other: least.name, least: say(least) },
      }),
      ...(empty === 0
        ? []
        : [
            empty === 1
              ? sentence(language, '1 area has no number.')
              : sentence(language, '{count} areas have no number.', { count: empty }),
          ]),
      ...(leftOut === 0
        ? []
        : [
            leftOut === 1
              ? sentence(language, '1 area is not in this filter.')
              : sentence(language, '{count} areas are not in this filter.', { count: leftOut }),
          ]),
      ...(elsewhere.length === 0 ? [] : [elsewhereSentence(elsewhere, dimension, question)]),
      ...(unseen > 0
        ? [sentence(language, '{count} more areas are not drawn.', { count: unseen })]
        : []),
      ...(more > 0
        ? [sentence(language, '{count} more groups are not on it.', { count: more })]
        : []),
      ...countsSentence(measure, question),
    ],
    picture: {
      ...{ layout: 'map', ...sizeOf(ground) },
      shapes: names.map((name): Shape => {
        const found = byName.get(name);
        const look = found === undefined ? 'area' : `area ${classes.lookOf(found.value)}`;
        return {
          shape: 'link',
          title: `${name}: ${found === undefined ? (isLeftOut(name) ? notIn : noNumber) : numbers.short(found.value)}`,
          ...linked(found && question.linkOf(found.group)),
          shapes: [
            { shape: 'area', look, path: shapes[name] as string, transform: ground.transform },
          ],
        };
      }),
    },
    numbers: {
      heads: [
        { title: sentenceCase(dimensionTitle(dimension, question)) },
        { title: measureTitle(measure, question), isNumber: true },
      ],
      rows: marks.map(({ name, numbers: [value = 0], ...link }) => ({
        cells: [name, numbers.whole(value)],
        ...link,
      })),
    },
  };
}

/** Groups that have no area, with their rows if these are known. */
function elsewhereSentence(
  groups: readonly Row[],
  dimension: Dimension,
  question: Question,
): Words {
  const { language } = question.known;
  const sum = groups.reduce((all, group) => all + (rowsIn(group) ?? 0), 0);
  const rows = sum > 0 ? ` (${rowsText(sum, question)})` : '';
  const [only] = groups;
  if (only === undefined || groups.length > 1) {
    return sentence(language, '{count} groups{rows} are not on the map.', {
      ...{ count: groups.length, rows },
    });
  }
  const name = nameOf(valueIn(only, dimension), dimension, language);
  return sentence(language, '“{name}”{rows} is not on the map.', { name, rows });
}
