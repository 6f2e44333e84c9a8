import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { blockTypes } from '../../src/assets/block-types.ts';
import { valueBlock } from '../../src/block/block.ts';
import { addBlock, copyCheckout } from '../support/checkout.ts';
import { command } from '../support/command.ts';
import { cleanUp } from '../support/process.ts';
import { ROOT } from '../support/service.ts';
import { tinyBlock } from '../support/tiny-block.ts';

describe('the types of a block', () => {
  const ofTiny = blockTypes([tinyBlock]);

  test('are there by its name and by its id', async () => {
    expect(await ofTiny).toContain('\n  tiny: {\n');
    expect(await ofTiny).toContain("\n  'tiny-id': Blocks['tiny'];\n");
  });

  test.each([
    ['a text, or any of several', 'street?: string | string[];'],
    ['a number', 'number_max?: number;'],
    [
      'an option of a few words, where groups have others',
      "_sort?: ('street' | '-street' | 'number' | '-number' | (string & {})) | string[];",
    ],
    ['a field of a row, always there, null where it has no value', 'street: string | null;'],
    ['a number of all rows', 'total: number;'],
  ])('have %s', async (_, line) => expect(await ofTiny).toContain(` ${line}\n`));

  test('have no _format: the client reads JSON', async () => {
    expect(tinyBlock.options.map(({ name }) => name)).toContain('_format');
    expect(await ofTiny).not.toContain('_format');
  });

  test('have what a value block takes and gives, whatever its names and texts', async () => {
    const numbers = { type: 'array', items: { type: 'number' } };
    const text = await blockTypes([
      valueBlock({
        id: '3d-model',
        name: '3d-model',
        title: "A */ 'title'",
        description: 'And more.',
        parameters: [
          { type: 'number', name: 'size', title: 'Size', required: true },
          { type: 'choice', name: 'unit', title: 'Unit', choices: ["it's", 'm'] },
        ],
        outputSchema: {
          type: 'object',
          properties: {
            place: { ...numbers, minItems: 2, maxItems: 2 },
            results: { type: 'array', items: { type: 'object', properties: { b: numbers } } },
            sizes: { ...numbers, minItems: 1, maxItems: 3 },
            more: {
              type: 'object',
              properties: { a: { type: 'string' } },
              additionalProperties: false,
            },
          },
          additionalProperties: false,
        },
        examples: [],
      }),
    ]);
    expect(text).toContain("\n  '3d-model': {\n");
    for (const line of ['size: number;', `unit?: "it's" | 'm';`, 'place: [number, number];']) {
      expect(text).toContain(` ${line}\n`);
    }
    expect(text).toContain(' sizes: number[];\n');
    // What a member of an answer has is not for _fields to say.
    expect(text).toMatch(/ more: \{\n +a\?: string;\n/);
    expect(text).toMatch(/ results: \{\n +b\?: number\[\];\n/);
    expect(text.split('*/ ')).toHaveLength(1);
  });
});

describe('npm run generate', () => {
  afterAll(cleanUp);

  const generate = (cwd: string, ...options: string[]) =>
    command(process.execPath, ['--import', 'tsx', 'bin/generate.ts', ...options], {
      cwd,
      env: { PATH: process.env.PATH },
    });

  test('has written all that it writes', async () => {
    expect(await generate(ROOT, '--check')).toMatchObject({ code: 0, output: '' });
  });

  test("writes a fourth block's types with no other edit, and checks that they are current", async () => {
    const checkout = await copyCheckout();
    const fields = [{ type: 'text', name: 'species', title: 'Species' }];
    await addBlock(checkout, { name: 'fourth-block', fields, csv: 'species\nGinkgo\n' });
    expect(await generate(checkout)).toMatchObject({
      code: 0,
      output: expect.stringContaining('client/src/blocks.ts written.\n'),
    });
    const file = path.join(checkout, 'client/src/blocks.ts');
    const text = await readFile(file, 'utf8');
    expect(text).toContain("\n  'fourth-block': {\n");
    expect(text).toContain("\n  'fourth-block-id': Blocks['fourth-block'];\n");
    await appendFile(file, 'export type Extra = 1;\n');
    expect(await generate(checkout, '--check')).toMatchObject({
      code: 1,
      output: 'client/src/blocks.ts is out of date: run "npm run generate".\n',
    });
  });
});
