import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { readDocument, tableOf } from '../docs/markdown.ts';
import { callText, mcpClient } from '../support/mcp-channel.ts';
import { readMembers, readRows } from '../support/mcp-text.ts';
import { type Service, startService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a tool's answer is of any shape
type Any = any;

const asked = tableOf(readDocument('docs/questions.md'), ['question', 'tool', 'arguments']) ?? [];
const questions = asked.map(([question = '', name = '', given = '']) => ({
  question,
  name,
  given: JSON.parse(given.slice(1, -1)),
}));

// The answers are read from the files themselves, and share no code with the blocks.
const recordsOf = (file: string): Record<string, string>[] =>
  parse(readDocument(`seed-data/${file}`), { columns: true });

const businesses = recordsOf('brooklyn-11231-businesses.csv').map((cells) => {
  const { business = '', category = '', type_of_business = '', phone_number } = cells;
  const [, street = '', lat, lon] = /^(.*)\n.*\n\((.*), (.*)\)$/.exec(cells.location_1 ?? '') ?? [];
  const house = /^\d+$/.test(cells.parsed_address ?? '') ? Number(cells.parsed_address) : null;
  const place = [Number(lon), Number(lat)] as const;
  return { business, category, type_of_business, phone_number, street, house, place };
});

/** As `Map.groupBy`, which Node 20 does not have. */
function grouped<T, K>(all: readonly T[], by: (one: T) => K): [K, T[]][] {
  return [...new Set(all.map(by))].map((key) => [key, all.filter((one) => by(one) === key)]);
}

const tracts = recordsOf('baltimore-2010-sf1-tracts.csv');
const neighborhoods = grouped(tracts, ({ neighborhood = '' }) => neighborhood)
  .map(([name, its]) => {
    const sum = (of: (tract: Record<string, string>) => number) =>
      its.reduce((all, tract) => all + of(tract), 0);
    const land = sum(({ land_area_m2 }) => Number(land_area_m2));
    const centre = (axis: string) =>
      sum((tract) => Number(tract[axis]) * Number(tract.land_area_m2)) / land;
    return {
      name,
      people: sum((tract) => Number(tract.total_population)),
      children: sum((tract) => Number(tract['5_to_17'])),
      vacant: sum((tract) => Number(tract.vacant_units)),
      units: sum((tract) => Number(tract.total_units)),
      place: [centre('centerpoint_x'), centre('centerpoint_y')] as const,
    };
  })
  .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));

/** Values and how many have each, in the order of the values. */
function counted(values: readonly string[]): [string, number][] {
  return grouped(values, (value) => value)
    .map(([value, its]): [string, number] => [value, its.length])
    .sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
}

/** Equal counts stay in the order of the values. */
function commonest(values: readonly string[]): [string, number][] {
  return counted(values).sort(([, a], [, b]) => b - a);
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? 0) + (high ?? 0)) / 2;
}

/** By the chord between two points on a sphere, which is another formula than the haversine. */
function metres(a: readonly [number, number], b: readonly [number, number]): number {
  const xyz = ([lon, lat]: readonly [number, number]) => {
    const [l, p] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
    return [Math.cos(p) * Math.cos(l), Math.cos(p) * Math.sin(l), Math.sin(p)] as const;
  };
  const [[x, y, z], [u, v, w]] = [xyz(a), xyz(b)];
  return 2 * 6_371_008.8 * Math.asin(Math.hypot(x - u, y - v, z - w) / 2);
}

function nearest<T extends { readonly place: readonly [number, number] }>(
  rows: readonly T[],
  at: readonly [number, number],
): (T & { readonly _distance: number })[] {
  return rows
    .map((row) => ({ ...row, exact: metres(row.place, at) }))
    .sort((a, b) => a.exact - b.exact)
    .map((row) => ({ ...row, _distance: Math.round(row.exact * 10) / 10 }));
}

const CORNER = [-73.997, 40.68] as const;
const types = businesses.map(({ type_of_business: type }) => type);
const byCategory = counted(businesses.map(({ category }) => category));
const ofCategory = (name: string) => businesses.filter(({ category }) => category === name);
const upTo100 = businesses.filter(({ house }) => house !== null && house <= 100);
const people = neighborhoods.map((one) => one.people);
const sumOf = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const facet = (values: readonly string[]) => ({
  values: commonest(values).map(([value, count]) => ({ value, count })),
  others: 0,
  empty: 0,
});

/** What must be in the answer to each question. */
const ANSWERS: Readonly<Record<string, Any>> = {
  'Which types of business are the most common?': {
    results: commonest(types)
      .slice(0, 5)
      .map(([type_of_business, count]) => ({ type_of_business, count })),
    total: new Set(types).size,
  },
  'How many businesses does each category have, and of how many types?': {
    results: byCategory.map(([category, count]) => ({
      category,
      count,
      distinct_type_of_business: new Set(ofCategory(category).map((one) => one.type_of_business))
        .size,
    })),
  },
  'Which businesses are within 150 m of 40.68 north, 73.997 west?': {
    results: nearest(businesses, CORNER)
      .filter(({ _distance }) => _distance <= 150)
      .map(({ business, _distance }) => ({ business, _distance })),
  },
  'Which three laundries are nearest to there?': {
    results: nearest(
      businesses.filter(({ type_of_business: type }) => type === 'Laundries'),
      CORNER,
    )
      .slice(0, 3)
      .map(({ business, street, _distance }) => ({
        business,
        location_1_location: street,
        _distance,
      })),
  },
  'Which cleaners are on Court Street?': {
    results: businesses
      .filter(({ business, street }) => /\bclean/i.test(business) && /\bcourt\b/i.test(street))
      .map(({ business, street }) => ({ business, location_1_location: street })),
  },
  'Which services are in the box from 74.01 to 74.0 west and from 40.675 to 40.68 north?': {
    results: businesses
      .filter(({ category, place: [lon, lat] }) => {
        return (
          category === 'Services' && lon >= -74.01 && lon <= -74 && lat >= 40.675 && lat <= 40.68
        );
      })
      .map(({ business }) => ({ business })),
  },
  'How many businesses are laundries, or have something to do with tobacco or cigarettes?': {
    results: counted(types.filter((type) => /^laundries$|tobacco|cigarette/i.test(type))).map(
      ([type_of_business, count]) => ({ type_of_business, count }),
    ),
  },
  'How many businesses of each category have no phone number?': {
    results: counted(
      businesses.filter((one) => one.phone_number === '').map(({ category }) => category),
    ).map(([category, count]) => ({ category, count })),
  },
  'How many businesses are not retail?': {
    results: [{ count: businesses.filter(({ category }) => category !== 'Retail').length }],
  },
  'What is there at house numbers up to 100, by category and type?': {
    total: upTo100.length,
    facets: {
      category: facet(upTo100.map(({ category }) => category)),
      type_of_business: facet(upTo100.map((one) => one.type_of_business)),
    },
  },
  'What is the middle house number of each category?': {
    results: byCategory.map(([category]) => {
      const houses = ofCategory(category).flatMap(({ house }) => house ?? []);
      return {
        category,
        median_parsed_address: median(houses),
        min_parsed_address: Math.min(...houses),
        max_parsed_address: Math.max(...houses),
      };
    }),
  },
  'Which business has the phone number (718) 624-7581?': {
    results: businesses
      .filter(({ phone_number = '' }) => phone_number.replace(/\D/g, '') === '7186247581')
      .map(({ business, phone_number }) => ({ business, phone_number })),
  },
  'How many vacant units are there in neighborhoods with over 10,000 people?': {
    results: [
      {
        sum_vacant_units: sumOf(
          neighborhoods.filter((one) => one.people > 10_000).map(({ vacant }) => vacant),
        ),
      },
    ],
  },
  'Which three neighborhoods have the most vacant units?': {
    results: [...neighborhoods]
      .sort((a, b) => b.vacant - a.vacant)
      .slice(0, 3)
      .map(({ name, vacant }) => ({ neighborhood_1: name, vacant_units: vacant })),
  },
  'What share of the units is vacant in small and in large neighborhoods?': {
    results: grouped(neighborhoods, (one) => Math.floor(one.people / 5000) * 5000)
      .sort(([a], [b]) => a - b)
      .map(([from, its]) => ({
        total_population_5000: from,
        count: its.length,
        sum_vacant_units: sumOf(its.map(({ vacant }) => vacant)),
        sum_total_units: sumOf(its.map(({ units }) => units)),
      })),
  },
  'How many people live in Baltimore, and how many in its smallest, middle and largest neighborhood?':
    {
      results: [
        {
          sum_total_population: sumOf(people),
          min_total_population: Math.min(...people),
          median_total_population: median(people),
          max_total_population: Math.max(...people),
        },
      ],
    },
  'Which neighborhoods are named after a park and have under 2,000 children of 5 to 17?': {
    results: neighborhoods
      .filter(({ name, children }) => /park/i.test(name) && children < 2000)
      .map(({ name, children }) => ({ neighborhood_1: name, _5_to_17: children })),
  },
  'Which five neighborhoods are nearest to the harbor, at 76.61 west and 39.285 north?': {
    results: nearest(neighborhoods, [-76.61, 39.285])
      .slice(0, 5)
      .map(({ name, _distance }) => ({ neighborhood_1: name, _distance })),
  },
  'What is the color 255, 127, 80 called?': exactColor('bestof', 'ff7f50'),
  'Which of the colors of CSS is exactly 25, 25, 112?': exactColor('css', '191970'),
};

function exactColor(list: string, hex: string) {
  const names = readDocument(`seed-data/color-names/${list}.txt`).split('\n');
  const [name] = names.filter((line) => line.startsWith(`${hex} `)).map((line) => line.slice(7));
  return { name, hex: `#${hex}`, exact: true };
}

let service: Service;
let tools: Any[];
beforeAll(async () => {
  service = await startService();
  ({ tools } = await (await mcpClient(service.url, '2026-07-28')).listTools());
});
afterAll(() => service.close());

test('the page has twenty questions', () => {
  expect(questions.map(({ question }) => question)).toEqual(Object.keys(ANSWERS));
  expect(questions).toHaveLength(20);
});

describe('one call answers', () => {
  test.each(questions)('$question', async ({ question, name, given }) => {
    const { inputSchema } = tools.find((tool) => tool.name === name);
    const validate = new Ajv2020().compile(inputSchema);
    expect([validate(given), validate.errors]).toEqual([true, null]);

    const client = await mcpClient(service.url, '2026-07-28');
    const text = await callText(client, name, given);
    const answer = ANSWERS[question];
    if (name === 'rgb-to-color-name') {
      expect(readMembers(text)).toMatchObject(answer);
      return;
    }
    const { rows, total, about, address = '' } = readRows(text);
    const facets = Object.entries<Any>(answer.facets ?? {}).map(([field, { values }]) => {
      return `${field}: ${values.map(({ value, count }: Any) => `${value} ${count}`).join(', ')}`;
    });
    const found = { results: rows, total, facets: about };
    const members = Object.keys(answer).map((member) => [member, found[member as 'total']]);
    expect(Object.fromEntries(members)).toEqual({ ...answer, ...(answer.facets && { facets }) });
    expect(answer.results?.length ?? 1).toBeGreaterThan(0);
    const { version } = (await service.get(`/api_v2/blocks/${name}/datapackage.json`)).body;
    expect(text).toContain(`block ${name}, version ${version}, and the address.`);
    const { params } = await (await fetch(address)).json();
    expect(params.results.map((row: Any) => pick(row, Object.keys(rows[0] as object)))).toEqual(
      rows,
    );
  });
});

function pick(row: Any, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}
