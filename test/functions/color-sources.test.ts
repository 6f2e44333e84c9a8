import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { block } from '../../functions/rgb-to-color-name/block.ts';
import { ROOT } from '../support/service.ts';

type ListSource = { source: string; version: string; licence: string };

test('the block names the source, version and licence that each list of seed-data has', () => {
  const file = path.join(ROOT, 'seed-data/color-names/source.json');
  const lists: Record<string, ListSource> = JSON.parse(readFileSync(file, 'utf8'));
  for (const [list, { source, version, licence }] of Object.entries(lists)) {
    const own = block.sources?.filter(({ title }) => new RegExp(`\\b${list}\\b`).test(title));
    expect([list, own]).toEqual([list, [expect.objectContaining({ version, license: licence })]]);
    expect(source).toContain(own?.[0]?.url);
  }
});
