import path from 'node:path';
import { expect, test } from '@jest/globals';
import type { Parameter } from '../../src/core/parameter.ts';
import { loadBlocks } from '../../src/importer/load-blocks.ts';
import { ROOT } from '../support/service.ts';
import { readDocument, tableOf } from './markdown.ts';

const loaded = await loadBlocks(path.join(ROOT, 'functions'));

const HEADER = ['parameter', 'takes', 'title', 'unit'];

test.each(loaded.map(({ block }) => [block.name, block] as const))(
  'functions/%s/README.md lists the parameters that the block takes, and no other',
  (name, { parameters }) => {
    const rows = tableOf(readDocument(`functions/${name}/README.md`), HEADER);
    // On a difference: the lines on the left are the table that the document should have.
    expect(rows?.map(lineOf)).toEqual(parameters.map(cellsOf).map(lineOf));
  },
);

test.each(loaded.map(({ block }) => [block.name, block] as const))(
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
  const unit = parameter.kind === 'number' ? (parameter.unit ?? '') : '';
  return [`\`${parameter.name}\``, takes(parameter), parameter.title, unit];
}

function takes(parameter: Parameter): string {
  if (parameter.kind === 'choice') {
    return `${parameter.choices.join(', ')}${byDefault(parameter.default)}`;
  }
  if (parameter.kind !== 'number') return parameter.kind;
  const { integer, minimum, maximum, required, default: value } = parameter;
  const range = minimum === undefined ? '' : `, ${minimum} to ${maximum}`;
  const kind = integer ? 'whole number' : 'number';
  return `${kind}${range}${required ? ', required' : byDefault(value)}`;
}

function byDefault(value: unknown): string {
  return value === undefined ? '' : `; default ${value}`;
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
