import { readFileSync } from 'node:fs';
import { type ColorList, parseColorList } from '../../functions/rgb-to-color-name/color-list.ts';

export const LIST_IDS = ['bestof', 'css', 'full', 'short'] as const;

/** A packed list of seed-data/color-names, read anew. */
export function readList(id: (typeof LIST_IDS)[number]): ColorList {
  const file = new URL(`../../seed-data/color-names/${id}.txt`, import.meta.url);
  return parseColorList(readFileSync(file, 'utf8'));
}
