import { expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { unwrapStandard } from '../../src/http/webhooks.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const body = { street: 'a', data: { number_min: 1 }, type: 't', timestamp: 'now' };

test('data are opened', () => {
  expect({ ...unwrapStandard(tinyBlock, body).body }).toEqual({ street: 'a', number_min: 1 });
});

test.each([[''], [null], [[]], [' ']])(
  'a blank in data (%j) puts out nothing beside it',
  (blank) => {
    const sent = { street: 'a', data: { street: blank, number_min: 1 } };
    expect({ ...unwrapStandard(tinyBlock, sent).body }).toEqual({ street: 'a', number_min: 1 });
  },
);

test('a block that has a parameter called data keeps it', () => {
  const { id, name, title, description, examples } = tinyBlock;
  const block = datasetBlock({
    ...{ id, name, title, description, examples },
    fields: [{ type: 'text', name: 'data', title: 'Data' }],
  });
  expect(unwrapStandard(block, body).body).toEqual(body);
});

test.each([['text'], [7], [[{ number_min: 1 }]], [true]])(
  'data that are %j are no envelope',
  (data) => {
    expect(unwrapStandard(tinyBlock, { data, type: 't' }).body).toEqual({ data, type: 't' });
  },
);
