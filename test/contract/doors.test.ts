import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Row } from '../../src/fields/field.ts';
import { loadBlocks } from '../../src/importer/load-blocks.ts';
import type { DoorAnswer } from '../support/door-answer.ts';
import { doorsOf } from '../support/doors.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { PATHS, ROOT, type Service, startService } from '../support/service.ts';

const blocks = (await loadBlocks(path.join(ROOT, 'functions'))).map(({ block }) => block);

/** `npm run test:doors` asks for more; a deployed service takes tens of milliseconds a call. */
const isDeployed = process.env.DEPLOYED_RESIDENT_URL !== undefined;
const ASKED_FOR = Number(process.env.DOOR_CALLS ?? 30);
const CALLS = {
  resident: isDeployed ? 12 : ASKED_FOR,
  DynamoDB: isDeployed ? 6 : ASKED_FOR / 10,
} as const;

/** What a door says and does not leave out, in one order of columns. */
function comparable({ rows, total, isCut, ...shown }: DoorAnswer, wanted: DoorAnswer) {
  const columns = shown.columns ?? Object.keys(wanted.rows[0] ?? {});
  return {
    rows: rows.map((row) => columns.map((column) => row[column])),
    widths: rows.map((row) => Object.keys(row).length),
    total: total === undefined ? wanted.total : total,
    isCut: isCut === undefined ? wanted.isCut : isCut,
  };
}

/** The answer that is wanted, as far as a door that shows less of it shows it. */
function asShown(wanted: DoorAnswer, { columns, atMost }: DoorAnswer): DoorAnswer {
  const rows = wanted.rows.slice(0, atMost).map((row) => {
    const kept = columns ?? Object.keys(row);
    return Object.fromEntries(kept.map((column) => [column, row[column] ?? 'no such column']));
  });
  return { ...wanted, rows, ...(columns === undefined ? {} : { columns }) };
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
            // What shows less shows something.
            if (wanted.rows.length > 0 && answer.rows.length === 0)
              throw new Error(`${door}: none`);
            const expected = asShown(wanted, answer);
            // The doors' names tell which one is at fault.
            const [found, expectation] = [
              { door, ...comparable(answer, expected) },
              { door, ...comparable(expected, expected) },
            ];
            // Of many cells, texts are compared sooner.
            if (JSON.stringify(found) !== JSON.stringify(expectation)) {
              expect(found).toEqual(expectation);
            }
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
    blocks.map(({ name, formats }) => [name, formats.includes('geojson') ? 22 : 21]),
  );
});
