import { expect, test } from '@jest/globals';
import {
  below,
  cellsIn,
  isWritten,
  MONTHS,
  measured,
  oneOf,
  randomFilter,
  request,
  type Trip,
  trips,
} from '../support/random-trips.ts';

/**
 * Random figures on each axis, of seasons and of weekends, whose numbers are computed again by a plain
 * reading of the rows.
 */

const monthOf = ({ day }: Trip) => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
const yearOf = ({ day }: Trip) => day.slice(0, 4);
const quarterOf = ({ day }: Trip) =>
  `Q${Math.ceil(Number(day.slice(5, 7)) / 3)} ${yearOf({ day } as Trip)}`;
const weekendOf = ({ day }: Trip) => (new Date(day).getUTCDay() % 6 === 0 ? 'Sat, Sun' : 'Mon–Fri');

const PERIODS = { 'day.month': monthOf, 'day.quarter': quarterOf, 'day.year': yearOf };
const SPLITS = {
  kind: ({ kind }: Trip) => kind,
  town: ({ town }: Trip) => town,
  'day.weekend': weekendOf,
};
const ADDED = ['count', 'sum:riders', 'sum:km'];
const ANY = [...ADDED, 'avg:km', 'median:riders', 'max:km', 'min:km'];

type Figure = { readonly query: string; readonly html: string; readonly matching: Trip[] };

async function asked(names: readonly string[], measure: string, axis?: string): Promise<Figure> {
  const { query: filters, keeps } = randomFilter(below(6));
  const query = `${new URLSearchParams([
    ['_group', names.join()],
    ['_measure', measure],
    ['_view', 'chart'],
    ['_format', 'html'],
    ...(axis === undefined ? [] : [['_axis', axis]]),
    ...filters,
  ])}`;
  const answer = await request(`/api_v2/blocks/trips?${query}`);
  expect([answer.status, query]).toEqual([200, query]);
  return { query, html: await answer.text(), matching: trips.filter(keeps) };
}

const titleIn = ({ html }: Figure) => /<h2 id="found"[^>]*>(.*?)<\/h2>/s.exec(html)?.[1] ?? '';
const hintIn = ({ html }: Figure) => /<p class="hint">(.*?)<\/p>/s.exec(html)?.[1];
const offeredIn = ({ html }: Figure) => {
  const [, nav = ''] = /<nav class="choices"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
  return [...nav.matchAll(/>([^<]+)<\/a>/g)].map(([, text]) => text);
};

/** Whether a page writes a share: per cent, whole, or `<1 %` and `>99 %` without their signs. */
function isShareWritten(text: string, percent: number): boolean {
  const written = Number(text.replace(' %', ''));
  if (written === 1 && percent < 1) return percent > 0;
  if (written === 99 && percent > 99) return percent < 100;
  return Math.abs(written - percent) <= 0.5 + 1e-9;
}

/** What is measured of the rows with a period and a name. */
function numberOf(
  { matching }: Figure,
  measure: string,
  ...conditions: readonly ((row: Trip) => boolean)[]
): number {
  const some = matching.filter((row) => conditions.every((is) => is(row)));
  // A group without rows is none, but as a part it is 0.
  return some.length === 0 ? Number.NaN : measured(measure, some);
}

const isAmount = (measure: string) => ADDED.includes(measure);

test('100 random figures of lines that are 100 in a period have each of their numbers', async () => {
  let compared = 0;
  for (let i = 0; i < 100; i++) {
    const part = oneOf(Object.keys(PERIODS)) as keyof typeof PERIODS;
    const split = oneOf(['kind', 'day.weekend'] as const);
    const measure = oneOf(ANY);
    const figure = await asked([part, split], measure, 'index');
    const [, base] = /, ([^,]+) = 100$/.exec(titleIn(figure).replaceAll('\u00a0', ' ')) ?? [];
    const [periodOf, nameOf] = [PERIODS[part], SPLITS[split]];
    const names = [...new Set(figure.matching.map(nameOf))];
    if (base === undefined) {
      // It says why.
      expect([figure.query, hintIn(figure)]).toEqual([figure.query, expect.anything()]);
      continue;
    }
    for (const { row, column, text } of cellsIn(figure.html)) {
      const [, name] = /^(.*), [^,]+\s=\s100$/.exec(column.replace('Sat, Sun', 'Sat; Sun')) ?? [];
      const isName = (trip: Trip) => nameOf(trip).replace(', ', '; ') === name;
      if (name === undefined) continue;
      const number = numberOf(figure, measure, isName, (trip) => periodOf(trip) === row);
      const whole = numberOf(figure, measure, isName, (trip) => periodOf(trip) === base);
      const index = (100 * number) / whole;
      const isThere = Number.isNaN(number) ? /^(?:–|0)$/.test(text) : isWritten(text, index);
      expect([figure.query, row, column, index, text, isThere]).toEqual([
        figure.query,
        row,
        column,
        index,
        text,
        true,
      ]);
      compared++;
    }
    for (const name of names) {
      const first = numberOf(
        figure,
        measure,
        (trip) => nameOf(trip) === name,
        (trip) => periodOf(trip) === base,
      );
      expect(first).toBeGreaterThan(0);
    }
  }
  expect(compared).toBeGreaterThan(1500);
});

test('100 random figures of shares add up to 100 %, and have each of their numbers', async () => {
  let compared = 0;
  for (let i = 0; i < 100; i++) {
    const part = oneOf(Object.keys(PERIODS)) as keyof typeof PERIODS;
    const split = oneOf(Object.keys(SPLITS)) as keyof typeof SPLITS;
    const measure = oneOf(ADDED);
    const figure = await asked([part, split], measure, 'share');
    const [periodOf, nameOf] = [PERIODS[part], SPLITS[split]];
    const names = [...new Set(figure.matching.map(nameOf))];
    const cells = cellsIn(figure.html);
    const named = new Set(
      cells.map(({ column }) => column).filter((column) => names.includes(column)),
    );
    const sumOf = (name: string) => numberOf(figure, measure, (row) => nameOf(row) === name) || 0;
    const [shown, others] = [true, false].map((is) =>
      names.filter((name) => named.has(name) === is).map(sumOf),
    );
    if (cells.length > 0) {
      expect([figure.query, named.size]).toEqual([
        figure.query,
        names.length > 8 ? 7 : names.length,
      ]);
      expect(Math.min(...(shown as number[]))).toBeGreaterThanOrEqual(
        Math.max(0, ...(others as number[])),
      );
    }
    for (const { row, column, text } of cells) {
      const [, name] = /^(.*), share$/.exec(column) ?? [];
      const isHere = (trip: Trip) => periodOf(trip) === row;
      const isOf = (trip: Trip) => {
        const [of, rest] = [nameOf(trip), /^\d+ more/.test(name ?? column)];
        return rest ? !named.has(of) : of === (name ?? column);
      };
      const number = numberOf(figure, measure, isHere, isOf) || 0;
      const whole = numberOf(figure, measure, isHere) || 0;
      const percent = (100 * number) / whole;
      const isThere = name === undefined ? isWritten(text, number) : isShareWritten(text, percent);
      expect([figure.query, row, column, number, percent, text, isThere]).toEqual([
        figure.query,
        row,
        column,
        number,
        percent,
        text,
        true,
      ]);
      compared++;
    }
    if (names.length > 8) {
      expect(figure.html).toContain(`The 7 largest of ${names.length} are named`);
    }
    expect([figure.query, offeredIn(figure).some((text) => text?.startsWith('share of'))]).toEqual([
      figure.query,
      names.length > 0 && cells.length > 0,
    ]);
  }
  expect(compared).toBeGreaterThan(3000);
});

test('60 random seasons have the number of each month of each year', async () => {
  let compared = 0;
  for (let i = 0; i < 60; i++) {
    const measure = oneOf(ANY);
    const figure = await asked(['day.month_of_year', 'day.year'], measure);
    if (new Set(figure.matching.map(yearOf)).size === 0) continue;
    for (const { row, column, text } of cellsIn(figure.html)) {
      const number = numberOf(figure, measure, (trip) => monthOf(trip) === `${column} ${row}`);
      const isThere = Number.isNaN(number) ? text === '–' : isWritten(text, number);
      expect([figure.query, row, column, number, text, isThere]).toEqual([
        figure.query,
        row,
        column,
        number,
        text,
        true,
      ]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(1000);
});

test('60 random figures of lines are offered the axes that a plain reading finds', async () => {
  const seen = new Set<string>();
  for (let i = 0; i < 60; i++) {
    const split = oneOf(['kind', 'day.weekend'] as const);
    const measure = oneOf(ANY);
    const figure = await asked(['day.quarter', split], measure);
    if (!figure.html.includes('class="plot line lines')) continue;
    const numbers = cellsIn(figure.html).map(({ row, column }) =>
      numberOf(
        figure,
        measure,
        (trip) => quarterOf(trip) === row,
        (trip) => SPLITS[split](trip) === column,
      ),
    );
    // Periods without rows count 0; of other measures they are gaps.
    const told = numbers
      .map((number) => (measure === 'count' ? number || 0 : number))
      .filter((number) => !Number.isNaN(number));
    const [least, most] = [Math.min(...told), Math.max(...told)];
    const offered = offeredIn(figure);
    const are = [figure.query, least, most];
    expect([...are, offered.includes('logarithmic')]).toEqual([
      ...are,
      least > 0 && most >= 20 * least,
    ]);
    expect([...are, offered.some((text) => text?.startsWith('share of'))]).toEqual([
      ...are,
      isAmount(measure),
    ]);
    if (least < 0.2 * most) {
      expect([...are, offered.filter((text) => /^from [^0]/.test(text ?? ''))]).toEqual([
        ...are,
        [],
      ]);
    }
    for (const text of offered) seen.add(text?.replace(/(?<=from )[^0].*/, 'n') ?? '');
  }
  expect([...seen].some((text) => text.endsWith('= 100'))).toBe(true);
  expect([...seen]).toEqual(
    expect.arrayContaining(['from 0', 'from n', 'logarithmic', 'share of all']),
  );
});
