import { expect, test } from '@jest/globals';
import {
  below,
  cellsIn,
  GROUPS,
  isWritten,
  MEASURES,
  measured,
  oneOf,
  randomFilter,
  request,
  type Trip,
  trips,
} from '../support/random-trips.ts';

/** Pages of 200 random questions, whose numbers are computed again by a plain reading of the rows. */
const OF_FIELDS = Object.keys(MEASURES).flatMap((of) => [`${of}:riders`, `${of}:km`]);

test('200 random figures have the numbers of a plain reading, each of them', async () => {
  let compared = 0;
  for (let i = 0; i < 200; i++) {
    const measure = oneOf(['count', ...OF_FIELDS]);
    const first = oneOf(Object.keys(GROUPS));
    const isOfDate = (text: string) => text.startsWith('day.');
    const seconds = Object.keys(GROUPS).filter(
      (text) => text !== first && !(isOfDate(text) && isOfDate(first)),
    );
    const second = below(3) === 0 ? oneOf(seconds) : undefined;
    const which = below(5);
    const filters = [randomFilter(which), randomFilter((which + 1 + below(4)) % 5)];
    const query = new URLSearchParams([
      ...[first, ...(second === undefined ? [] : [second])].map((one) => ['_group', one]),
      ...[
        ['_measure', measure],
        ['_view', 'chart'],
        ['_format', 'html'],
        ['_limit', '50'],
      ],
      ...filters.flatMap((filter) => filter.query),
    ]);
    const answer = await request(`/api_v2/blocks/trips?${query}`);
    expect([answer.status, `${query}`]).toEqual([200, `${query}`]);
    const html = await answer.text();
    const matching = trips.filter((row) => filters.every(({ keeps }) => keeps(row)));
    const [, state = ''] = /<p class="state">\s*<b>(.*?)<\/b>/s.exec(html) ?? [];
    if (state !== '') {
      const [, count = ''] = /([\d,]+)/.exec(state) ?? [];
      expect([`${query}`, Number(count.replaceAll(',', ''))]).toEqual([
        `${query}`,
        matching.length === 1 ? 1 : matching.length,
      ]);
    }
    const names = [first, ...(second === undefined ? [] : [second])];
    const groups = new Map<string, Trip[]>();
    for (const row of matching) {
      const key = JSON.stringify(names.map((name) => GROUPS[name]?.(row)));
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    // A line of one value is called by what is measured.
    const [areOne, areTwo] = [0, 1].map((side) => {
      return new Set([...groups.keys()].map((key) => JSON.parse(key)[side])).size < 2;
    });
    const cells = cellsIn(html);
    for (const [key, some] of groups) {
      const [one, two] = JSON.parse(key) as [string, string | undefined];
      const number = measured(measure, some);
      // In which of the two orders a figure has its groups is its own matter.
      const shown = cells.filter(
        ({ row, column }) =>
          (row === one && (areTwo || column === two)) ||
          (row === two && (areOne || column === one)),
      );
      const isThere = Number.isNaN(number)
        ? shown.every(({ text }) => /^(?:–|)$/.test(text) || two === undefined)
        : shown.some(({ text }) => isWritten(text, number));
      // A group that is one of many more stands in the whole table alone.
      if (shown.length === 0 && groups.size > 50) continue;
      expect([`${query}`, key, number, shown.map(({ text }) => text), isThere]).toEqual([
        `${query}`,
        key,
        number,
        expect.anything(),
        true,
      ]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(2000);
});
