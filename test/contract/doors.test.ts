import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Row } from '../../src/core/field.ts';
import { loadBlocks } from '../../src/importer/load-blocks.ts';
import { type DoorAnswer, doorsOf } from '../support/doors.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { PATHS, ROOT, type Service, startService } from '../support/service.ts';

const blocks = (await loadBlocks(path.join(ROOT, 'functions'))).map(({ block }) => block);

/** A deployed service is behind an emulator, where each call takes tens of milliseconds. */
const isDeployed = process.env.DEPLOYED_RESIDENT_URL !== undefined;
const CALLS = { resident: isDeployed ? 12 : 300, DynamoDB: isDeployed ? 6 : 25 } as const;

/** What a door says and does not leave out, in one order of columns. */
function comparable({ rows, total, isCut }: DoorAnswer, wanted: DoorAnswer) {
  const columns = Object.keys(wanted.rows[0] ?? {});
  return {
    rows: rows.map((row) => columns.map((column) => row[column])),
    widths: rows.map((row) => Object.keys(row).length),
    total: total === undefined ? wanted.total : total,
    isCut: isCut === undefined ? wanted.isCut : isCut,
  };
}

describe.each(PATHS)('on the %s path', (where, residentBytes) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(residentBytes);
  });
  afterAll(() => service.close());

  test.each(blocks.map((block) => [block.name, block] as const))(
    '%s: the same rows, cell by cell, through every door',
    async (name, block) => {
      const all: Row[] =
        block.answers === 'rows' ? (await service.post(name, {})).body.params.results : [];
      const { 'JSON by POST': reference, ...others } = doorsOf(block);
      if (reference === undefined) throw new Error('JSON by POST is the one to compare with');
      let seen = 0;
      await fc.assert(
        fc.asyncProperty(randomArguments(block, all), async (given) => {
          const call = { service, block, arguments: given };
          const wanted = await reference(call);
          seen += wanted.rows.length;
          const answers = await Promise.all(
            Object.entries(others).map(async ([door, ask]) => [door, await ask(call)] as const),
          );
          for (const [door, answer] of answers) {
            // The doors' names tell which one is at fault.
            expect({ door, ...comparable(answer, wanted) }).toEqual({
              door,
              ...comparable(wanted, wanted),
            });
          }
        }),
        { numRuns: CALLS[where as keyof typeof CALLS], seed: 5 },
      );
      expect(seen).toBeGreaterThanOrEqual(CALLS[where as keyof typeof CALLS]);
    },
    240_000,
  );
});

test('every block has every door that its rows allow', () => {
  const doors = blocks.map((block) => [block.name, Object.keys(doorsOf(block)).length]);
  expect(doors).toEqual(
    blocks.map(({ name, formats }) => [name, formats.includes('geojson') ? 13 : 12]),
  );
});
