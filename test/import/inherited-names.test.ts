import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { ColumnCache } from '../../src/columns/column-cache.ts';
import { createClient, seedTable, tableName } from '../../src/dynamodb/client.ts';
import { datasetStore } from '../../src/dynamodb/dataset-store.ts';
import { ReadClient } from '../../src/dynamodb/read-client.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import type { Service } from '../../src/http/service.ts';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { localService } from '../../src/local/local-server.ts';
import type { Field } from '../../src/values/field-types.ts';
import { AMPLE_MS, SETTINGS } from '../support/ample.ts';
import { importDataset } from '../support/datasets.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { requestOf } from '../support/request-of.ts';
import { PATHS } from '../support/service.ts';

/** Names that every object of JavaScript has already, as a text, a number, and with nulls. */
const FIELDS: readonly Field[] = [
  { type: 'text', name: 'constructor', title: 'Constructor', indexed: true },
  { type: 'number', name: 'toString', title: 'To string' },
  { type: 'text', name: 'valueOf', title: 'Value of' },
  { type: 'number', name: 'hasOwnProperty', title: 'Has own property' },
];
const block = datasetBlock({
  id: 'inherited-id',
  name: 'inherited',
  title: 'Inherited',
  description: 'Made by a test.',
  fields: FIELDS,
  examples: [],
});

let embedded: EmbeddedDynamodb;
let client: DynamoDBClient;
const services = new Map<string, Service>();
beforeAll(async () => {
  const folder = await temporaryFolder();
  const csv =
    'constructor,__proto__,cache,_,toString\nBernini,1,2,3,4\n,1,2,3,\nBorromini,,,,7.5\n';
  await writeFile(path.join(folder, 'f.csv'), csv);
  const imported = await importDataset(
    block,
    {
      file: 'f.csv',
      sources: [{ title: 't' }],
      toRows: (rows) => ({
        rows: rows.map(({ cells }) =>
          Object.fromEntries([
            ['constructor', (cells.constructor as unknown as string) || null],
            ['toString', cells.tostring ? Number(cells.tostring) : null],
            ['valueOf', null],
            ['hasOwnProperty', null],
          ]),
        ),
        notes: [],
      }),
    },
    folder,
  );
  const { manifest, profile } = imported;
  embedded = await startEmbeddedDynamodb();
  client = createClient({ ...embedded, requestTimeout: AMPLE_MS });
  const reader = new ReadClient({ ...embedded, requestTimeout: AMPLE_MS });
  await seedTable(client, imported);
  for (const [name, cacheBytes] of PATHS) {
    const table = { client: reader, name: tableName(manifest), block, manifest };
    const dataset = { block, manifest, store: datasetStore(table, new ColumnCache(cacheBytes)) };
    const served = serveDataset(dataset, { profile: () => profile });
    services.set(name, localService([served], SETTINGS));
  }
});
afterAll(async () => {
  client.destroy();
  await embedded.stop();
  await cleanUp();
});

describe.each(PATHS)('columns that are called as what every object has, on the %s path', (on) => {
  const ask = async (query: string) => {
    const address = `/api_v2/blocks/inherited?${query}`;
    const response = await requestOf(services.get(on) as Service)(address);
    return { status: response.status, text: await response.text() };
  };
  const rowsOf = async (query: string) => {
    const { status, text } = await ask(query);
    expect(status).toBe(200);
    return JSON.parse(text).params.results.map((row: object) => Object.values(row));
  };
  const BERNINI = ['Bernini', 4, null, null];
  const NOBODY = [null, null, null, null];
  const BORROMINI = ['Borromini', 7.5, null, null];

  test.each([
    ['_limit=10', [BERNINI, NOBODY, BORROMINI]],
    ['constructor=borromini', [BORROMINI]],
    ['constructor=*', [BERNINI, BORROMINI]],
    ['toString_min=5', [BORROMINI]],
    ['toString_max=4', [BERNINI]],
    ['valueOf=*', []],
    ['hasOwnProperty_min=0', []],
    ['_sort=-toString', [BORROMINI, BERNINI, NOBODY]],
    ['_sort=constructor&_fields=constructor', [['Bernini'], ['Borromini'], [null]]],
    ['_sort=valueOf', [BERNINI, NOBODY, BORROMINI]],
  ])('%s', async (query, rows) => {
    expect(await rowsOf(query)).toEqual(rows);
  });

  test('as CSV', async () => {
    expect((await ask('_format=csv')).text).toBe(
      'constructor,toString,valueOf,hasOwnProperty\r\nBernini,4,,\r\n,,,\r\nBorromini,7.5,,\r\n',
    );
  });

  test('as a page, with a form and without an error', async () => {
    for (const query of ['_format=html', '_format=html&constructor=x&toString_min=9']) {
      const { status, text } = await ask(query);
      expect(status).toBe(200);
      expect(text).toContain('name="constructor"');
      expect(text).not.toMatch(/native code|\[object|undefined/);
    }
  });

  test('described, with what is known of each', async () => {
    const { text } = await ask('');
    const { parameters } = JSON.parse(text);
    expect(parameters[0]).toMatchObject({ name: 'constructor', nulls: 1, distinct: 2 });
    expect(parameters[1]).toMatchObject({ name: 'toString', range: { min: 4, max: 7.5 } });
  });
});
