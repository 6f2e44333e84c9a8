import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { validateBy } from '../../src/arguments/check.ts';
import { checksOf, newAjv } from '../../src/arguments/compile-schema.ts';
import { isBlank, normalise } from '../../src/arguments/given.ts';
import { argumentSchema } from '../../src/block/argument-schema.ts';
import { type Block, datasetBlock } from '../../src/block/block.ts';
import { describeBlock } from '../../src/block/describe-block.ts';
import { groupingOf, havingFilters, measuresOf } from '../../src/block/grouping.ts';
import { NOT } from '../../src/block/parameter.ts';
import { oneRowOf } from '../../src/block/row-key.ts';
import { schemaOfValue } from '../../src/block/schema.ts';
import { openapiOfBlock } from '../../src/channels/openapi/openapi-document.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import type { JsonSchema } from '../../src/values/field-type.ts';
import { TIME_PARTS } from '../../src/values/time-part.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';
import { typedBlock } from '../support/typed-block.ts';

const FUNCTIONS = path.join(ROOT, 'functions');
const shipped = (await loadBlocks(FUNCTIONS)).map(({ block }) => block);
const wordy = datasetBlock({
  ...{ id: 'w', name: 'wordy', title: 'Words', description: '', noun: 'rows', examples: [] },
  fields: [
    { type: 'text', name: 'kind', title: 'Kind' },
    { type: 'date', name: 'day', title: 'Day' },
  ],
});
const blocks: readonly Block[] = [...shipped, typedBlock, wordy];
const named = blocks.map((block) => [block.name, block] as const);

afterAll(cleanUp);

const definitionsOf = (block: Block) =>
  new Set(Object.values(argumentSchema(block).$defs).map((form) => JSON.stringify(form)));

/** A property of a schema, with its definition in its place. */
function withDefinition({ $ref, ...said }: JsonSchema, { $defs }: JsonSchema): JsonSchema {
  const name = String($ref).replace('#/$defs/', '');
  return { ...said, ...($defs as Record<string, JsonSchema>)[name] };
}

describe.each(named)('the schema of %s', (_, block) => {
  const schema = argumentSchema(block);
  const properties = Object.entries(schema.properties as Record<string, JsonSchema>);
  const { input_schema: described } = JSON.parse(describeBlock(block));

  test('is one of JSON Schema 2020-12, which nothing checks when it is compiled', () => {
    expect(new Ajv2020().validateSchema(schema)).toBe(true);
    expect(new Ajv2020().validateSchema({ ...schema, minProperties: -1 })).toBe(false);
  });

  test('says of each argument what the description says', () => {
    for (const [name, property] of properties) {
      const of = name.startsWith(`${NOT}.`)
        ? described.properties[NOT].properties[name.slice(NOT.length + 1)]
        : described.properties[name];
      expect([name, withDefinition(property, schema)]).toEqual([name, of]);
    }
    expect(schema.required).toEqual(described.required);
  });

  test('has the names, the titles and what is required of OpenAPI', async () => {
    const document = JSON.parse(await openapiOfBlock({ block })(new Scheduler()));
    const sent = document.components.schemas[`${block.name}.arguments`];
    const titles = properties.map(([name, { title }]) => [name, title]);
    expect(titles).toEqual(titles.map(([name]) => [name, sent.properties[String(name)]?.title]));
    expect(schema.required).toEqual(sent.required);
  });

  test('accepts as a whole what its definitions accept one by one', () => {
    const whole = newAjv().compile(schema);
    const parameters = [...block.parameters, ...block.options];
    const validate = validateBy(
      checksOf(() => schema),
      parameters,
    );
    const member = fc.oneof(
      fc.constantFrom('a', '1', 'true', '2020-01-01', 'count', 'x*', '', 'json', '9'.repeat(400)),
      fc.integer({ min: -5, max: 300 }),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.constant({}),
    );
    const value = fc.oneof(member, fc.array(member, { maxLength: 4 }));
    const sent = fc.dictionary(fc.constantFrom(...parameters.map(({ name }) => name)), value, {
      maxKeys: 4,
    });
    fc.assert(
      fc.property(sent, (given) => {
        const values: Record<string, unknown> = {};
        for (const parameter of parameters) {
          if (!Object.hasOwn(given, parameter.name)) continue;
          const read = normalise(parameter, given[parameter.name]);
          if (!isBlank(read)) values[parameter.name] = read;
        }
        expect([values, whole(values)]).toEqual([values, validate(values).length === 0]);
      }),
      { numRuns: 300, seed: 56 },
    );
  });
});

test.each(named.filter(([, { answers }]) => answers === 'rows'))(
  '%s defines what a filter on any groups, and the address of any row, take',
  (_, block) => {
    const dataset = block as typeof wordy;
    const definitions = definitionsOf(block);
    const taken = oneRowOf(dataset).options.map((option) => schemaOfValue(option));
    const groups = dataset.fields.flatMap(({ name, type }) => [
      name,
      ...(/^date/.test(type) ? Object.keys(TIME_PARTS).map((part) => `${name}.${part}`) : []),
    ]);
    const measures = dataset.fields.flatMap((field) =>
      measuresOf(field).map((of) => `${of}:${field.name}`),
    );
    const asked = [
      ...groups.map((text) => ({ _group: [text], _measure: ['count', 'share:count'] })),
      ...measures.map((text) => ({ _measure: [text] })),
    ];
    const filtered = asked.flatMap((one) => {
      const grouping = groupingOf(dataset, one);
      if (grouping === undefined) throw new TypeError(`No groups: ${JSON.stringify(one)}`);
      return [...havingFilters(grouping).values()].map(({ parameter }) => schemaOfValue(parameter));
    });
    expect(filtered.length).toBeGreaterThan(5);
    const missing = [...taken, ...filtered].filter(
      (form) => !definitions.has(JSON.stringify(form)),
    );
    expect(missing).toEqual([]);
  },
);

test('a schema.json that is not of its block stops the start, and says what writes it', async () => {
  const folder = path.join(await temporaryFolder(), 'functions');
  const name = 'business-directory';
  cpSync(path.join(FUNCTIONS, name, 'block.json'), path.join(folder, name, 'block.json'));
  await loadBlocks(folder);
  const file = path.join(folder, name, 'schema.json');
  const text = readFileSync(path.join(FUNCTIONS, name, 'schema.json'), 'utf8');
  writeFileSync(file, text);
  await loadBlocks(folder);
  writeFileSync(file, text.replace('"maximum": 1000', '"maximum": 2000'));
  await expect(loadBlocks(folder)).rejects.toThrow(
    /^functions\/business-directory\/schema\.json is not the schema of this block; npm run generate/,
  );
});
