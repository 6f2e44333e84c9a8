import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBlock, copyCheckout, installed } from '../support/checkout.ts';
import { command } from '../support/command.ts';
import { cleanUp, startServer } from '../support/process.ts';
import { callers, type Service } from '../support/service.ts';

/** A format that is not among ours: tab-separated values (IANA's text/tab-separated-values). */
const TSV = `import { type OutputFormat, textPieces } from './format.ts';

export const tsv: OutputFormat = {
  title: 'TSV',
  contentType: 'text/tab-separated-values; charset=utf-8',
  accepted: ['text/tab-separated-values'],
  extension: 'tsv',
  writer: ({ columns, fields = columns }) =>
    textPieces({
      before: lineOf(fields),
      rows: (texts) => texts.map((text) => lineOf(Object.values(JSON.parse(text)))).join(''),
      behind: '',
    }),
};

function lineOf(cells: readonly unknown[]): string {
  return \`\${cells.map((cell) => String(cell ?? '').replaceAll('\\t', ' ')).join('\\t')}\\n\`;
}
`;

let checkout: string;
/** It as it is installed. */
let blockyard: string;
let service: Service;
beforeAll(async () => {
  checkout = await copyCheckout();
  await writeFile(path.join(checkout, 'src/formats/tsv.ts'), TSV);
  const list = path.join(checkout, 'src/formats/formats.ts');
  const text = await readFile(list, 'utf8');
  // One file, and one line in the list, which is an import and a name.
  await writeFile(
    list,
    `import { tsv } from './tsv.ts';\n${text.replace('html };', 'html, tsv };')}`,
  );
  await addBlock(checkout, {
    name: 'bridges',
    fields: [
      { type: 'text', name: 'bridge', title: 'Bridge', main: true },
      { type: 'integer', name: 'built', title: 'Built' },
    ],
    csv: 'bridge,built\nBrooklyn,1883\nManhattan,1909\nNone,\n',
  });
  blockyard = await installed(checkout);
  const { url } = await startServer(
    {
      DATA_DIR: path.join(checkout, 'data'),
      BLOCKYARD_BLOCKS: checkout,
    },
    blockyard,
  );
  service = { ...callers(url), log: [], close: async () => {} };
});
afterAll(cleanUp);

const BROOKLYN = 'Brooklyn\t1883\n';
const MANHATTAN = 'Manhattan\t1909\n';
const HEADER = 'bridge\tbuilt\n';

describe('a format of answers is a file and a line: TSV is', () => {
  test('answered, by _format and by Accept', async () => {
    const named = await service.get('/api_v2/blocks/bridges?_format=tsv&built_min=1900');
    expect(named.text).toBe(`${HEADER}${MANHATTAN}`);
    const { text, headers } = await service.get('/api_v2/blocks/bridges', {
      accept: 'text/tab-separated-values',
    });
    expect(text).toBe(`${HEADER}${BROOKLYN}${MANHATTAN}None\t\n`);
    expect(headers.get('content-type')).toBe('text/tab-separated-values; charset=utf-8');
  });

  test('saved as a file with its extension, and of groups as well', async () => {
    const { text, headers } = await service.get(
      '/api_v2/blocks/bridges?_format=tsv&_measure=count',
    );
    expect(headers.get('content-disposition')).toMatch(/\.tsv"?$/);
    expect(text).toBe('count\n3\n');
  });

  test('described, and a choice of _format', async () => {
    const { body } = await service.get('/api_v2/blocks/bridges');
    expect(body.input_schema.properties._format.enum).toContain('tsv');
  });

  test('in the OpenAPI document, with its media type', async () => {
    const { body } = await service.get('/openapi.json');
    const { get } = body.paths['/blocks/bridges'];
    expect(get.responses['200'].content).toHaveProperty(['text/tab-separated-values']);
  });

  test('offered by the page', async () => {
    const { text } = await service.get('/api_v2/blocks/bridges?built_min=1900', {
      accept: 'text/html',
    });
    expect(text).toMatch(/<a href="[^"]*_format=tsv[^"]*">TSV<\/a>/);
  });

  test('on the command line', async () => {
    const typed = await command(
      process.execPath,
      ['bin/blockyard.js', 'run', 'bridges', '--format', 'tsv', '--url', service.url],
      { cwd: blockyard, env: { PATH: process.env.PATH } },
    );
    expect(typed.output).toBe(`${HEADER}${BROOKLYN}${MANHATTAN}None\t\n`);
  });
});
