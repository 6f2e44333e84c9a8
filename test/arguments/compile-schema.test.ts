import path from 'node:path';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { schemaOfValue } from '../../src/block/schema.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { ROOT } from '../support/service.ts';
import { typedBlock } from '../support/typed-block.ts';

const shipped = await loadBlocks(path.join(ROOT, 'functions'));
const blocks = [typedBlock, ...shipped.map(({ block }) => block)];

test.each(blocks.map((block) => [block.name, block] as const))(
  'each schema of %s is one, which nothing checks when it is compiled',
  (_, { parameters, options }) => {
    const ajv = new Ajv2020();
    for (const parameter of [...parameters, ...options]) {
      const schema = schemaOfValue(parameter);
      expect([parameter.name, ajv.validateSchema(schema)]).toEqual([parameter.name, true]);
    }
  },
);

test('a faulty one would be found', () => {
  expect(new Ajv2020().validateSchema({ type: 'string', minLength: -1 })).toBe(false);
});
