import type { Dimension, Measure } from '../block/grouping.ts';
import type { Language } from '../languages/language.ts';
import type { Row } from '../values/field-type.ts';
import { type AreaMap, areaMapOf } from './area-map.ts';
import { classesOf } from './classes.ts';
import { endsSentences } from './ends-words.ts';
import { greatestAloud } from './map-words.ts';
import { type Drawn, emptyFigure, type MarkKind, MOST_MARKS } from './mark.ts';
import { mergedPath } from './merged-paths.ts';
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
import { cutName, type Shape } from './shape.ts';
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
  of: 'areas',
  fits: (question) => {
    const { answer } = question;
    const [dimension] = answer?.grouping.dimensions ?? [];
    if (answer === undefined || dimension === undefined) return false;
    const map = areaMapOf(question, dimension);
    return map !== undefined && answer.groups.some((group) => map.find(valueIn(group, dimension)));
  },
  draw: (question) => drawRegions(question as GroupsQuestion),
};

function drawRegions(question: GroupsQuestion): Drawn {
  const { answer, known } = question;
  const { language } = known;
  const dimension = answer.grouping.dimensions[0] as Dimension;
  const measure = drawnMeasure(question) as Measure;
  const map = areaMapOf(question, dimension) as AreaMap;
  const title = titleOf(measure, question);
  const { shaded, divided } = areasOf(question, map);
  if (shaded.length === 0)
    return { ...emptyFigure(language), title, caption: [noValues(question)] };
  const values = shaded.map(({ value }) => value);
  const column = { field: measure.column, values, isShare: isShare(measure) };
  const numbers = numberWords({ language, ...column });
  const classes = classesOf(values, numbers);
  const byArea = new Map(shaded.map((one) => [one.area, one]));
  const all = Object.keys(map.shapes);
  const areas = map.isKnown ? all : all.slice(0, MOST_MARKS);
  const elsewhere = answer.groups
    .filter((group) => !map.find(valueIn(group, dimension)))
    .toSorted((a, b) => (rowsIn(b) ?? 0) - (rowsIn(a) ?? 0));
  const areJoined = map.isKnown === true && areas.length > MOST_LINKED;
  const blank = new Set(
    answer.groups.flatMap((group) => {
      const area = map.find(valueIn(group, dimension));
      return area === undefined || byArea.has(area) ? [] : [area];
    }),
  );
  const isFiltered = answer.isFiltered === true || answer.matching < known.rows;
  // What the filters leave out has a number, of which they say nothing.
  const isLeftOut = (area: string) =>
    isFiltered && !byArea.has(area) && !blank.has(area) && map.hasRows(area);
  const leftOut = areas.filter(isLeftOut).length;
  const empty = areas.filter((area) => !byArea.has(area) && !isLeftOut(area));
  const sorted = shaded.toSorted((a, b) => b.value - a.value);
  // Shades and numbers are of all areas: they do not change when the map is moved.
  const inside = sorted.filter(({ area }) => !map.isOutside(area));
  const outside = sorted.filter(({ area }) => map.isOutside(area)).flatMap(({ groups }) => groups);
  const marks = sorted.map(({ area, value, groups }) => {
    const name = map.nameOf(area, groups, dimension);
    return { name, numbers: [value], href: linkTo(groups, question) };
  });
  const unit = unitText(measure, question);
  const noNumber = language.say('no number');
  const notIn = language.say('not in this filter');
  const unshaded = [...(leftOut > 0 ? [notIn] : []), ...(empty.length > 0 ? [noNumber] : [])].join(
    ', ',
  );
  const shapeOf = (area: string): Shape => {
    const found = byArea.get(area);
    const look = found === undefined ? 'area bare' : `area ${classes.lookOf(found.value)}`;
    const name = map.nameOf(area, found?.groups ?? [], dimension);
    const number = found === undefined ? undefined : numbers.short(found.value);
    return {
      shape: 'link',
      title: `${name}: ${number ?? (isLeftOut(area) ? notIn : noNumber)}`,
      href: found && linkTo(found.groups, question),
      shapes: [{ shape: 'area', look, path: map.shapes[area] as string, transform: map.transform }],
    };
  };
  return {
    title,
    form: language.say('Map'),
    marks,
    aloud: greatestAloud(
      inside.map(({ area, value, groups }) => ({
        name: map.nameOf(area, groups, dimension),
        text: numbers.short(value),
      })),
      language,
    ),
    extent: language.say('in {count} areas', { count: shaded.length }),
    keyUnit: unit,
    key: [...classes.key, ...(unshaded === '' ? [] : [{ look: 'area bare', text: unshaded }])],
    caption: [
      ...endsSentences(
        marks.map(({ name }, i) => ({ name, value: (sorted[i] as Shaded).value })),
        numbers,
      ),
      ...outsideSentence(shaded.length - inside.length, outside, question),
      ...missingSentences(
        {
          divided,
          empty: empty.map((area) => map.nameOf(area, [], dimension)),
          leftOut,
          elsewhere,
          unseen: all.length - areas.length,
        },
        question,
      ),
      ...(areJoined
        ? [sentence(language, 'Neighbouring areas of one shade are drawn as one.')]
        : []),
      ...countsSentence(measure, question),
    ],
    picture: {
      layout: 'map',
      ...map.size,
      hasOutside: outside.length > 0,
      shapes: [
        ...pathOf(map.under, 'sea'),
        ...(areJoined ? joined(areas.map(shapeOf)) : areas.map(shapeOf)),
        ...pathOf(map.over, 'border'),
      ],
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

/** Areas that lead to their rows. Of more, those of a shade are one shape: a page has no room for each. */
const MOST_LINKED = 500;

/** Areas of one look as one path. */
function joined(shapes: readonly Shape[]): Shape[] {
  const paths = new Map<string, string[]>();
  for (const shape of shapes) {
    for (const one of shape.shape === 'link' ? shape.shapes : []) {
      if (one.shape !== 'area') continue;
      const look = `${one.look} fine`;
      const known = paths.get(look);
      if (known === undefined) paths.set(look, [one.path]);
      else known.push(one.path);
    }
  }
  return Array.from(paths, ([look, all]) => ({ shape: 'area', look, path: mergedPath(all) }));
}

function pathOf(path: string | undefined, look: string): Shape[] {
  return path === undefined ? [] : [{ shape: 'area', look, path }];
}

/** The groups of an area and their number. */
type Shaded = { readonly area: string; readonly value: number; readonly groups: readonly Row[] };

/** If two names mean an area, these measures of both add up to that of the area. */
const ADDED: readonly Measure['of'][] = ['count', 'sum', 'share:count', 'share:sum'];

/** The areas that have a number; `divided` have several names whose numbers do not add up. */
function areasOf(
  { answer }: GroupsQuestion,
  map: AreaMap,
): { readonly shaded: readonly Shaded[]; readonly divided: readonly string[] } {
  const dimension = answer.grouping.dimensions[0] as Dimension;
  const measure = drawnMeasure({ answer }) as Measure;
  const byArea = new Map<string, { readonly value: number; readonly group: Row }[]>();
  for (const group of answer.groups) {
    const area = map.find(valueIn(group, dimension));
    const value = numberIn(group, measure);
    if (area === undefined || value === null) continue;
    byArea.set(area, [...(byArea.get(area) ?? []), { value, group }]);
  }
  const isShaded = (ofArea: readonly unknown[]) =>
    ofArea.length === 1 || ADDED.includes(measure.of);
  return {
    shaded: [...byArea].flatMap(([area, ofArea]): Shaded[] => {
      if (!isShaded(ofArea)) return [];
      const value = ofArea.reduce((sum, one) => sum + one.value, 0);
      return [{ area, value, groups: ofArea.map(({ group }) => group) }];
    }),
    divided: [...byArea].flatMap(([area, ofArea]) =>
      isShaded(ofArea) ? [] : [map.nameOf(area, [], dimension)],
    ),
  };
}

/** The rows of an area; those of several names have no address. */
function linkTo([group, second]: readonly Row[], { linkOf }: Question): string | undefined {
  return group === undefined || second !== undefined ? undefined : linkOf(group);
}

/** What a part of the map does not show. */
function outsideSentence(count: number, groups: readonly Row[], question: Question): Words[] {
  const { language } = question.known;
  const rows = rowsOf(groups, question);
  if (count === 0) return [];
  return [
    count === 1
      ? sentence(language, '1 area{rows} is outside this part of the map.', { rows })
      : sentence(language, '{count} areas{rows} are outside this part of the map.', {
          count,
          rows,
        }),
  ];
}

/** ` (12 rows)`, if the answer says how many these are. */
function rowsOf(groups: readonly Row[], question: Question): string {
  const sum = groups.reduce((all, group) => all + (rowsIn(group) ?? 0), 0);
  return sum > 0 ? ` (${rowsText(sum, question)})` : '';
}

type Missing = {
  readonly divided: readonly string[];
  readonly empty: readonly string[];
  readonly leftOut: number;
  readonly elsewhere: readonly Row[];
  readonly unseen: number;
};

/** What the map does not show. */
function missingSentences(
  { divided, empty, leftOut, elsewhere, unseen }: Missing,
  question: GroupsQuestion,
): Words[] {
  const { answer, known } = question;
  const { language } = known;
  const dimension = answer.grouping.dimensions[0] as Dimension;
  const more = answer.total - answer.groups.length;
  return [
    ...(divided.length === 0
      ? []
      : [
          sentence(language, 'Not shaded, since several names mean it: {names}.', {
            names: listed(divided, language),
          }),
        ]),
    ...(empty.length === 0
      ? []
      : [
          empty.length === 1
            ? sentence(language, '{name} has no number.', { name: empty[0] as string })
            : sentence(language, '{count} areas have no number.', { count: empty.length }),
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
  ];
}

/** Groups that have no area, with their rows if these are known. */
function elsewhereSentence(
  groups: readonly Row[],
  dimension: Dimension,
  question: Question,
): Words {
  const { language } = question.known;
  const rows = rowsOf(groups, question);
  const [only] = groups;
  if (only === undefined || groups.length > 1) {
    const names = groups.map((group) => {
      const words = nameOf(valueIn(group, dimension), dimension, language);
      return language.say('“{words}”', { words: cutName(words, LONGEST_LISTED) });
    });
    return sentence(language, '{count} groups{rows} are not on the map: {names}.', {
      count: groups.length,
      rows,
      names: listed(names, language),
    });
  }
  const name = nameOf(valueIn(only, dimension), dimension, language);
  return sentence(language, '“{name}”{rows} is not on the map.', { name, rows });
}

/** Names in a sentence; of more, how many others there are. */
const MOST_LISTED = 5;

function listed(names: readonly string[], { say }: Language): string {
  const first = names.slice(0, MOST_LISTED);
  const more = names.length - first.length;
  const list = first.join(', ');
  return more === 0 ? list : say('{first} and {count} more', { first: list, count: more });
}

/** Longer names are cut in a sentence; the table has them whole. */
const LONGEST_LISTED = 60;
