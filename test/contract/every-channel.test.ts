import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DatasetBlock, datasetOf } from '../../src/block/block.ts';
import { type Grouping, groupColumns, groupingOf, measuresOf } from '../../src/block/grouping.ts';
import { isFilterable } from '../../src/block/parameter.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import type { Row } from '../../src/values/field-type.ts';
import { fewAtOnce } from '../../src/work/waiting.ts';
import { asShown, comparable } from '../support/channel-answer.ts';
import { channelsOf } from '../support/channels.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { PATHS, ROOT } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';

const blocks = (await loadBlocks(path.join(ROOT, 'functions'))).map(({ block }) => block);

const isDeployed = process.env.DEPLOYED_MEMORY_URL !== undefined;
/** The emulator starts a process for each call at a time. */
const AT_ONCE = isDeployed ? 2 : 20;
/** The gate asks for more; a deployed service takes tens of milliseconds a call. */
const ASKED_FOR = Number(process.env.CHANNEL_CALLS ?? 12);
const CALLS = {
  memory: isDeployed ? 12 : ASKED_FOR,
  DynamoDB: isDeployed ? 6 : Math.max(2, ASKED_FOR / 10),
} as const;

describe.each(PATHS)('on the %s path', (where, cacheBytes) => {
  const service = suiteService(cacheBytes);

  test.each(blocks.map((block) => [block.name, block] as const))(
    '%s: the same rows, cell by cell, through every channel',
    async (name, block) => {
      const all: Row[] =
        block.answers === 'rows' ? (await service.post(name, {})).body.params.results : [];
      const { 'JSON by POST': reference, ...others } = channelsOf(block);
      if (reference === undefined) throw new Error('JSON by POST is the one to compare with');
      let seen = 0;
      await fc.assert(
        fc.asyncProperty(randomArguments(block, all), async (given) => {
          const call = { service, block, arguments: given };
          const wanted = await reference(call);
          seen += wanted.rows.length;
          const answers = await fewAtOnce(
            Object.entries(others),
            AT_ONCE,
            async ([channel, ask]) => [channel, await ask(call)] as const,
          );
          for (const [channel, answer] of answers) {
            // What shows less shows something.
            if (wanted.rows.length > 0 && answer.rows.length === 0)
              throw new Error(`${channel}: none`);
            const expected = asShown(wanted, answer);
            // The channels' names tell which one is at fault.
            const [found, expectation] = [
              { channel, ...comparable(answer, expected) },
              { channel, ...comparable(expected, expected) },
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
  );
});

/** Questions about groups of a block's rows; with a filter, since deliveries need one. */
function questions({ fields }: DatasetBlock) {
  const dimensions = fields.flatMap(({ name, type }) =>
    type === 'number' || type === 'integer' ? [`${name}.10`, `${name}.0.5`] : [name],
  );
  const measures = fields.flatMap((field) => measuresOf(field).map((of) => `${of}:${field.name}`));
  return fc
    .record({
      _group: fc.uniqueArray(fc.constantFrom(...dimensions), { minLength: 1, maxLength: 2 }),
      _measure: fc.uniqueArray(fc.constantFrom('count', ...measures), {
        minLength: 1,
        maxLength: 3,
      }),
      _filled: fc.constantFrom(...fields.filter(isFilterable).map(({ name }) => [name])),
      _limit: fc.integer({ min: 1, max: 60 }),
      isDown: fc.boolean(),
    })
    .map(({ isDown, ...asked }) => {
      const [column = ''] = asked._group;
      return { ...asked, _sort: `${isDown ? '-' : ''}${column.replaceAll('.', '_')}` };
    });
}

describe('groups of rows', () => {
  const service = suiteService();

  const datasets = blocks.flatMap((block) => datasetOf(block) ?? []);
  test.each(datasets.map((block) => [block.name, block] as const))(
    '%s: the same groups, cell by cell, through every channel but GeoJSON',
    async (_, block) => {
      await fc.assert(
        fc.asyncProperty(questions(block), async (given) => {
          const grouping = groupingOf(block, given) as Grouping;
          const shaped = { ...block, fields: groupColumns(grouping) };
          const { 'JSON by POST': reference, GeoJSON, ...others } = channelsOf(block);
          const wanted = await reference?.({ service, block, arguments: given });
          if (wanted === undefined) throw new Error('no reference');
          for (const [channel, ask] of Object.entries(others)) {
            // Readers of texts need to know the columns; writers of lines the block's options.
            const isTyped = /Slack|command line/.test(channel);
            const answer = await ask({
              service,
              block: isTyped ? block : shaped,
              arguments: given,
            });
            const expected = asShown(wanted, answer);
            expect({ channel, ...comparable(answer, expected) }).toEqual({
              channel,
              ...comparable(expected, expected),
            });
          }
        }),
        { numRuns: 6, seed: 7 },
      );
    },
  );
});

test('every block has every channel that its rows allow', () => {
  const channels = blocks.map((block) => [block.name, Object.keys(channelsOf(block)).length]);
  expect(channels).toEqual(
    blocks.map(({ name, formats }) => [
      name,
      21 + ['geojson', 'parquet'].filter((format) => formats.some((one) => one === format)).length,
    ]),
  );
});
