import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { oneOf, seededRandom, wholeNumber } from '../../bench/data/seeded-random.ts';
import { MOST_PICTURE_LENGTH } from '../../src/import/profile-dataset.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import { renderCatalogPage } from '../../src/page/catalog-page.tsx';
import type { ListedBlock } from '../../src/page/listed-block.ts';

const random = seededRandom(17);
const whole = (most: number) => wholeNumber(random, 0, most - 1);

/** As many different words as a catalogue of a city may have. */
const VOCABULARY = Array.from({ length: 2000 }, () =>
  Array.from({ length: 3 + whole(8) }, () => String.fromCharCode(97 + whole(26))).join(''),
);

function words(count: number): string {
  return Array.from({ length: count }, () => oneOf(random, VOCABULARY)).join(' ');
}

function path(length: number): string {
  let text = '';
  while (text.length < length) text += `M${whole(64)} ${whole(64)}h0`;
  return text.slice(0, length);
}

const listed = (count: number, pathLength: number): ListedBlock[] =>
  Array.from({ length: count }, () => {
    const name = words(2).replace(' ', '-');
    const summary = {
      id: name,
      name,
      title: words(3),
      description: words(22),
      url: `/api_v2/blocks/${name}`,
    };
    const picture = { kind: 'dots', width: 64, height: 64, path: path(pathLength) } as const;
    return { summary, words: '', rows: whole(1e6), noun: 'rows', date: '2020-01', picture };
  });

describe('the catalogue, in all sizes, is 30 KB at most', () => {
  test.each([
    ['few blocks with the largest pictures', 20, MOST_PICTURE_LENGTH, 20, 20],
    ['more of these: no pictures', 21, MOST_PICTURE_LENGTH, 0, 21],
    ['the most blocks with pictures', 60, 990, 60, 60],
    ['more of these', 61, 100, 0, 61],
    ['the most blocks with descriptions', 200, 100, 0, 200],
    ['more of these', 500, 100, 0, 0],
  ])('%s', async (_, count, length, pictured, described) => {
    const blocks = listed(count, length);
    const html = await renderCatalogPage({
      language: ENGLISH,
      blocks,
      all: count,
      search: '',
      unused: [],
      url: 'http://127.0.0.1/',
      toRoot: './',
    });
    expect(html.match(/<svg class="picture/g) ?? []).toHaveLength(pictured);
    expect(blocks.filter(({ summary }) => html.includes(summary.description))).toHaveLength(
      described,
    );
    expect(gzipSync(html).length).toBeLessThanOrEqual(30 * 1024);
  });
});
