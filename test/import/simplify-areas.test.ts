import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { readBoundaries } from '../../src/files/geojson/read-boundaries.ts';
import {
  countPositions,
  MOST_POSITIONS,
  simplification,
  simplifyAreas,
} from '../../src/files/geojson/simplify-areas.ts';
import { makeDataset } from '../support/datasets.ts';
import { randomOf } from '../tape/requests.ts';

type Position = readonly [number, number];

/** A row of squares side by side, each border as crooked as a river. */
function riversOf(count: number, bends: number) {
  const random = randomOf(26);
  const line = (x: number): Position[] =>
    Array.from({ length: bends }, (_, i) => {
      const isEnd = i === 0 || i === bends - 1;
      return [x + (isEnd ? 0 : random.below(1000) / 1e4), i / (bends - 1)];
    });
  const lines = Array.from({ length: count + 1 }, (_, x) => line(x));
  return lines.slice(1).map((east, i) => {
    const west = lines[i] as Position[];
    return [...east, ...west.toReversed(), east[0] as Position];
  });
}

function areasOf(rings: readonly (readonly Position[])[]) {
  const features = rings.map((ring, i) => {
    const geometry = { type: 'Polygon', coordinates: [ring] };
    return { type: 'Feature', properties: { name: `a${i}` }, geometry };
  });
  const file = JSON.stringify({ type: 'FeatureCollection', features });
  return readBoundaries(Buffer.from(file), 'areas.geojson', 'name');
}

const ringOf = (text: string | undefined): Position[] => JSON.parse(text ?? '').coordinates[0];

describe('simplified areas', () => {
  test('have as many positions as they may, and are exact where they may have all', () => {
    const exact = areasOf(riversOf(10, 200));
    const simplified = simplifyAreas(exact, 1000);
    expect(countPositions(simplified)).toBeLessThanOrEqual(1000);
    expect(countPositions(simplified)).toBeGreaterThan(700);
    expect(Object.keys(simplified)).toEqual(Object.keys(exact));
    expect(simplifyAreas(exact, countPositions(exact))).toBe(exact);
  });

  test('have no position that the file has not, and are closed', () => {
    const exact = areasOf(riversOf(5, 100));
    for (const [name, text] of Object.entries(simplifyAreas(exact, 200))) {
      const ring = ringOf(text);
      const known = new Set(ringOf(exact[name]).map(String));
      expect(ring.every((position) => known.has(String(position)))).toBe(true);
      expect(String(ring[0])).toBe(String(ring.at(-1)));
    }
  });

  test('keep the borders of neighbours in common', () => {
    const simplified = Object.values(simplifyAreas(areasOf(riversOf(8, 150)), 300));
    for (const [i, text] of simplified.slice(1).entries()) {
      const border = (ring: readonly Position[]) =>
        ring.filter(([x]) => x >= i + 1 && x < i + 1.5).map(String);
      const [east, west] = [border(ringOf(text)), border(ringOf(simplified[i]))];
      expect(east.length).toBeGreaterThan(4);
      expect(new Set(east)).toEqual(new Set(west));
    }
  });

  test('keep each area, however small it is beside another', () => {
    const [large] = riversOf(1, 3000);
    const tiny = Array.from({ length: 40 }, (_, i): Position => {
      const angle = (i / 40) * 2 * Math.PI;
      return [5 + Math.cos(angle) / 1e6, 5 + Math.sin(angle) / 1e6];
    });
    const rings = [large as Position[], [...tiny, tiny[0] as Position]];
    const ring = ringOf(simplifyAreas(areasOf(rings), 100).a1);
    expect(new Set(ring.map(String)).size).toBeGreaterThan(2);
  });

  test('are what answers have, and add says so, where the shapes are too large', () => {
    const exact = areasOf(riversOf(20, 1000));
    const positions = countPositions(exact).toLocaleString('en-US');
    expect(simplification(areasOf(riversOf(2, 50)))).toEqual({ notes: [] });
    const map = `areas are simplified for the map to 30,000 positions of ${positions}; the file keeps all`;
    expect(simplification(exact)).toEqual({ notes: [`${map}, and GeoJSON has all`] });
    const { simplifiedTo = 0, notes } = simplification(exact, 500_000);
    const said = `GeoJSON has ${simplifiedTo.toLocaleString('en-US')}: simplifiedTo in block.json`;
    expect(notes).toEqual([`${map}, and ${said}`]);
    const texts = Object.values(simplifyAreas(exact, simplifiedTo));
    expect(texts.join('').length).toBeLessThan(510_000);
  });

  test('are what a map of many positions draws, and it says so', () => {
    const block = datasetBlock({
      ...{ id: 'areas', name: 'areas', title: 'Areas', description: '', examples: [] },
      fields: [
        { type: 'text', name: 'name', title: 'Name' },
        { type: 'number', name: 'x', title: 'X' },
        { type: 'number', name: 'y', title: 'Y' },
      ],
      geometry: { kind: 'regions', region: 'name', longitude: 'x', latitude: 'y' },
    });
    const mapOf = (bends: number) => {
      const boundaries = areasOf(riversOf(20, bends));
      const rows = Object.keys(boundaries).map((name, x) => ({ name, x, y: 0 }));
      const { map } = makeDataset(block, rows, { title: 't' }, { boundaries }).profile;
      if (map?.kind !== 'regions') throw new Error('no map of regions');
      const corners = Object.values(map.shapes).join('').match(/[ML]/g)?.length ?? 0;
      return [map.isSimplified, Object.keys(map.shapes).length, corners <= MOST_POSITIONS];
    };
    expect(mapOf(100)).toEqual([undefined, 20, true]);
    expect(mapOf(2000)).toEqual([true, 20, true]);
  });
});
