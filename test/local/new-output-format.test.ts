import { beforeAll, describe, expect, test } from '@jest/globals';
import { command } from '../support/command.ts';
import { recipes } from '../support/recipes.ts';
import { callers, type Service } from '../support/service.ts';

let blockyard: string;
let service: Service;
beforeAll(async () => {
  const made = await recipes();
  blockyard = made.installed;
  service = { ...callers(made.url), log: [], close: async () => {} };
});

const BROOKLYN = 'Brooklyn\t1883\n';
const MANHATTAN = 'Manhattan\t1909\n';
const HEADER = 'bridge\tbuilt\n';

describe('a format of answers is a file and a line: TSV is', () => {
  test('answered, by _format and by Accept', async () => {
    const named = await service.get('/api_v2/blocks/viaducts?_format=tsv&built_min=1900');
    expect(named.text).toBe(`${HEADER}${MANHATTAN}`);
    const { text, headers } = await service.get('/api_v2/blocks/viaducts', {
      accept: 'text/tab-separated-values',
    });
    expect(text).toBe(`${HEADER}${BROOKLYN}${MANHATTAN}None\t\n`);
    expect(headers.get('content-type')).toBe('text/tab-separated-values; charset=utf-8');
  });

  test('saved as a file with its extension, and of groups as well', async () => {
    const { text, headers } = await service.get(
      '/api_v2/blocks/viaducts?_format=tsv&_measure=count',
    );
    expect(headers.get('content-disposition')).toMatch(/\.tsv"?$/);
    expect(text).toBe('count\n3\n');
  });

  test('described, and a choice of _format', async () => {
    const { body } = await service.get('/api_v2/blocks/viaducts');
    expect(body.input_schema.properties._format.enum).toContain('tsv');
  });

  test('in the OpenAPI document, with its media type', async () => {
    const { body } = await service.get('/openapi.json');
    const { get } = body.paths['/blocks/viaducts'];
    expect(get.responses['200'].content).toHaveProperty(['text/tab-separated-values']);
  });

  test('offered by the page', async () => {
    const { text } = await service.get('/api_v2/blocks/viaducts?built_min=1900&_view=table', {
      accept: 'text/html',
    });
    expect(text).toMatch(/<a href="[^"]*_format=tsv[^"]*">TSV<\/a>/);
  });

  test('on the command line', async () => {
    const typed = await command(
      process.execPath,
      ['bin/blockyard.js', 'run', 'viaducts', '--format', 'tsv', '--url', service.url],
      { cwd: blockyard, env: { PATH: process.env.PATH } },
    );
    expect(typed.output).toBe(`${HEADER}${BROOKLYN}${MANHATTAN}None\t\n`);
  });
});
