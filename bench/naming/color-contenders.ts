import { readFile } from 'node:fs/promises';
import type { Rgb } from 'culori';
import { indexColors, nearestColors } from '../../functions/rgb-to-color-name/color-index.ts';
import { parseColorList } from '../../functions/rgb-to-color-name/color-list.ts';

export type Channels = readonly [number, number, number];

/** A way to name a colour: the nearest's hex, lower case. */
export type ColorContender = { readonly name: string; readonly nearest: (rgb: Channels) => string };

export const EXACT = 'blockyard, exact CIEDE2000';
export const CULORI = 'culori `nearest`, CIEDE2000';
export const NEAREST_COLOR = 'nearest-color, RGB distance';

/** All of them on the same list, the largest there is. Loads the others, once they are installed. */
export async function colorContenders(): Promise<{ count: number; contenders: ColorContender[] }> {
  const { differenceCiede2000, nearest, parse } = await import('culori');
  const { default: nearestColor } = await import('nearest-color');
  const file = new URL('../../seed-data/color-names/full.txt', import.meta.url);
  const list = parseColorList(await readFile(file, 'utf8'));
  const index = indexColors(list.rgb);
  const positions = Array.from({ length: list.count }, (_, position) => position);

  const byCulori = nearest(
    positions.map((position) => parse(list.hex(position)) as Rgb),
    differenceCiede2000(),
    (color) => color,
  );
  const byNearestColor = nearestColor.from(positions.map((position) => list.hex(position)));
  return {
    count: list.count,
    contenders: [
      {
        name: EXACT,
        nearest: (rgb) => list.hex(nearestColors(index, rgb, 1)[0]?.position as number),
      },
      {
        name: CULORI,
        nearest: ([r, g, b]) => {
          const [found] = byCulori({ mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 }, 1);
          return hexOf([found?.r, found?.g, found?.b].map((c) => Math.round((c ?? 0) * 255)));
        },
      },
      { name: NEAREST_COLOR, nearest: ([r, g, b]) => byNearestColor({ r, g, b }) },
    ],
  };
}

function hexOf(channels: readonly number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
