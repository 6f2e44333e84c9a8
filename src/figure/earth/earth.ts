import { geoCircle } from 'd3-geo';
import type { MapDrawing } from '../../block/manifest.ts';
import type { Language } from '../../languages/language.ts';
import {
  type Earth,
  type Ground,
  lengthText,
  METRES_PER_DEGREE,
  type Place,
  type Rect,
  roundBelow,
} from '../ground.ts';
import type { Box, Shape } from '../shape.ts';
import { isOver, namesOn } from './names.ts';
import { hasPlace, type Layer, layerOf, piecesIn } from './outlines.ts';
import { pathOf } from './path.ts';
import {
  clippedTo,
  kindOf,
  meshOf,
  type Projection,
  partOf,
  regionOf,
  spherePath,
  unitedStates,
  WIDTH,
  worldAround,
} from './projections.ts';
import { roadsOf, streetNames, streetsOn } from './streets.ts';

// A deployment has this file and all that it needs in one of its own.
export { drawPart } from './area-part.ts';

/**
 * The earth below a map: its land, borders and names. It is loaded when a map is drawn that has no
 * outline of its publisher.
 */
export const earth: Earth = {
  groundOf: ({ box, isOfUs, places, addresses, map, language }) => {
    const kept = wholeOf({ box, isOfUs, places });
    const projection = kept?.projection ?? regionOf(box);
    return groundOn(projection, { addresses, map, language, land: kept?.land });
  },
};

/** A map that is the same for every block, with its land. */
type Whole = { readonly projection: Projection; readonly land: readonly Shape[] };

/** The whole maps: of the United States, and of the world around one of its middles. */
const wholes = new Map<string, Whole>();

/** The map of the world or of the United States. Undefined if a part of these is asked for. */
function wholeOf({ box, isOfUs, places }: Pick<Asked, 'box' | 'isOfUs' | 'places'>) {
  if (isOfUs !== true && kindOf(box) === 'region') return undefined;
  const middle = isOfUs === true ? undefined : middleOf(places);
  const known = wholes.get(`${middle}`);
  if (known !== undefined) return known;
  const projection = middle === undefined ? unitedStates() : worldAround(middle);
  const whole = { projection, land: landOn(projection) };
  wholes.set(`${middle}`, whole);
  return whole;
}

/** Layers are read when they are first drawn; they never change. */
const layers = new Map<Parameters<typeof layerOf>[0], Layer>();

function layer(name: Parameters<typeof layerOf>[0]): Layer {
  const known = layers.get(name);
  if (known !== undefined) return known;
  const read = layerOf(name);
  layers.set(name, read);
  return read;
}

/** The world is cut here or there: where fewer places lie. */
const CUTS = [180, -30] as const;
/** The degrees within which a place is near a cut. */
const NEAR_CUT = 20;

function middleOf(places: readonly Place[]): number {
  const near = CUTS.map(
    (cut) =>
      places.filter(([longitude]) => {
        const apart = Math.abs(longitude - cut) % 360;
        return Math.min(apart, 360 - apart) < NEAR_CUT;
      }).length,
  ) as [number, number];
  return near[1] < near[0] ? 150 : 0;
}

/** A frame that is narrower shows streets, not land: the outlines are coarser than that. */
const LEAST_LAND = 300_000;

/** What is wider, as an angle, is drawn with the outlines of the world. */
const MOST_NEAR = 0.65;

type Asked = Parameters<Earth['groundOf']>[0];

type OfBlock = Omit<Asked, 'box' | 'isOfUs' | 'places'> & { readonly land?: readonly Shape[] };

function groundOn(projection: Projection, { addresses, map, language, land }: OfBlock): Ground {
  const { kind, width, height, ratio, d3, unitsPerMetre, box } = projection;
  const isCity = kind === 'region' && width / unitsPerMetre < LEAST_LAND;
  const streets = isCity ? streetsOn(projection, addresses) : [];
  const ofStreets =
    streets.length === 0 ? undefined : language.say('Streets run where this block’s addresses lie');
  const ring = (at: Place, metres: number): Shape => ({
    shape: 'area',
    look: 'ring',
    path: pathOf(
      geoCircle()
        .center([...at])
        .radius(metres / METRES_PER_DEGREE)(),
      d3,
    ),
  });
  return {
    width,
    height,
    ratio,
    box,
    kind: isCity ? 'city' : kind,
    at: projection.at,
    mesh: meshOf(projection),
    spot: (x, y) => ({ x: x / width, y: y / height }),
    pixelsPerMetre: unitsPerMetre,
    areaAt: isCity ? undefined : (...place) => areaAt(projection, place, language),
    scaleAt: (_, latitude) => (kind === 'us' && latitude > ALASKA ? ALASKA_SCALE : 1),
    ring,
    under: () => (isCity ? roadsOf(streets) : (land ?? landOn(projection))),
    over: (taken) => [
      ...(isCity
        ? streetNames(streets, projection, taken)
        : namesOn(projection, namedOn(projection), taken, language)),
      ...(kind === 'world' ? [] : scaleBar(projection, taken, language)),
    ],
    part: (rect) => (kind === 'us' && rect[2] - rect[0] > width ? WORLD : partOf(projection, rect)),
    note: isCutInAtlantic(projection)
      ? 'It is cut at 30° W, where few of these rows lie.'
      : undefined,
    credit: isCity ? ofStreets : creditOf(projection, language),
    // A city is so small that its map is as good as linear.
    transform: isCity && map !== undefined ? linear(map, projection) : undefined,
  };
}

/** Moves a path of a block's drawing onto a map of a city. */
function linear(map: MapDrawing, { d3, box: [west, south, east, north] }: Projection): string {
  const at = (longitude: number, latitude: number) => d3([longitude, latitude]) ?? [0, 0];
  // The drawing may be a turn of the earth away from the frame.
  const turn = 360 * Math.round(((west + east) / 2 - (map.west + map.east) / 2) / 360);
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  const [across, down] = [(map.east - map.west) / map.width, (map.north - map.south) / map.height];
  const middle = at(x, y);
  const unit = 10;
  const right = at(x + unit * across, y).map((one, i) => (one - (middle[i] as number)) / unit);
  const below = at(x, y - unit * down).map((one, i) => (one - (middle[i] as number)) / unit);
  const [u, v] = [(x - turn - map.west) / across, (map.north - y) / down];
  const first = middle.map((one, i) => one - u * (right[i] as number) - v * (below[i] as number));
  return `matrix(${[...right, ...below, ...first].map((n) => Number(n.toFixed(4))).join(' ')})`;
}

const WORLD: Box = [-180, -90, 180, 90];

function isCutInAtlantic({ kind, cap }: Projection): boolean {
  return kind === 'world' && cap.centre[0] !== 0;
}

/** Alaska is drawn at about a third of its size. */
const ALASKA = 50;
const ALASKA_SCALE = 0.37;

/** The layers of a map: the land, and whose borders are drawn. */
function layersOf({ kind, cap }: Projection): readonly Layer[] {
  if (kind === 'us') return [layer('states')];
  if (kind === 'world' || cap.radius > MOST_NEAR) return [layer('world')];
  return hasStates({ cap }) ? [layer('near'), layer('states')] : [layer('near')];
}

/** States are drawn where one may be told from the next. */
const MOST_OF_STATES = 0.35;

function hasStates({ cap }: Pick<Projection, 'cap'>): boolean {
  return cap.radius < MOST_OF_STATES && piecesIn(layer('states').land, cap).length > 0;
}

function landOn(projection: Projection): Shape[] {
  const { kind, cap, d3 } = projection;
  const [ground, states] = layersOf(projection) as [Layer, Layer | undefined];
  if (kind === 'region') clippedTo(projection);
  const drawn = (look: string, pieces: Layer['land']): Shape[] => {
    const geometries = piecesIn(pieces, cap).map(({ outline }) => outline);
    const path = pathOf({ type: 'GeometryCollection', geometries }, d3);
    return path === '' ? [] : [{ shape: 'area', look, path }];
  };
  return [
    ...(kind === 'world' ? [{ shape: 'area' as const, look: 'sea', path: spherePath(d3) }] : []),
    ...drawn('earth', ground.land),
    ...drawn('border', ground.borders),
    ...(states === undefined ? [] : drawn('border', states.borders)),
  ];
}

function namedOn(projection: Projection): Layer['named'] {
  const [ground, states] = layersOf(projection) as [Layer, Layer | undefined];
  if (states === undefined) return ground.named;
  return [...states.named, ...ground.named.filter(({ name }) => name !== 'US')];
}

function creditOf(projection: Projection, { say }: Language): string {
  if (projection.kind === 'us') {
    return say('States: US Census Bureau. Alaska at a third of its size');
  }
  return layersOf(projection).length > 1
    ? say('Land and borders: Natural Earth; states: US Census Bureau')
    : say('Land and borders: Natural Earth');
}

/** The longest scale bar, and its room to the sides of a map, in units. */
const MOST_OF_BAR = 170;
const ROOM = 24;

/** A bar of a round length, in the corner with the fewest marks. */
function scaleBar(
  { unitsPerMetre, height }: Projection,
  taken: readonly Rect[],
  language: Language,
): Shape[] {
  const metres = roundBelow(MOST_OF_BAR / unitsPerMetre);
  const long = metres * unitsPerMetre;
  const corners = [
    [ROOM, height - ROOM],
    [WIDTH - ROOM - long, height - ROOM],
    [WIDTH - ROOM - long, 2 * ROOM],
    [ROOM, 2 * ROOM],
  ] as const;
  const cost = ([x, y]: readonly [number, number]) =>
    taken.filter((one) => isOver(one, [x - 20, y - 40, x + long + 20, y + 20])).length;
  const [x, y] = corners.reduce((best, one) => (cost(one) < cost(best) ? one : best));
  const isRight = x > WIDTH / 2;
  return [
    {
      shape: 'line',
      look: 'scale',
      x: [x / WIDTH, (x + long) / WIDTH],
      y: [y / height, y / height],
    },
    {
      shape: 'text',
      look: 'degrees',
      x: (isRight ? x + long : x) / WIDTH,
      y: y / height,
      down: -0.5,
      anchor: isRight ? 'end' : 'start',
      runs: [{ text: lengthText(metres, language) }],
    },
  ];
}

/** The state or country that has a place, as its outlines on this map have it. */
function areaAt(projection: Projection, place: Place, language: Language): string | undefined {
  const [ground, states] = layersOf(projection) as [Layer, Layer | undefined];
  const found = (states && nameIn(states, place)) ?? nameIn(ground, place);
  if (found === undefined || !/^[A-Z]{2}$/.test(found)) return found;
  return new Intl.DisplayNames([language.name], { type: 'region' }).of(found);
}

function nameIn({ areas }: Layer, place: Place): string | undefined {
  return areas().find(({ outline }) => hasPlace(outline.coordinates, place))?.name;
}

/** Whether a place is in the United States, and not off their coasts. */
export function isInUs([longitude, latitude]: Place): boolean {
  if (longitude > -60 || latitude < 15) return false;
  const land = layer('states').land.flatMap(({ outline }) =>
    outline.type === 'Polygon' ? [outline.coordinates] : [],
  );
  return hasPlace(land, [longitude, latitude]);
}
