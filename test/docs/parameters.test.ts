import path from 'node:path';
import { expect, test } from '@jest/globals';
import type { Parameter } from '../../src/block/parameter.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { ROOT } from '../support/service.ts';
import { readDocument, tableOf } from './markdown.ts';

const loaded = await loadBlocks(path.join(ROOT, 'functions'));

const HEADER = ['parameter', 'takes', 'title', 'unit'];

const ofValues = loaded.filter(({ kind }) => kind === 'value').map(({ block }) => block);

test.each(ofValues.map((block) => [block.name, block] as const))(
  'functions/%s/README.md lists the parameters that the block takes, and no other',
  (name, { parameters }) => {
    const rows = tableOf(readDocument(`functions/${name}/README.md`), HEADER);
    // On a difference: the lines on the left are the table that the document should have.
    expect(rows?.map(lineOf)).toEqual(parameters.map(cellsOf).map(lineOf));
  },
);

test.each(ofValues.map((block) => [block.name, block] as const))(
  'functions/%s/README.md says what the block is called',
  (name, { id, title }) => {
    const document = readDocument(`functions/${name}/README.md`);
    expect(document.split('\n')[0]).toBe(`# ${title}`);
    expect(document).toContain(`\`${id}\``);
  },
);

test('docs/semantics.md lists the options that the blocks take, and no other', () => {
  const options = new Map(
    loaded.flatMap(({ block }) => block.options.map(({ name, title }) => [name, title] as const)),
  );
  const rows = tableOf(readDocument('docs/semantics.md'), ['option', 'title', 'takes', 'default']);
  expect(rows?.map(([name, title]) => [name, title])).toEqual(
    [...options].map(([name, title]) => [`\`${name}\``, title]),
  );
});

function cellsOf(parameter: Parameter): string[] {
  const { name, title, unit = '' } = parameter;
  return [`\`${name}\``, takes(parameter), title, unit];
}

function takes(parameter: Parameter): string {
  const { type, choices, minimum, maximum, required, default: value } = parameter;
  if (choices !== undefined) return `${choices.join(', ')}${byDefault(value)}`;
  const range = minimum === undefined ? '' : `, ${minimum} to ${maximum}`;
  const noun = type === 'integer' ? 'whole number' : type;
  return `${noun}${range}${required ? ', required' : byDefault(value)}`;
}

function byDefault(value: unknown): string {
  return value === undefined ? '' : `; default ${value}`;
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
