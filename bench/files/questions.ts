import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { oneOf, seededRandom, wholeNumber } from '../data/seeded-random.ts';

export const QUESTIONS = ['open', 'count', 'sum by group', 'one day', 'join', 'geometry'] as const;

/** What a tool is asked. */
export type Asked = {
  readonly question: (typeof QUESTIONS)[number];
  /** The address of blocks. */
  readonly blocks: string;
  readonly day: string;
  readonly box: Box;
};

type Box = readonly [west: number, south: number, east: number, north: number];

export type Found = { readonly answer: unknown; readonly seconds: number };

/** Between two places, so that it does not matter whether a border is a part of it. */
const BOX: Box = [-74.0000005, 40.6500005, -73.9000005, 40.7500005];
const FIRST_DAY = Date.parse('2015-01-01T00:00:00Z');
const DAYS = 3652;

const named = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name} ${String(i).padStart(4, '0')}`);
const HEADER =
  'number,day,closed,agency,kind,borough,status,district,street,units,amount,longitude,latitude';

/**
 * Writes two tables as CSV: requests of a city in the order of their days, as cities publish them, and
 * their districts. Returns the day and the box that are asked for, and the right answers. With `letters`,
 * each street has as many more, so that few rows make a long file.
 */
export async function writeTables(folder: string, count: number, letters = 0) {
  const random = seededRandom(count);
  const [agencies, kinds] = [named('agency', 12), named('kind', 35)];
  const boroughs = named('borough', 5);
  const regions = named('region', 7);
  const districts = named('district', 1280);
  const regionOf = new Map(districts.map((district, i) => [district, regions[i % 7] as string]));
  const lines = [...regionOf].map(([district, region], i) => `${district},${region},${i * 37}`);
  const files = ['requests', 'districts'].map((name) => path.join(folder, `${name}.csv`));
  await writeFile(files[1] as string, `district,region,residents\n${lines.join('\n')}\n`);
  const places = Array.from({ length: 1000 }, (_, i) => ({
    street: `${i} Street ${i % 89}`,
    longitude: Math.round((-74.2 + 0.5 * random()) * 1e6) / 1e6,
    latitude: Math.round((40.5 + 0.4 * random()) * 1e6) / 1e6,
  }));
  const dayAt = (day: number) => new Date(FIRST_DAY + day * 86_400_000).toISOString().slice(0, 10);
  const day = dayAt(DAYS / 2);
  const [units, byRegion] = [new Map<string, number>(), new Map<string, number>()];
  const add = (sums: Map<string, number>, key: string, value: number) =>
    sums.set(key, (sums.get(key) ?? 0) + value);
  const letter = () => String.fromCharCode(97 + Math.floor(26 * random()));
  const more = () => Array.from({ length: letters }, letter).join('');
  let [ofDay, inBox] = [0, 0];
  const out = createWriteStream(files[0] as string);
  out.write(`${HEADER}\n`);
  for (let i = 0; i < count; i++) {
    const at = Math.floor((i * DAYS) / count);
    const { street, longitude, latitude } = oneOf(random, places);
    const [agency, district] = [oneOf(random, agencies), oneOf(random, districts)];
    const unit = wholeNumber(random, 0, 9);
    const cells = [
      ...[i, dayAt(at), random() < 0.1 ? '' : dayAt(at + wholeNumber(random, 1, 30)), agency],
      ...[kinds[Math.floor(35 * random() ** 2)], oneOf(random, boroughs)],
      ...[random() < 0.9 ? 'closed' : 'open', district, street + more(), unit],
      ...[(wholeNumber(random, 1, 400) / 4).toFixed(2), longitude, latitude],
    ];
    if (!out.write(`${cells.join()}\n`)) await once(out, 'drain');
    add(units, agency, unit);
    add(byRegion, regionOf.get(district) as string, 1);
    if (dayAt(at) === day) ofDay += unit;
    const [west, south, east, north] = BOX;
    if (longitude > west && longitude < east && latitude > south && latitude < north) inBox++;
  }
  out.end();
  await once(out, 'finish');
  const sorted = (sums: Map<string, number>) => [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  const answers: Record<Asked['question'], unknown> = {
    // The place, too, is a column.
    open: HEADER.split(',').length + 1,
    count,
    'sum by group': sorted(units),
    'one day': ofDay,
    join: sorted(byRegion),
    geometry: inBox,
  };
  return { files, asked: { day, box: BOX }, answers };
}
