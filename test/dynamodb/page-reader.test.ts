import { expect, test } from '@jest/globals';
import { readPages } from '../../src/dynamodb/dataset-store.ts';
import { ID, idOf } from '../../src/dynamodb/item.ts';
import type { TableReads } from '../../src/dynamodb/read-client.ts';
import { ReadCost } from '../../src/query/row-store.ts';

/** A client whose pages of one Query hold these positions; an empty page leads on too. */
function clientOf(pages: readonly (readonly number[])[]): TableReads {
  const query = async (input: { ExclusiveStartKey?: { page: { N: string } } }) => {
    const page = Number(input.ExclusiveStartKey?.page.N ?? 0);
    const found = pages[page] ?? [];
    return {
      Items: found.map((position) => ({ [ID]: { S: idOf(position) } })),
      Count: found.length,
      ConsumedCapacity: { CapacityUnits: 0.5 },
      ...(page + 1 < pages.length ? { LastEvaluatedKey: { page: { N: String(page + 1) } } } : {}),
    };
  };
  return { query } as unknown as TableReads;
}

test.each([[[[]]], [[[1, 2], [3]]], [[[], [], [5]]], [[[1], [], [2], []]]])(
  'all pages %j are read, and counted',
  async (pages) => {
    const reads = new ReadCost();
    const signal = new AbortController().signal;
    const rows = await readPages(clientOf(pages), { TableName: 't' }, [], signal, reads);
    expect(rows.map(({ position }) => position)).toEqual(pages.flat());
    expect(reads).toMatchObject({
      itemsRead: pages.flat().length,
      capacityUnits: pages.length / 2,
    });
  },
);
