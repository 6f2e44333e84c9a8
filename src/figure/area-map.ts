import type { Dimension } from '../block/grouping.ts';
import type { AreaDrawing } from '../block/manifest.ts';
import type { Language } from '../languages/language.ts';
import type { Row, Value } from '../values/field-type.ts';
import { groundOf, sizeOf } from './drawing.ts';
import { nameOf, type Question, valueIn } from './question.ts';
import type { Picture } from './shape.ts';

/** The areas of a map, and which of them the values of a field name. */
export type AreaMap = {
  /** The data of an SVG path for each area. */
  readonly shapes: Readonly<Record<string, string>>;
  readonly transform?: string;
  /** What lies below the areas, and above them. */
  readonly under?: string;
  readonly over?: string;
  readonly size: Omit<Extract<Picture, { layout: 'map' }>, 'layout' | 'shapes'>;
  /** Set if these are all areas of a kind, which are bounded, and not those of a file. */
  readonly isKnown?: true;
  find(value: Value): string | undefined;
  /** Whether a known area is outside of the part that this map shows. */
  isOutside(area: string): boolean;
  /** Whether a row of the block, be it filtered out, is in an area. */
  hasRows(area: string): boolean;
  /** How an area is called that has these groups, or none. */
  nameOf(area: string, groups: readonly Row[], dimension: Dimension): string;
};

/** The map whose areas a dimension names. Undefined if there is none. */
export function areaMapOf(question: Question, dimension: Dimension): AreaMap | undefined {
  const { map, areas } = question.known;
  const { cells, part, width, field } = dimension;
  if (cells !== undefined || part !== undefined || width !== undefined) return undefined;
  if (areas?.field === field.name) return namedMap(areas, question);
  if (map?.kind !== 'regions') return undefined;
  const { shapes } = map;
  const ground = groundOf(question, []);
  return {
    shapes,
    transform: ground.transform,
    size: sizeOf(ground),
    find: (value) =>
      typeof value === 'string' && Object.hasOwn(shapes, value) ? value : undefined,
    isOutside: () => false,
    hasRows: () => true,
    nameOf: String,
  };
}

/** A map of areas that a field names: all of them, or those in a part of it. */
function namedMap(drawing: AreaDrawing, question: Question): AreaMap {
  const { kind, shapes, names = {}, areaOf, under, over } = drawing;
  const { language } = question.known;
  const withRows = new Set(Object.values(areaOf));
  const regions = new Intl.DisplayNames([language.name], { type: 'region' });
  const titleOf = (area: string) =>
    kind === 'countries' && /^[A-Z]{2}$/.test(area)
      ? (regions.of(area) ?? area)
      : Object.hasOwn(names, area)
        ? (names[area] as string)
        : area;
  return {
    shapes,
    under,
    over,
    ...sidesOf(drawing, question),
    isKnown: kind === 'own' ? undefined : true,
    isOutside: (area) => !Object.hasOwn(shapes, area),
    find: (value) => {
      const text = value === null ? '' : String(value);
      return Object.hasOwn(areaOf, text) ? areaOf[text] : undefined;
    },
    hasRows: (area) => withRows.has(area),
    nameOf: (area, [group, second], dimension) => {
      const isOne = group !== undefined && second === undefined;
      if (!isOne || kind === 'own') return titleOf(area);
      const name = nameOf(valueIn(group, dimension), dimension, language);
      return CODE.test(name) ? titleOf(area) : name;
    },
  };
}

/** How large a map is, and which parts it leads to. An own one is linear, so that a part of it is moved. */
function sidesOf(drawing: AreaDrawing, question: Question): Pick<AreaMap, 'size' | 'transform'> {
  const { kind, width, height, ratio, shapes, frame, moves, mesh, home = frame } = drawing;
  const { known } = question;
  if (kind !== 'own' || frame === undefined) {
    const credit = creditOf(drawing, known.language);
    return { size: { width, height, ratio, credit, frame, ...moves, mesh, home } };
  }
  const [west, south, east, north] = frame;
  const map = { kind: 'regions' as const, width, height, west, south, east, north, shapes };
  const ground = groundOf({ ...question, known: { ...known, map } }, []);
  return { transform: ground.transform, size: { ...sizeOf(ground), home } };
}

/** Codes of areas say less than their names. */
const CODE = /^(?:[A-Za-z]{2,3}|[\d\p{P}\s]+|\d{7}US\d+)$/u;

/** Whose outlines these are. */
function creditOf({ kind, over, home }: AreaDrawing, { say }: Language): string | undefined {
  if (kind === 'own') return undefined;
  const isPart = home !== undefined;
  if (kind === 'countries') return say('Land and borders: Natural Earth');
  if (kind === 'us-states') {
    return isPart
      ? say('States: US Census Bureau')
      : say('States: US Census Bureau. Alaska at a third of its size');
  }
  return over === undefined || isPart
    ? say('Counties: US Census Bureau')
    : say('Counties: US Census Bureau. Alaska at a third of its size');
}
