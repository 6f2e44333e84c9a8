import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { Field } from '../../src/values/field-types.ts';
import { SLACK_SECRET } from '../slack/signed-request.ts';
import { channelsOf } from '../support/channels.ts';
import { addBlock, copyCheckout } from '../support/checkout.ts';
import { madeOnce } from '../support/once/made-once.ts';
import { cleanUp, paste, type ServerProcess, startServer } from '../support/process.ts';
import { callers } from '../support/service.ts';

const NAME = 'street-trees';

const FIELDS: readonly Field[] = [
  { type: 'text', name: 'species', title: 'Species', indexed: true },
  { type: 'number', name: 'height', title: 'Height', unit: 'metres' },
  { type: 'number', name: 'planted', title: 'Year of planting', filterable: false },
];

/** The same block as the checkout has it, for what the channels' tests ask of a block. */
const block = datasetBlock({
  id: `${NAME}-id`,
  name: NAME,
  title: NAME,
  description: '',
  examples: [],
  fields: FIELDS,
});

let checkout: string;
let server: ServerProcess;
let service: ReturnType<typeof callers>;
beforeAll(async () => {
  checkout = await copyCheckout();
  await addBlock(checkout, {
    name: NAME,
    fields: FIELDS,
    csv: [
      '\ufeffSpecies,Height,Planted',
      'London plane,31.5,1921',
      '"Ginkgo,\r\nfemale",12,1960',
      'LINDEN,18.25,',
      '',
      'Linden,,1988',
    ].join('\r\n'),
  });
  server = await startServer(
    {
      DATA_DIR: path.join(checkout, 'data'),
      BLOCKYARD_BLOCKS: checkout,
      SLACK_SIGNING_SECRET: SLACK_SECRET,
    },
    await madeOnce<string>('package'),
  );
  service = callers(server.url);
});
afterAll(cleanUp);

/** The rows that a page holds, each as its cells. */
const cells = ({ body }: { body: { params: { results: Record<string, unknown>[] } } }) =>
  body.params.results.map((row) => Object.values(row));

describe('a folder and its data are all that a fourth block needs', () => {
  test('it is listed', async () => {
    const { body } = await service.get('/api_v2/blocks');
    const names = body.blocks.map(({ name }: { name: string }) => name);
    expect(names).toHaveLength(4);
    expect(names).toContain(NAME);
    expect(server.report).toContain(`${NAME}: 4 rows of seed-data/${NAME}.csv`);
  });

  test('it is described, with its data', async () => {
    const { body } = await service.get(`/api_v2/blocks/${NAME}`);
    expect(body.parameters.map(({ name }: { name: string }) => name)).toEqual([
      'species',
      'height',
      'height_min',
      'height_max',
      '_empty',
      '_filled',
      '_q',
      '_not',
      '_or',
    ]);
    expect(body.parameters[1]).toMatchObject({
      unit: 'metres',
      range: { min: 12, max: 31.5 },
      nulls: 1,
    });
    expect(body.dataset).toMatchObject({ rows: 4, license: 'CC0', title: NAME });
    expect(body.dataset.version).toMatch(/^[0-9a-f]{20}$/);
  });

  test('it is queried by POST and by GET, by name and by id', async () => {
    const linden = [
      ['LINDEN', 18.25, null],
      ['Linden', null, 1988],
    ];
    expect(cells(await service.post(NAME, { species: 'linden' }))).toEqual(linden);
    expect(cells(await service.get(`/api_v2/blocks/${NAME}-id?species=Linden`))).toEqual(linden);
    expect(cells(await service.post(NAME, { height_min: 12, height_max: '18.25' }))).toEqual([
      ['Ginkgo,\nfemale', 12, 1960],
      ['LINDEN', 18.25, null],
    ]);
    expect((await service.post(NAME, { heigth_min: 1 })).body.errors[0].suggestion).toBe(
      'height_min',
    );
  });

  test('it is paged and sorted', async () => {
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const options = cursor === null ? {} : { _cursor: cursor };
      const answer = await service.post(NAME, { _limit: 3, _sort: '-height', ...options });
      expect(answer.status).toBe(200);
      seen.push(...cells(answer).map(([, height]) => height));
      cursor = answer.body.params.next;
    } while (cursor !== null);
    expect(seen).toEqual([31.5, 18.25, 12, null]);
  });

  test('every channel opens: page, formats, document, client, webhooks, MCP, Slack, command line', async () => {
    const browser = { accept: 'text/html' };
    expect((await service.get('/', browser)).text).toContain(`href="./api_v2/blocks/${NAME}"`);
    const page = await service.get(`/api_v2/blocks/${NAME}?species=linden&_view=table`, browser);
    expect(page.status).toBe(200);
    const words = page.text.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');
    expect(words).toContain('2 of 4 rows where Species is “linden”');
    // Its source has a title and nothing else.
    expect(words).toContain('street-trees.TermsCC0');
    const api = await service.get(`/api_v2/blocks/${NAME}?_view=api`, browser);
    for (const language of [
      'curl',
      'javascript',
      'python',
      'ruby',
      'php',
      'r',
      'go',
      'spreadsheet',
    ]) {
      expect(api.text).toContain(`id="s-${language}"`);
    }
    const rows = (await service.post(NAME, {})).body.params.results;
    const channels = Object.entries(channelsOf(block));
    expect(channels).toHaveLength(22);
    const call = { service: { ...service, log: [], close: async () => {} }, block };
    for (const [channel, ask] of channels) {
      const answer = await ask({ ...call, arguments: { height_min: 12, _limit: 9 } });
      expect([channel, answer.rows.map(({ height }) => height)]).toEqual([
        channel,
        rows
          .map(({ height }: { height: number | null }) => height)
          .filter((height: number | null) => height !== null)
          .map(String),
      ]);
    }
    const { body } = await service.get('/openapi.json');
    expect(Object.keys(body.paths)).toContain(`/blocks/${NAME}`);
  });

  test('its curl line works', async () => {
    const line = server.report
      .split('\n')
      .find((text) => text.endsWith(`${NAME} -G -d _format=json`));
    const { status, body } = await paste(line as string);
    expect([status, JSON.parse(body).params.count]).toEqual([200, 4]);
  });
});
