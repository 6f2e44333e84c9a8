import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import { SETTINGS } from '../support/ample.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { requestOf } from '../support/request-of.ts';
import { WARDS } from '../support/ward-squares.ts';
import { OwnBlocks } from './own-blocks.ts';

/** A part of a map of areas that a field names (`_frame`). */

const STATES = ['Georgia', 'Florida', 'Alabama', 'Texas', 'Oregon', 'Maine', 'Alaska', 'Hawaii'];
const COUNTS = STATES.map((_, i) => i + 2);
const ELSEWHERE = 3;
const TOTAL = COUNTS.reduce((sum, count) => sum + count, ELSEWHERE);

let blocks: OwnBlocks;
let states: ReturnType<typeof requestOf>;
beforeAll(async () => {
  blocks = await OwnBlocks.inNewFolder();
  const rows = [...STATES, 'Guam'].flatMap((state, i) =>
    Array.from({ length: COUNTS[i] ?? ELSEWHERE }, (_, n) => `${state},${n}`),
  );
  await blocks.add('visits', `State,Days\n${rows.join('\n')}\n`);
  states = await served('visits');
});

async function served(name: string) {
  const { block, imported } = await blocks.imported(name);
  const { manifest, profile, rows, boundaries } = imported;
  const all = serveDataset(
    { block, manifest, store: memoryRows(block.fields, rows) },
    { profile: () => profile, boundaries: boundaries && (() => boundaries) },
  );
  return requestOf(serviceOf(blockRoutes(all), SETTINGS));
}

const QUESTION = '_view=map&_group=state&_measure=count';

async function pageAt(query: string): Promise<string> {
  const answer = await states(`/api_v2/blocks/visits?${query}`, {
    headers: { accept: 'text/html' },
  });
  expect([answer.status, query]).toEqual([200, query]);
  return answer.text();
}

const captionOf = (page: string) =>
  /id="caption">(.*?)<\/p>/s.exec(page)?.[1]?.replace(/<[^>]*>/g, '') ?? '';

/** The areas of a map with their class, and how many rows they have. */
function areasIn(page: string): Map<string, { readonly look: string; readonly rows: number }> {
  const all = page.matchAll(/<title>([^<:]+): (\d+)<\/title><path class="([^"]*)"/g);
  return new Map(
    Array.from(all, ([, name = '', rows, look = '']) => [name, { look, rows: Number(rows) }]),
  );
}

/** The rows outside of a part, as its caption says. */
function outsideIn(page: string): { readonly areas: number; readonly rows: number } {
  const said = /([\d,]+) areas? \((\d+)[^)]*\) (?:is|are) outside this part/.exec(captionOf(page));
  return { areas: Number(said?.[1] ?? 0), rows: Number(said?.[2] ?? 0) };
}

const hrefOf = (page: string, label: string) =>
  [...page.matchAll(/<a [^>]*>/g)]
    .filter(([tag]) => tag.includes(`aria-label="${label}"`))
    .map(([tag]) => /href="([^"#]*)/.exec(tag)?.[1]?.replaceAll('&amp;', '&'))[0];

describe('a part of a map of known areas', () => {
  test('shows the areas in it, in the shades that they have on the whole map, and counts the others', async () => {
    const [whole, part] = [
      await pageAt(QUESTION),
      await pageAt(`${QUESTION}&_frame=-89,24,-79,36`),
    ];
    expect(outsideIn(whole)).toEqual({ areas: 0, rows: 0 });
    expect(areasIn(whole).size).toBe(STATES.length);
    const shown = areasIn(part);
    expect([...shown.keys()].sort()).toEqual(['Alabama', 'Florida', 'Georgia']);
    for (const [name, area] of shown) expect(area).toEqual(areasIn(whole).get(name));
    expect(outsideIn(part)).toEqual({ areas: 5, rows: TOTAL - ELSEWHERE - 2 - 3 - 4 });
    // The table and the answer have all.
    for (const page of [whole, part]) expect(page).toContain(`All ${TOTAL} `);
  });

  test('adds up to all rows in any part: those on the map, outside it and without an area', async () => {
    const side = fc.tuple(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -90, max: 90 }));
    await fc.assert(
      fc.asyncProperty(
        side,
        fc.integer({ min: 1, max: 180 }),
        fc.integer({ min: 1, max: 90 }),
        async ([west, south], wide, high) => {
          const east = west + wide > 180 ? west + wide - 360 : west + wide;
          const page = await pageAt(
            `${QUESTION}&_frame=${west},${south},${east},${Math.min(90, south + high)}`,
          );
          const shown = [...areasIn(page).values()].reduce((sum, { rows }) => sum + rows, 0);
          const outside = outsideIn(page);
          expect(shown + outside.rows + ELSEWHERE).toBe(TOTAL);
          expect(areasIn(page).size + outside.areas).toBe(STATES.length);
        },
      ),
      { seed: 60, numRuns: 60 },
    );
  });

  test('is moved by links: closer, and wider until it is the whole map', async () => {
    const home = await pageAt(QUESTION);
    expect(hrefOf(home, 'Wider')).toBeUndefined();
    const closer = hrefOf(home, 'Closer') ?? '';
    expect(closer).toContain('_frame=');
    const part = await pageAt(closer.slice(1));
    for (const label of ['The whole map', 'Wider']) {
      expect(hrefOf(part, label)).toBe('?_group=state&_measure=count&_view=map');
    }
    const nearer = await pageAt((hrefOf(part, 'Closer') ?? '').slice(1));
    expect(hrefOf(nearer, 'Wider')).toContain('_frame=');
    // Rows have no coordinates by which those inside could be asked for.
    expect(nearer).not.toContain('_bbox');
    // A script moves it by these degrees.
    for (const page of [home, part, nearer]) expect(page).toMatch(/data-mesh="[-\d. ]+"/);
  });

  test('is the same as a file', async () => {
    const svg = await states(`/api_v2/blocks/visits?${QUESTION}&_frame=-89,24,-79,36&_format=svg`);
    const text = await svg.text();
    expect(text).toContain('5 areas');
    expect(text).toContain('outside this part of the map');
  });

  test('is refused where it is none', async () => {
    const answer = await states(
      `/api_v2/blocks/visits?${QUESTION}&_frame=-89,36,-79,24&_format=svg`,
    );
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Did you mean -89,24,-79,36?');
  });
});

test('a part of a map of the publisher’s areas is moved as their regions are', async () => {
  await blocks.add('wards', 'Ward,Sales\nNorth,1\nSouth,4\n');
  await writeFile(`${blocks.folder}/seed-data/wards.geojson`, WARDS);
  const boundaries = {
    file: 'wards.geojson',
    property: 'name',
    field: 'ward',
    sources: [{ title: 'A' }],
  };
  await writeFile(
    blocks.pathOf('wards'),
    JSON.stringify({ ...blocks.blockFile('wards'), boundaries }),
  );
  const ask = await served('wards');
  const pageOf = async (query: string) =>
    (await ask(`/api_v2/blocks/wards?_format=html&_view=map&_group=ward${query}`)).text();
  const scaleOf = (page: string) => Number(/matrix\(([\d.]+)/.exec(page)?.[1]);
  const [whole, part] = [await pageOf(''), await pageOf('&_frame=0,0,1,1')];
  expect(scaleOf(part)).toBeGreaterThan(2.5 * scaleOf(whole));
  expect(hrefOf(whole, 'Closer')).toContain('_frame=');
  expect(hrefOf(part, 'The whole map')).not.toContain('_frame');
});
