import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { wideBlock } from '../../bench/hostile/wide-set.ts';
import type { ValueBlock } from '../../src/block/block.ts';
import type { Described } from '../../src/block/describe-block.ts';
import {
  OPENAPI_PATH,
  openapiOfBlock,
  openapiText,
} from '../../src/channels/openapi/openapi-document.ts';
import { FORMATS as FORMAT_TYPES } from '../../src/formats/formats.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { FAULTS, PROBLEMS } from '../../src/problem/errors.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { importDataset } from '../support/datasets.ts';
import { ROOT } from '../support/service.ts';
import { tinyBlock } from '../support/tiny-block.ts';
import { turnsDuring } from '../support/turns-during.ts';

const described: Described[] = await Promise.all(
  (await loadBlocks(path.join(ROOT, 'functions'))).map(async (loaded) => {
    if (loaded.kind === 'value') return { block: loaded.block };
    const seedData = path.join(ROOT, 'seed-data');
    const { manifest } = await importDataset(loaded.block, loaded.dataset, seedData);
    return { block: loaded.block, manifest };
  }),
);

// biome-ignore lint/suspicious/noExplicitAny: a document is of any shape
type Any = any;

const scheduler = new Scheduler();
const document: Any = JSON.parse(await openapiText(described, scheduler));
const { schemas, responses } = document.components;

const BODIES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
const REQUEST_HEADERS = ['Prefer', 'If-None-Match'];

/** What a reference stands for. */
function resolved(node: Any): Any {
  if (node?.$ref === undefined) return node;
  const parts = node.$ref.replace('#/', '').split('/');
  return parts.reduce((found: Any, part: string) => found?.[part], document);
}

/** Every object of the document. */
function* nodesOf(node: Any): Generator<Any> {
  if (typeof node !== 'object' || node === null) return;
  yield node;
  for (const member of Object.values(node)) yield* nodesOf(member);
}

const operations: [string, Any][] = Object.entries(document.paths).flatMap(([address, item]) =>
  Object.entries(item as object).map(([method, operation]): [string, Any] => [
    `${method} ${address}`,
    operation,
  ]),
);

describe('the document', () => {
  test('is OpenAPI 3.1 in the dialect of our schemas', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.jsonSchemaDialect).toBe('https://json-schema.org/draft/2020-12/schema');
    // Either would give the references within another base.
    const bases = [...nodesOf(document)].filter((node) => '$id' in node || '$schema' in node);
    expect(bases).toEqual([]);
  });

  test('has the list, the blocks, and the datasets’ packages and rows, and no other address', () => {
    expect(Object.keys(document.paths)).toEqual([
      '/blocks',
      ...described.flatMap(({ block, manifest }) => {
        const address = `/blocks/${block.name}`;
        if (manifest === undefined) return [address];
        return [address, `${address}/datapackage.json`, `${address}/rows/{row}`];
      }),
    ]);
  });

  test('is the same each time, and leaves the blocks as they were', async () => {
    const before = JSON.stringify(described);
    expect(await openapiText(described, scheduler)).toBe(JSON.stringify(document));
    expect(JSON.stringify(described)).toBe(before);
  });

  test('refers to nothing that is not there', () => {
    const references = [...nodesOf(document)].filter((node) => typeof node.$ref === 'string');
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((node) => resolved(node) === undefined)).toEqual([]);
  });

  test.each([
    ['https://data.example/openapi.json', 'https://data.example/api_v2/blocks/x'],
    ['https://aws.example/prod/openapi.json', 'https://aws.example/prod/api_v2/blocks/x'],
    ['http://127.0.0.1:8787/a/b/openapi.json', 'http://127.0.0.1:8787/a/b/api_v2/blocks/x'],
  ])('at %s it is of %s', (address, wanted) => {
    expect(address.endsWith(`/${OPENAPI_PATH}`)).toBe(true);
    const [server] = document.servers;
    expect(`${new URL(server.url, address)}/blocks/x`).toBe(wanted);
  });

  test('asks for no key, and takes one in each of the three places', () => {
    const { securitySchemes } = document.components;
    const [none, ...keys] = document.security;
    expect(none).toEqual({});
    const places = keys.flatMap(Object.keys).map((name: string) => {
      const { type, in: where, name: called, scheme } = securitySchemes[name];
      return [type, where ?? scheme, called];
    });
    expect(places).toEqual([
      ['apiKey', 'header', 'x-api-key'],
      ['http', 'bearer', undefined],
      ['apiKey', 'query', 'api_key'],
    ]);
  });

  test('says where the data are from', () => {
    for (const { block, manifest } of described) {
      const tag = document.tags.find(({ name }: Any) => name === block.name);
      expect(tag.description).toBe(block.description);
      expect(tag['x-dataset']?.license).toBe(manifest?.source.license);
      expect(tag['x-dataset']?.version).toBe(manifest?.version);
      expect(tag['x-sources']).toEqual((block as ValueBlock).sources);
    }
  });
});

describe('every operation', () => {
  test('has an id of its own, a summary, a description and a known tag', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map(({ name }: Any) => name);
    for (const [, operation] of operations) {
      expect(operation.operationId).toMatch(/^[\w-]+$/);
      expect(operation.summary).toMatch(/\w/);
      expect(operation.description).toMatch(/\w/);
      expect(tags).toEqual(expect.arrayContaining(operation.tags));
    }
  });

  test('has the headers that every answer has, with a run id', () => {
    for (const [, operation] of operations) {
      for (const response of Object.values(operation.responses).map(resolved)) {
        expect(Object.keys(response.headers)).toEqual(
          expect.arrayContaining(['X-Run-Id', 'Access-Control-Allow-Origin']),
        );
      }
    }
    expect(document.components.headers['X-Run-Id'].required).toBe(true);
  });
});

describe.each(described)('$block.name', ({ block, manifest }) => {
  const { get, post } = document.paths[`/blocks/${block.name}`];
  const all = [...block.parameters, ...block.options];
  const names = all.map(({ name }) => name);
  const contents = BODIES.map((type): [string, Any] => [type, post.requestBody.content[type]]);
  const schemaOf = (content: Any) => resolved(content.schema);

  test('takes each parameter and option in the query, and no other', () => {
    const parameters = get.parameters.map(resolved);
    const inQuery = parameters.filter((parameter: Any) => parameter.in === 'query');
    expect(inQuery.map(({ name }: Any) => name)).toEqual(names);
    const others = parameters.filter((parameter: Any) => parameter.in !== 'query');
    expect(others.map(({ name }: Any) => name)).toEqual(REQUEST_HEADERS);
  });

  test.each(contents)('takes each of them as %s, and no other', (type, content) => {
    expect(Object.keys(post.requestBody.content)).toEqual(BODIES);
    const schema = schemaOf(content);
    const hasNot = names.some((name) => name.startsWith('_not.'));
    // JSON has an object too for what is turned round, and a list for alternatives.
    const wanted =
      type === 'application/json' && hasNot ? [...names, '_not', '_or', '_having'] : names;
    expect(Object.keys(schema.properties)).toEqual(wanted);
    expect(schema.additionalProperties).toBe(false);
  });

  test('needs those that are required', () => {
    const required = all.filter((p) => p.required).map(({ name }) => name);
    expect(post.requestBody.required).toBe(required.length > 0);
    for (const [, content] of contents) {
      expect(schemaOf(content).required ?? []).toEqual(required);
    }
    for (const name of required) expect(get.description).toContain(name);
  });

  test.each(all)('says of $name what it is', (parameter) => {
    const { name, title, type, field, description } = parameter;
    const inQuery = get.parameters.find((each: Any) => each.name === name);
    expect(inQuery.description).toContain(title);
    const written = [
      inQuery,
      ...contents.map(([, content]) => {
        const { properties } = schemaOf(content);
        return properties[name] ?? properties._not.properties[name.slice('_not.'.length)];
      }),
    ];
    for (const each of written) {
      if (description !== undefined) expect(each.description).toContain(description);
      const schema = each.schema ?? each;
      const [first] = schema.anyOf ?? [schema];
      if (field !== undefined) expect(schema.$ref).toMatch(new RegExp(`/${type}\\b`));
      else if (type === 'integer') {
        const { minimum, maximum, unit, default: value } = parameter;
        expect(first).toMatchObject({
          type,
          ...(minimum === undefined ? {} : { minimum, maximum }),
        });
        expect([schema.default, schema['x-unit']]).toEqual([value, unit]);
        if (unit !== undefined) expect(each.description).toContain(unit);
      }
      if (type === 'choice' && !parameter.list) expect(first.enum).toEqual(parameter.choices);
      if (type === 'boolean') expect(first.type).toBe('boolean');
    }
  });

  test('says what the data have', () => {
    for (const [name, { min, max, values }] of Object.entries(manifest?.fields ?? {})) {
      const { properties } = schemas[`${block.name}.arguments`];
      for (const high of [`${name}_min`, `${name}_max`].filter((each) => each in properties)) {
        const { 'x-observed': observed, description } = properties[high];
        expect(observed).toEqual(min === undefined ? undefined : { minimum: min, maximum: max });
        if (min !== undefined) expect(description).toContain(`from ${min} to ${max}`);
      }
      if (name in properties) expect(properties[name].examples).toEqual(values);
    }
  });

  test('gives each of its examples, to all bodies and to the query', () => {
    const given = block.examples.map((example) => example.arguments);
    for (const [, { examples }] of contents) {
      expect(Object.values(examples).map(({ value }: Any) => value)).toEqual(given);
    }
    const collected: Record<string, Record<string, unknown>> = {};
    for (const { name, examples = {} } of get.parameters) {
      for (const [key, { value }] of Object.entries<Any>(examples)) {
        collected[key] = { ...collected[key], [name]: value };
      }
    }
    expect(Object.keys(collected).sort()).toEqual(given.map((_, i) => `example-${i + 1}`));
    for (const [i, wanted] of given.entries()) {
      expect(collected[`example-${i + 1}`]).toEqual(wanted);
    }
  });

  test('answers with each member of its output, and no other', () => {
    const { $schema: _, ...output } = block.outputSchema as Any;
    const answer = schemas[`${block.name}.answer`];
    expect(Object.keys(answer.properties)).toEqual(['params', '_errors', '_warnings', '_explain']);
    const { title: __, ...params } = resolved(answer.properties.params);
    if (block.answers === 'value') return expect(params).toEqual(output);
    const { title: ___, ...row } = resolved(params.properties.results.items);
    const { items, ...results } = output.properties.results;
    expect(row).toEqual(items);
    expect({ ...params, properties: { ...params.properties, results: undefined } }).toEqual({
      ...output,
      properties: { ...output.properties, results: undefined },
    });
    expect({ ...params.properties.results, items: undefined }).toEqual({ ...results });
  });

  test('answers in each of its formats, and in no other', () => {
    const types = block.formats.map((format) => FORMAT_TYPES[format].accepted[0]);
    expect(Object.keys(get.responses[200].content)).toEqual(types);
    expect(Object.keys(post.responses[200].content)).toEqual(types);
  });

  test('by GET describes itself too, and may be unchanged', () => {
    const { oneOf } = get.responses[200].content['application/json'].schema;
    expect(oneOf.map(({ $ref }: Any) => $ref.split('/').at(-1))).toEqual([
      `${block.name}.answer`,
      'Description',
    ]);
    expect(get.responses[304]).not.toHaveProperty('content');
    expect(post.responses).not.toHaveProperty('304');
  });

  test('says which problems there may be', () => {
    const statuses = (operation: Any) => Object.keys(operation.responses).map(Number);
    const every = [...new Set(Object.values(PROBLEMS).map(({ status }) => status))];
    // A cursor is of rows.
    const ofBlock = every.filter((status) => status !== 410 || block.answers === 'rows');
    expect(statuses(post)).toEqual([200, ...ofBlock].sort());
    // And only a body can be too large, or of a type that is not read.
    const ofGet = ofBlock.filter((status) => status !== 413 && status !== 415);
    // A deployment leads to a file if the whole result is too long to be answered.
    const ofFiles = block.answers === 'rows' ? [302] : [];
    expect(statuses(get)).toEqual([200, ...ofFiles, 304, ...ofGet].sort());
  });
});

describe('the problems', () => {
  test('are those of the table, each with its status and its title', () => {
    const found = Object.entries<Any>(responses).flatMap(([, { content, description }]) => {
      const { examples, schema } = content['application/problem+json'];
      const { status, code } = schema.allOf[1].properties;
      expect(Object.keys(examples)).toEqual(code.enum);
      return code.enum.map((each: string) => {
        const { title } = examples[each].value;
        expect(description).toContain(`\`${each}\`: ${title}.`);
        return [each, { status: status.const, title }];
      });
    });
    expect(Object.fromEntries(found)).toEqual(PROBLEMS);
    expect(found).toHaveLength(Object.keys(PROBLEMS).length);
  });

  test('and their faults: the code is one of the tables', () => {
    expect(schemas.Problem.properties.code.enum).toEqual(Object.keys(PROBLEMS));
    expect(schemas.Fault.properties.code.enum).toEqual([
      ...Object.keys(FAULTS),
      ...Object.keys(PROBLEMS),
    ]);
  });
});

const withFourth: Any = JSON.parse(
  await openapiText([...described, { block: tinyBlock }], scheduler),
);

describe('a fourth block', () => {
  test('gets its address, its parameters and its output', () => {
    const { get, post } = withFourth.paths['/blocks/tiny'];
    const inQuery = get.parameters.flatMap(({ name }: Any) => (name === undefined ? [] : [name]));
    expect(inQuery).toEqual([
      'street',
      'number',
      'number_min',
      'number_max',
      '_not.street',
      '_not.number',
      '_empty',
      '_filled',
      '_q',
      ...tinyBlock.options.map(({ name }) => name),
    ]);
    expect(post.operationId).toBe('run-tiny');
    const { 'tiny.row': row } = withFourth.components.schemas;
    expect(Object.keys(row.properties)).toEqual(['street', 'number']);
    // It has no place.
    expect(Object.keys(get.responses[200].content)).not.toContain('application/geo+json');
    expect(withFourth.tags.at(-1)).toEqual({
      name: 'tiny',
      'x-displayName': 'Tiny',
      description: 'Made by a test.',
    });
  });

  test('changes nothing of the others', () => {
    const { '/blocks/tiny': _, ...others } = withFourth.paths;
    expect(others).toEqual(document.paths);
    const names = Object.keys(withFourth.components.schemas);
    const added = names.filter((name) => !(name in schemas));
    expect(added).toEqual(['tiny.arguments', 'tiny.form', 'tiny.answer', 'tiny.row']);
  });
});

describe("a block's own document", () => {
  const ownOf = async (each: Described): Promise<Any> =>
    JSON.parse(await openapiOfBlock(each)(scheduler));

  test.each(described)('of $block.name has what the other has of it, and no more', async (each) => {
    const { name } = each.block;
    const own = await ownOf(each);
    const isOfBlock = (address: string) => address.split('/')[2] === name;
    expect(Object.keys(own.paths)).toEqual(Object.keys(document.paths).filter(isOfBlock));
    for (const [address, item] of Object.entries(own.paths)) {
      expect(item).toEqual(document.paths[address]);
    }
    for (const [component, schema] of Object.entries(own.components.schemas)) {
      expect(schema).toEqual(schemas[component]);
    }
    expect(own.tags.map((tag: Any) => tag.name)).toEqual([name]);
    const referred = [...nodesOf(own)].flatMap(({ $ref }) =>
      typeof $ref === 'string' ? $ref : [],
    );
    const there = Object.entries<Any>(own.components).flatMap(([section, components]) =>
      Object.keys(components).map((component) => `#/components/${section}/${component}`),
    );
    const keys = there.filter((component) => component.includes('/securitySchemes/'));
    expect([...new Set([...referred, ...keys])].sort()).toEqual(there.sort());
  });

  test('is of the same service', async () => {
    const { servers } = await ownOf({ block: tinyBlock });
    const at = 'https://aws.example/prod/api_v2/blocks/tiny/openapi.json';
    expect(`${new URL(servers[0].url, at)}/blocks/x`).toBe(
      'https://aws.example/prod/api_v2/blocks/x',
    );
  });
});

describe('a document of a hundred blocks', () => {
  const many = Array.from({ length: 100 }, (_, i): Described => {
    const { block, manifest } = described[i % described.length] as Described;
    const name = `${block.name}-${i}`;
    return { block: { ...block, name, id: name }, ...(manifest && { manifest }) };
  });
  let text: string;
  beforeAll(async () => {
    text = await openapiText(many, scheduler);
  });

  test('has at most a million bytes, whatever the blocks are', async () => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000);
    const [widest] = described.toSorted(
      (a, b) => b.block.parameters.length - a.block.parameters.length,
    ) as [Described];
    const wide = many.map(({ block: { name } }) => ({
      ...widest,
      block: { ...widest.block, name, description: 'läng '.repeat(500) },
    }));
    const ofWide = await openapiText(wide, scheduler);
    expect(Buffer.byteLength(ofWide)).toBeLessThanOrEqual(1_000_000);
  });

  test('has each address of a block, as a reference into the block’s own document', async () => {
    const { '/blocks': list, ...paths } = JSON.parse(text).paths;
    expect(list).toEqual(document.paths['/blocks']);
    const seen: string[] = [];
    for (const each of many) {
      const at = `https://a.example/api_v2/blocks/${each.block.name}/openapi.json`;
      const own = JSON.parse(await openapiOfBlock(each)(scheduler));
      for (const address of Object.keys(own.paths)) {
        const { href, hash } = new URL(paths[address].$ref, 'https://a.example/openapi.json');
        expect(href.replace(hash, '')).toBe(at);
        const [, section, pointer = ''] = decodeURIComponent(hash).split('/');
        expect(own[section as string][pointer.replaceAll('~1', '/')].get.tags).toEqual([
          each.block.name,
        ]);
        seen.push(address);
      }
    }
    expect(Object.keys(paths)).toEqual(seen);
  });

  test('refers to nothing else that is not there', () => {
    const brief = JSON.parse(text);
    const found = [...nodesOf(brief)].filter(({ $ref }) => String($ref).startsWith('#'));
    expect(found.length).toBeGreaterThan(10);
    for (const { $ref } of found) {
      const [, , section, name] = $ref.split('/');
      expect([$ref, brief.components[section]?.[name] !== undefined]).toEqual([$ref, true]);
    }
  });
});

test('others have their turns while the document of 401 columns is written', async () => {
  const { turns, outcome: text } = await turnsDuring(() =>
    openapiOfBlock({ block: wideBlock })(scheduler),
  );
  const { paths, components } = JSON.parse(text);
  expect(paths['/blocks/wide'].get.parameters.length).toBeGreaterThan(1200);
  const [not] = components.schemas['wide.arguments'].properties._not.anyOf;
  expect(Object.keys(not.properties)).toEqual(wideBlock.fields.map(({ name }) => name));
  // A million characters, and a turn for each 67,000.
  expect(turns).toBeGreaterThan(12);
});
