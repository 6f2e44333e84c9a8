import type { Dimension, Measure } from '../block/grouping.ts';
import type { Row } from '../values/field-type.ts';
import { classesOf } from './classes.ts';
import { groundOf, sizeOf } from './ground.ts';
import { type Drawn, EMPTY, type MarkKind, MOST_MARKS } from './mark.ts';
import { countText, numberWords } from './numbers.ts';
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
  sentenceCase,
  titleOf,
  unitText,
  words,
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
  const dimension = answer.grouping.dimensions[0] as Dimension;
  const measure = drawnMeasure(question) as Measure;
  const shapes = known.map?.kind === 'regions' ? known.map.shapes : {};
  const title = titleOf(measure, question);
  const placed = answer.groups.flatMap((group) => {
    const name = valueIn(group, dimension);
    const value = numberIn(group, measure);
    return isNamed(shapes, name) && value !== null ? [{ name, value, group }] : [];
  });
  if (placed.length === 0) return { ...EMPTY, title, caption: [noValues(question)] };
  const values = placed.map(({ value }) => value);
  const numbers = numberWords({ field: measure.column, values, isShare: isShare(measure) });
  const classes = classesOf(values, numbers);
  const ground = groundOf(question, []);
  const byName = new Map(placed.map((one) => [one.name, one]));
  const names = Object.keys(shapes).slice(0, MOST_MARKS);
  const unseen = Object.keys(shapes).length - names.length;
  const elsewhere = answer.groups.filter((group) => !isNamed(shapes, valueIn(group, dimension)));
  const empty = names.filter((name) => !byName.has(name)).length;
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
  return {
    ...{ title, form: 'Map', marks, extent: `in ${countText(placed.length)} areas` },
    ...(unit === undefined ? {} : { keyUnit: unit }),
    key: [...classes.key, ...(empty > 0 ? [{ look: 'area', text: 'no number' }] : [])],
    caption: [
      words(
        `${most.name} has the most, `,
        say(most),
        `, ${least.name} the least, `,
        say(least),
        '.',
      ),
      ...(empty === 0
        ? []
        : [
            words(
              empty === 1 ? '1 area has no number.' : `${countText(empty)} areas have no number.`,
            ),
          ]),
      ...(elsewhere.length === 0 ? [] : [words(elsewhereText(elsewhere, dimension, question))]),
      ...(unseen > 0 ? [words(`${countText(unseen)} more areas are not drawn.`)] : []),
      ...(more > 0 ? [words(`${countText(more)} more groups are not on it.`)] : []),
      ...countsSentence(measure, question),
    ],
    picture: {
      ...{ layout: 'map', ...sizeOf(ground) },
      shapes: names.map((name): Shape => {
        const found = byName.get(name);
        const look = found === undefined ? 'area' : `area ${classes.lookOf(found.value)}`;
        return {
          shape: 'link',
          title:
            found === undefined ? `${name}: no number` : `${name}: ${numbers.short(found.value)}`,
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
function elsewhereText(groups: readonly Row[], dimension: Dimension, question: Question): string {
  const sum = groups.reduce((all, group) => all + (rowsIn(group) ?? 0), 0);
  const of = sum > 0 ? ` (${rowsText(sum, question)})` : '';
  const [only] = groups;
  if (only === undefined || groups.length > 1) {
    return `${countText(groups.length)} groups${of} are not on the map.`;
  }
  return `“${nameOf(valueIn(only, dimension), dimension)}”${of} is not on the map.`;
}
