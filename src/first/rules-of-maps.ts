import { isFlat } from './first-category.ts';
import { firstNumber } from './first-number.ts';
import { type KnownData, type Opening, pointsOf, whyNoLine } from './known-data.ts';

/** Rules for a first question that is a map: of areas, and of places. */

/** The least share of rows with areas of their own, where rows are areas. */
const ONE_EACH = 0.9;

/** A map of areas, if each row is one, or lies in one and has no time. */
export function areas({ block, rows, fields, time, isAsked }: KnownData): Opening | undefined {
  const { geometry, areaField } = block;
  // Where names are of known areas, a map is one view of them: a page opens with it if asked.
  const named = isAsked && geometry === undefined ? areaField : undefined;
  const name = geometry?.kind === 'regions' ? geometry.region : named;
  const region = fields.find(({ field }) => field.name === name);
  const number = firstNumber(fields, block, 'areas');
  if (region === undefined || region.distinct < 2) return undefined;
  const isOneEach = region.distinct >= ONE_EACH * rows;
  if (isOneEach && number === undefined) return undefined;
  if (!isOneEach && time !== undefined && named === undefined) return undefined;
  const _group = [region.field.name];
  const are = `its rows ${isOneEach ? 'are' : 'lie in'} areas (${region.field.title})`;
  if (number === undefined || !(isOneEach || isFlat(region))) {
    return {
      arguments: { _view: 'map', _group, _measure: ['count'] },
      what: `a map of the number of ${block.noun}`,
      why: `${are}, some in more rows than others`,
    };
  }
  const { field } = number.known;
  return {
    arguments: { _view: 'map', _group, _measure: [`avg:${field.name}`] },
    what: `a map of ${field.title}`,
    why: `${are} and ${field.title} is ${number.why}`,
  };
}

/** A map of a number of known areas, a row each, where no figure before it has a mark for each. */
export function namedAreas(known: KnownData): Opening | undefined {
  const area = known.fields.find(({ field }) => field.name === known.block.areaField);
  const isOneEach = area !== undefined && area.distinct >= ONE_EACH * known.rows;
  return isOneEach ? areas({ ...known, isAsked: true }) : undefined;
}

export function places(known: KnownData): Opening | undefined {
  const points = pointsOf(known);
  if (points === undefined) return undefined;
  const { x, y } = points;
  const has = `its rows have places (${y.field.title} and ${x.field.title})`;
  return {
    arguments: { _view: 'map' },
    what: 'a map',
    why: `${has}${whyNoLine(known)}`,
  };
}
