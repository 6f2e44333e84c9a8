import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SeedError } from '../../src/files/source-table.ts';
import type { CreateRun } from '../../src/query/compute-value.ts';
import { sha256 } from '../../src/work/sha256.ts';
import { LISTS } from './block.ts';
import type { Rgb } from './ciede2000.ts';
import {
  type ColorIndex,
  indexColors,
  nearestColors,
  packColors,
  unpackColors,
} from './color-index.ts';
import { type ColorList, findColorLines, parseColorList } from './color-list.ts';

/** The files in `seed-data/` that runs need. */
export const seedFiles = ['color-names'];

/** Names colours from the lists in `seed-data/color-names`; reads each list on first use. */
export const createRun: CreateRun = (seedData) => {
  const lists = new Map<string, NamedColors>();
  const listOf = (name: string) => {
    const found = lists.get(name) ?? readList(seedData, name);
    lists.set(name, found);
    return found;
  };
  // Reads the default list now, so that the start reveals a missing folder.
  listOf('bestof');
  return ({ R, G, B, list = 'bestof', alternatives = 0 }) => {
    const { colors, index } = listOf(list as string);
    const asked = [R, G, B] as unknown as Rgb;
    const [nearest, ...others] = nearestColors(index, asked, 1 + (alternatives as number)).map(
      ({ position, distance }) => ({
        name: colors.name(position),
        hex: colors.hex(position),
        rgb: colors.color(position),
        distance: Math.round(distance * 1e6) / 1e6,
      }),
    );
    if (nearest === undefined) throw new Error(`The list ${list} has no colours.`);
    const { name, hex, rgb, distance } = nearest;
    const exact = rgb.every((channel, i) => channel === asked[i]);
    return { name, hex, rgb, exact, distance, list, alternatives: others };
  };
};

type NamedColors = { readonly colors: ColorList; readonly index: ColorIndex };

function readList(seedData: string, name: string): NamedColors {
  const file = `color-names/${name}.txt`;
  const text = read(seedData, file);
  const packed = packedFile(seedData, name);
  if (existsSync(packed)) {
    const { lines, index } = unpackColors(readFileSync(packed));
    return { colors: parseColorList(text, lines), index };
  }
  const colors = parseList(text, file);
  return { colors, index: indexColors(colors.rgb) };
}

/**
 * Runs at build time: writes beside each list what the function would otherwise compute at its
 * start.
 */
export function prepareSeedData(seedData: string): void {
  for (const name of LISTS) {
    const lines = findColorLines(read(seedData, `color-names/${name}.txt`));
    const packed = packColors({ lines, index: indexColors(lines.rgb) });
    writeFileSync(packedFile(seedData, name), packed);
  }
}

function packedFile(seedData: string, name: string): string {
  return path.join(seedData, `color-names/${name}.packed`);
}

/** Throws a SeedError if a list is missing or differs from its description in `source.json`. */
export function checkSeedData(seedData: string): void {
  const sources = JSON.parse(read(seedData, 'color-names/source.json')) as Partial<
    Record<string, { readonly sha256?: string }>
  >;
  for (const name of LISTS) {
    const file = `color-names/${name}.txt`;
    const text = read(seedData, file);
    parseList(text, file);
    if (sources[name]?.sha256 !== sha256(text, 'hex')) {
      throw new SeedError(file, 'not the file that source.json describes; see seed-data/README.md');
    }
  }
}

function parseList(text: string, file: string): ColorList {
  try {
    return parseColorList(text);
  } catch (error) {
    throw new SeedError(file, (error as Error).message);
  }
}

function read(seedData: string, file: string): string {
  try {
    return readFileSync(path.join(seedData, file), 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SeedError(file, code === 'ENOENT' ? `is missing in ${seedData}` : message);
  }
}
