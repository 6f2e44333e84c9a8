import { groupingOf } from '../../src/block/grouping.ts';
import type { FieldStatistics, MapDrawing } from '../../src/block/manifest.ts';
import type { TwoNumbersFound } from '../../src/block/two-numbers.ts';
import type { MarkName } from '../../src/block/views.ts';
import { type Figure, figureOf } from '../../src/figure/figure.ts';
import type { Fewer } from '../../src/figure/mark.ts';
import { markOf } from '../../src/figure/marks.ts';
import type {
  GroupsQuestion,
  PairsAnswer,
  PairsQuestion,
  PlacesQuestion,
  Question,
} from '../../src/figure/question.ts';
import type { Link, Shape } from '../../src/figure/shape.ts';
import type { Points } from '../../src/import/profile-dataset.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import type { Language } from '../../src/languages/language.ts';
import type { Row } from '../../src/values/field-type.ts';
import { type Field, typeOf } from '../../src/values/field-types.ts';
import type { Geometry } from '../../src/values/places.ts';
import { naiveGroups } from '../support/naive-groups.ts';

/** Questions about rows that a test has, whose groups a naive reading makes. */

export const FIELDS: readonly Field[] = [
  { type: 'date', name: 'day', title: 'Day' },
  { type: 'datetime', name: 'at', title: 'At', timeZone: 'America/New_York' },
  { type: 'integer', name: 'year', title: 'Year' },
  { type: 'integer', name: 'built', title: 'Built' },
  { type: 'text', name: 'kind', title: 'Kind' },
  { type: 'text', name: 'area', title: 'Area' },
  { type: 'number', name: 'load', title: 'Load', unit: 't' },
  { type: 'number', name: 'lon', title: 'Longitude' },
  { type: 'number', name: 'lat', title: 'Latitude' },
];

export const GEOMETRY: Geometry = { kind: 'points', longitude: 'lon', latitude: 'lat' };

const EMPTY_ROW: Row = Object.fromEntries(FIELDS.map(({ name }) => [name, null]));

export const rowOf = (values: Row): Row => ({ ...EMPTY_ROW, ...values });

/** The day so many days after 1 January 2024. */
export const dayText = (day: number): string =>
  new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);

/** The statistics that the importer would have of these rows. */
function statisticsOf(fields: readonly Field[], rows: readonly Row[]) {
  return Object.fromEntries(
    fields.map((field): [string, FieldStatistics] => {
      const values = rows.map((row) => row[field.name] ?? null);
      const filled = values.filter((value) => value !== null);
      const type = typeOf(field);
      const keys = filled.map((value) => type.keyOf(value, field));
      const numbers = keys.filter((key) => typeof key === 'number').sort((a, b) => a - b);
      const [min, max] = [numbers[0], numbers.at(-1)];
      return [
        field.name,
        {
          ...{ nulls: values.length - filled.length, distinct: new Set(keys).size, bytes: 0 },
          ...(min === undefined || max === undefined ? {} : { min, max }),
        },
      ];
    }),
  );
}

export type Given = {
  readonly _group?: string;
  readonly _measure?: string;
  /** Rows that match the filters, if these are not all. */
  readonly matching?: readonly Row[];
  readonly fields?: readonly Field[];
  readonly map?: MapDrawing;
  readonly language?: Language;
  /** The column that groups are sorted by, the greatest first. */
  readonly sort?: string;
  /** How many groups are listed. */
  readonly limit?: number;
} & Partial<Omit<GroupsQuestion, 'answer' | 'places' | 'known'>>;

const listIn = (text: string) => text.split(',').filter((one) => one !== '');

/** The places of the rows that have one, as an import gives them to a profile. */
export function pointsIn(rows: readonly Row[]): Points {
  const placed = rows.filter(({ lon, lat }) => typeof lon === 'number' && typeof lat === 'number');
  return {
    longitudes: Float64Array.from(placed, ({ lon }) => lon as number),
    latitudes: Float64Array.from(placed, ({ lat }) => lat as number),
  };
}

/** Asks for the groups of some rows, with their counts. */
export function questionOf(rows: readonly Row[], given: Given): GroupsQuestion {
  const { _group = '', _measure = 'count', matching = rows, fields = FIELDS, map } = given;
  const { sort, limit, language, ...more } = given;
  const measures = [...new Set([...listIn(_measure), 'count'])];
  const asked = { _group: listIn(_group), _measure: measures };
  const geometry: Geometry =
    map?.kind === 'regions'
      ? ({ ...GEOMETRY, kind: 'regions', region: 'area' } as Geometry)
      : GEOMETRY;
  const grouping = groupingOf({ fields, geometry }, asked);
  if (grouping === undefined) throw new TypeError('A test asks for groups.');
  const groups = naiveGroups(fields, matching, asked, { longitude: 'lon', latitude: 'lat' });
  const number = (row: Row) => Number(row[sort ?? ''] ?? Number.NEGATIVE_INFINITY);
  const sorted = sort === undefined ? groups : groups.toSorted((a, b) => number(b) - number(a));
  const { matching: _, fields: __, map: ___, _group: ____, _measure: _____, ...options } = more;
  return {
    answer: {
      grouping,
      groups: sorted.slice(0, limit ?? sorted.length),
      total: sorted.length,
      matching: matching.length,
    },
    known: knownOf(rows, fields, map, language),
    linkOf: linkOf,
    ...options,
  };
}

export function knownOf(
  rows: readonly Row[],
  fields: readonly Field[] = FIELDS,
  map?: MapDrawing,
  language = ENGLISH,
): Question['known'] {
  return {
    ...{ language, noun: 'loads', rows: rows.length, fields, version: 'a6400dea481cbd1ecb19' },
    statistics: statisticsOf(fields, rows),
    source: { title: 'Loads', publisher: 'A test' },
    ...(map === undefined ? {} : { map }),
  };
}

/** An address that says what it is of. */
export function linkOf(group: Row, to?: Row): string {
  const text = (row: Row) =>
    Object.entries(row)
      .filter(([name]) => !/^(?:count|avg|sum)/.test(name))
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
  return `?${text(group)}${to === undefined ? '' : `..${text(to)}`}`;
}

/** Asks for the places of rows. */
export function placesOf(
  rows: readonly Row[],
  more: Partial<Omit<PlacesQuestion, 'answer' | 'places'>> = {},
): PlacesQuestion {
  return {
    places: {
      ...{ rows, total: rows.length, nameField: 'kind' },
      geometry: { longitude: 'lon', latitude: 'lat' },
    },
    known: knownOf(rows),
    linkOf,
    ...more,
  };
}

/** Asks for two numbers of rows: of the loads and the years they are from, if no others are named. */
export function pairsOf(
  rows: readonly Row[],
  found: Partial<TwoNumbersFound> = {},
  more: Partial<PairsAnswer> & { readonly language?: Language } = {},
): PairsQuestion {
  const { language = ENGLISH, ...answer } = more;
  const [x, y] = ['load', 'year'].map((name) => FIELDS.find((field) => field.name === name));
  const asked = { x: x as Field, y: y as Field, hasMedians: false };
  const axis = (field: string) => {
    const numbers = (more.named ?? rows).flatMap((row) => row[field] ?? []).map(Number);
    return {
      field,
      scale: 'linear' as const,
      min: Math.min(...numbers),
      max: Math.max(...numbers),
    };
  };
  return {
    xy: {
      ...{ asked, rows, matching: rows.length, nameField: 'kind' },
      found: {
        ...{ of: 'rows', x: axis('load'), y: axis('year'), rows: rows.length, without: 0 },
        ...found,
      },
      ...answer,
    },
    known: knownOf(rows, FIELDS, undefined, language),
    linkOf,
  };
}

/** The figure of a question, which must have one, and what to ask instead for fewer marks. */
export function figure(question: Question, mark?: MarkName): Figure & { readonly fewer?: Fewer } {
  const found = figureOf(question, mark);
  if (found === undefined) throw new TypeError('There is no figure.');
  return { ...found, fewer: markOf(found.mark).fewer?.(question) };
}

export const captionIn = ({ caption }: Figure): string =>
  caption.map((piece) => (typeof piece === 'string' ? piece : piece.bold)).join('');

/** All shapes of a figure, those in links too. */
export function shapesIn({ picture }: Figure): Shape[] {
  if (picture === undefined || picture.layout === 'list') return [];
  const readouts = picture.layout === 'plot' ? picture.readouts : [];
  return flat([...picture.shapes, ...readouts]);
}

function flat(shapes: readonly Shape[]): Shape[] {
  return shapes.flatMap((shape) =>
    shape.shape === 'link' ? [shape, ...flat(shape.shapes)] : [shape],
  );
}

export const ofKind = <Name extends Shape['shape']>(shapes: readonly Shape[], name: Name) =>
  shapes.filter((shape): shape is Extract<Shape, { shape: Name }> => shape.shape === name);

/** The shapes that are seen without pointing at anything. */
export function seenIn(of: Figure): Shape[] {
  const { picture } = of;
  if (picture === undefined || picture.layout === 'list') return [];
  return flat(picture.shapes);
}

export const textsIn = (shapes: readonly Shape[]): string[] =>
  ofKind(shapes, 'text').map(({ runs }) => runs.map(({ text }) => text).join(''));

/** What can be pointed at. */
export const linksIn = (of: Figure): Link[] =>
  ofKind(shapesIn(of), 'link').filter(({ look, title }) => look === 'h' || title !== undefined);
