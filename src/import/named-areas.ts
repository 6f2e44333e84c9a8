import type { AreaDrawing, AreaKind, ValueCount } from '../block/manifest.ts';
import { type Shape, wound } from '../files/geojson/read-boundaries.ts';
import { simplification, simplifyAreas } from '../files/geojson/simplify-areas.ts';
import { SeedError } from '../files/source-table.ts';
import { type AreaFinder, areaFinder, NOUNS_OF_AREA, US_STATES } from '../recipe/area-names.ts';
import type { BoundariesFile } from '../recipe/recipe.ts';
import { fold } from '../text/fold.ts';
import { numberText, showCell } from '../text/wording.ts';
import type { Boundaries } from '../values/places.ts';
import { drawRegions } from './profile-dataset.ts';

/** Different values of a field that may name areas. The US have 3,231 counties. */
const MOST_VALUES = 20_000;

/** The part of the different values that must name an area, so that a map shows most of a field. */
const LEAST_FOUND = 0.5;

/** Values without an area that are listed. */
const MOST_LISTED = 20;

/** Areas that a field names: the known ones of a kind, or those of the block's file. */
type Asked = {
  readonly field: string;
  readonly boundaries: BoundariesFile;
  readonly lang?: string;
  /** The shapes of the file. */
  readonly own?: Boundaries;
  readonly blockFile: string;
};

/**
 * Draws the areas that the values of a field name, which `rows` counts by value. Throws a SeedError
 * if fewer than half of them name one.
 */
export async function namedAreas(
  { field, boundaries, lang, own, blockFile }: Asked,
  rows: ReadonlyMap<string, number>,
): Promise<{ readonly drawing: AreaDrawing; readonly shapes: Boundaries }> {
  const fault = (reason: string) => new SeedError(blockFile, `"boundaries": ${reason}`);
  if (rows.size > MOST_VALUES) {
    throw fault(`${field} has over ${numberText(MOST_VALUES)} values, which are no areas`);
  }
  const { areas: kind = 'own', within } = boundaries;
  const find = kind === 'own' ? ownFinder(own ?? {}) : await areaFinder(kind, lang);
  const areaOf = new Map<string, string>();
  for (const value of rows.keys()) {
    const area = find(value, within);
    if (area !== undefined) areaOf.set(value, area);
  }
  if (areaOf.size < LEAST_FOUND * rows.size || areaOf.size === 0) {
    const none = [...rows.keys()].filter((value) => !areaOf.has(value)).slice(0, 3);
    const noun = kind === 'own' ? `an area of ${boundaries.file}` : NOUNS_OF_AREA[kind][0];
    throw fault(
      `${numberText(areaOf.size)} of ${numberText(rows.size)} values of ${field} name ${noun}; expected at least half. ${none.map((value) => showCell(value)).join(', ')}: none`,
    );
  }
  const named = new Set(areaOf.values());
  const drawn = await drawingOf(kind, named, own ?? {});
  if (drawn === undefined) throw fault(`${boundaries.file} has no area that can be drawn`);
  const onMap = [...areaOf].filter(([, area]) => Object.hasOwn(drawn.shapes, area));
  const found = new Set(onMap.map(([value]) => value));
  const unfound = [...rows]
    .filter(([value]) => !found.has(value))
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const drawing: AreaDrawing = {
    kind,
    field,
    ...drawn,
    names: kind === 'us-counties' ? countyTitles(drawn.names ?? {}) : undefined,
    areaOf: Object.fromEntries(onMap),
    unfound:
      unfound.length === 0
        ? undefined
        : {
            values: unfound.length,
            rows: unfound.reduce((sum, [, count]) => sum + count, 0),
            first: unfound.slice(0, MOST_LISTED),
          },
  };
  const shapes = kind === 'own' ? held(own ?? {}) : await shapesOf(kind, named);
  return { drawing, shapes };
}

/** Shapes of a file, as many positions as an answer's shapes may have. */
function held(own: Boundaries): Boundaries {
  const { simplifiedTo } = simplification(own);
  return simplifiedTo === undefined ? own : simplifyAreas(own, simplifiedTo);
}

/** Decimals of the degrees of known areas, whose outlines are that coarse: about 100 m. */
const DECIMALS = 3;

/** The shapes of known areas, for GeoJSON. */
async function shapesOf(kind: AreaKind, named: ReadonlySet<string>): Promise<Boundaries> {
  const { outlinesOf } = await import('../figure/earth/draw-areas.ts');
  const rounded = (degrees: number) => Number(degrees.toFixed(DECIMALS));
  return Object.fromEntries(
    outlinesOf(kind, named).map(({ name, outline }) => {
      const polygons = outline.coordinates.map((rings) =>
        rings.map((ring) => ring.map((at) => at.map(rounded) as [number, number])),
      );
      const [only = [], second] = polygons;
      const shape: Shape =
        second === undefined
          ? { type: 'Polygon', coordinates: only }
          : { type: 'MultiPolygon', coordinates: polygons };
      return [name, JSON.stringify(wound(shape))];
    }),
  );
}

/** Counties of several states are called with their state: 30 are Washington. */
function countyTitles(names: Readonly<Record<string, string>>): Record<string, string> {
  const states = new Set(Object.keys(names).map((fips) => fips.slice(0, 2)));
  if (states.size === 1) return names;
  const postalOf = new Map(US_STATES.map(({ fips, postal }) => [fips, postal]));
  return Object.fromEntries(
    Object.entries(names).map(([fips, name]) => {
      return [fips, `${name}, ${postalOf.get(fips.slice(0, 2))}`];
    }),
  );
}

async function drawingOf(
  kind: AreaKind | 'own',
  named: ReadonlySet<string>,
  own: Boundaries,
): Promise<Omit<AreaDrawing, 'kind' | 'field' | 'areaOf' | 'unfound'> | undefined> {
  if (kind !== 'own') {
    const { drawAreas } = await import('../figure/earth/draw-areas.ts');
    return drawAreas(kind, named);
  }
  const drawn = drawRegions(own);
  if (drawn === undefined) return undefined;
  const { width, height, shapes, west, south, east, north } = drawn;
  return { width, height, shapes, frame: [west, south, east, north] };
}

/** Finds an area of a file by its name, or by its folded name if no other one has that. */
function ownFinder(own: Boundaries): AreaFinder {
  const byKey = new Map<string, string | undefined>();
  for (const name of Object.keys(own)) {
    const key = fold(name);
    byKey.set(key, byKey.has(key) ? undefined : name);
  }
  return (value) => (Object.hasOwn(own, value) ? value : byKey.get(fold(value)));
}

/** What is told of values that name no area on the map. */
export function unfoundNote(drawing: AreaDrawing | undefined): string | undefined {
  if (drawing?.unfound === undefined) return undefined;
  const { field, kind, areaOf, unfound } = drawing;
  const { values, rows, first } = unfound;
  const all = Object.keys(areaOf).length + values;
  const listed = first.slice(0, MOST_TOLD).map(said).join(', ');
  const more = values > MOST_TOLD ? ` and ${numberText(values - MOST_TOLD)} more` : '';
  return `${field}: ${numberText(values)} of ${numberText(all)} values, in ${numberText(rows)} ${rows === 1 ? 'row' : 'rows'}, name no area of the map${kind === 'own' ? '' : ` of ${NOUNS_OF_AREA[kind][1]}`}: ${listed}${more}`;
}

/** Of these, those that a line names. */
const MOST_TOLD = 5;

const said = ([value, rows]: ValueCount) => `${showCell(value)} (${numberText(rows)})`;
