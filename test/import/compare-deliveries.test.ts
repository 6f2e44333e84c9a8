import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type ColumnChange,
  compareDeliveries,
  type Delivery,
} from '../../src/import/compare-deliveries.ts';
import type { Value } from '../../src/values/field-type.ts';

type Rows = readonly (readonly Value[])[];

/** A delivery whose header is line 1. */
function delivery(columns: readonly string[], rows: Rows): Delivery {
  return { columns, rows: () => rows.map((values, i) => ({ values, line: i + 2 })) };
}

const BEFORE = delivery(
  ['id', 'name', 'visits', 'old'],
  [
    [1, 'Canton', 5, 'x'],
    [2, 'Fells Point', 6, 'x'],
    [3, 'Hampden', null, 'x'],
  ],
);

describe('rows with a key', () => {
  test('are added, gone and changed, each with its first place', async () => {
    const after = delivery(
      ['new', 'visits', 'id', 'name'],
      [
        [0, 6, 2, 'Fells point'],
        [0, 7, 4, 'Roland Park'],
        [0, 0, 3, 'Hampden'],
      ],
    );
    expect(await compareDeliveries(BEFORE, after, ['id'])).toEqual({
      rows: { before: 3, after: 3, added: 1, gone: 1, changed: 2 },
      firstAdded: { key: [4], line: 3 },
      firstGone: { key: [1], line: 2 },
      columnsNew: ['new'],
      columnsGone: ['old'],
      columnsBlank: [],
      columnsChanged: [
        {
          column: 'visits',
          cells: 1,
          key: [3],
          before: { value: null, line: 4 },
          after: { value: 0, line: 4 },
        },
        {
          column: 'name',
          cells: 1,
          key: [2],
          before: { value: 'Fells Point', line: 3 },
          after: { value: 'Fells point', line: 2 },
        },
      ],
    });
  });

  test('in another order are the same', async () => {
    const after = delivery(BEFORE.columns, [...(await valuesOf(BEFORE))].reverse());
    expect(await compareDeliveries(BEFORE, after, ['id'])).toEqual({
      rows: { before: 3, after: 3, added: 0, gone: 0, changed: 0 },
      firstAdded: undefined,
      firstGone: undefined,
      columnsNew: [],
      columnsGone: [],
      columnsBlank: [],
      columnsChanged: [],
    });
  });

  test('are compared by type, too', async () => {
    const [before, after] = [
      ['1', 'true', 'null', ''],
      [1, true, null, null],
    ].map((values) => delivery(['id', 'a', 'b', 'c', 'd'], [['k', ...values]]));
    const { columnsChanged } = await compareDeliveries(before as Delivery, after as Delivery, [
      'id',
    ]);
    expect(columnsChanged.map(({ column }) => column)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('whose key one delivery lacks are not compared', async () => {
    const after = delivery(['name'], [['Canton']]);
    await expect(compareDeliveries(BEFORE, after, ['id'])).rejects.toThrow(
      'A delivery lacks a column of the key: id',
    );
  });
});

test('keys of several columns are not run together', async () => {
  const before = delivery(['a', 'b'], [['x', 'yz']]);
  const after = delivery(['a', 'b'], [['xy', 'z']]);
  const { rows } = await compareDeliveries(before, after, ['a', 'b']);
  expect(rows).toMatchObject({ added: 1, gone: 1, changed: 0 });
});

test('a delivery that is another one when it is read again is told', async () => {
  let reads = 0;
  const before: Delivery = { ...BEFORE, rows: () => (reads++ === 0 ? BEFORE.rows() : []) };
  await expect(compareDeliveries(before, delivery(BEFORE.columns, []), ['id'])).rejects.toThrow(
    'The earlier delivery changed while it was compared.',
  );
});

test('20,000 rows with one key are matched in their order, without a search of all', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => ['k', i]);
  const [before, after] = [delivery(['k', 'n'], rows), delivery(['k', 'n'], [...rows, ['k', 0]])];
  const { rows: counts, firstAdded } = await compareDeliveries(before, after, ['k']);
  expect(counts).toEqual({ before: 20_000, after: 20_001, added: 1, gone: 0, changed: 0 });
  expect(firstAdded).toEqual({ key: ['k'], line: 20_002 });
});

describe('any two deliveries', () => {
  const value = fc.constantFrom<Value>('a', 'b', '', null, 1, 2, '1', true);
  const columns = fc.uniqueArray(fc.constantFrom('id', 'x', 'y', 'z'), { minLength: 1 });
  const anyDelivery = columns.chain((names) =>
    fc
      .array(fc.array(value, { minLength: names.length, maxLength: names.length }), {
        maxLength: 12,
      })
      .map((rows) => ({ names, rows })),
  );

  test('differ as a comparison of all rows with all says', async () => {
    const key = fc.uniqueArray(fc.constantFrom('id', 'x', 'y'));
    await fc.assert(
      fc.asyncProperty(anyDelivery, anyDelivery, key, async (one, two, wanted) => {
        const common = two.names.filter((name) => one.names.includes(name));
        const key = wanted.filter((name) => common.includes(name));
        const found = await compareDeliveries(
          delivery(one.names, one.rows),
          delivery(two.names, two.rows),
          key,
        );
        expect(found).toEqual(naive(one, two, key.length === 0 ? common : key));
      }),
      { seed: 41, numRuns: 1000 },
    );
  });
});

test('20,000 rows of numbers, dates and texts that look alike are told apart', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => [
    i,
    `2026-01-01T${String(i).padStart(6, '0')}`,
    i / 100,
  ]);
  const columns = ['id', 'at', 'n'];
  const shifted = rows.map(([id, at, n]) => [id, at, (n as number) + 0.01] as const);
  const before = delivery(columns, rows as Rows);
  for (const key of [['id'], ['at'], ['id', 'at']]) {
    const { rows: counts } = await compareDeliveries(
      before,
      delivery(columns, shifted as Rows),
      key,
    );
    expect(counts).toMatchObject({ added: 0, gone: 0, changed: 20_000 });
  }
  const { rows: counts } = await compareDeliveries(before, before, []);
  expect(counts).toMatchObject({ added: 0, gone: 0, changed: 0 });
});

type Named = { readonly names: readonly string[]; readonly rows: Rows };

/** The same by its definition: each row of the later delivery takes the first equal one left. */
function naive(before: Named, after: Named, key: readonly string[]) {
  const of = ({ names }: Named, values: readonly Value[], name: string) =>
    values[names.indexOf(name)] as Value;
  const keyOf = (side: Named, values: readonly Value[]) =>
    key.map((name) => of(side, values, name));
  const left = before.rows.map((values, i) => ({ values, line: i + 2 }));
  const added: { key: Value[]; line: number }[] = [];
  const changes = new Map<string, ColumnChange>();
  let changed = 0;
  for (const [i, values] of after.rows.entries()) {
    const own = keyOf(after, values);
    const place = left.findIndex(
      (row) => JSON.stringify(keyOf(before, row.values)) === JSON.stringify(own),
    );
    const [match] = place < 0 ? [] : left.splice(place, 1);
    if (match === undefined) {
      added.push({ key: own, line: i + 2 });
      continue;
    }
    const names = after.names.filter(
      (name) =>
        before.names.includes(name) && of(before, match.values, name) !== of(after, values, name),
    );
    if (names.length > 0) changed++;
    for (const column of names) {
      const first = changes.get(column) ?? {
        column,
        cells: 0,
        key: own,
        before: { value: of(before, match.values, column), line: match.line },
        after: { value: of(after, values, column), line: i + 2 },
      };
      changes.set(column, { ...first, cells: first.cells + 1 });
    }
  }
  const [gone] = left;
  return {
    rows: {
      before: before.rows.length,
      after: after.rows.length,
      added: added.length,
      gone: left.length,
      changed,
    },
    firstAdded: added[0],
    firstGone:
      gone === undefined ? undefined : { key: keyOf(before, gone.values), line: gone.line },
    columnsNew: after.names.filter((name) => !before.names.includes(name)),
    columnsGone: before.names.filter((name) => !after.names.includes(name)),
    columnsBlank: after.names.filter((name) => {
      return before.names.includes(name) && hasValue(before, name) && !hasValue(after, name);
    }),
    columnsChanged: after.names.flatMap((name) => changes.get(name) ?? []),
  };
}

async function valuesOf({ rows }: Delivery): Promise<Rows> {
  const all: (readonly Value[])[] = [];
  for await (const { values } of rows()) all.push(values);
  return all;
}

function hasValue({ names, rows }: Named, name: string): boolean {
  return rows.some((row) => row[names.indexOf(name)] !== null);
}
