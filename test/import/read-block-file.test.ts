import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { blockFileSchema } from '../../src/import/block-file-schema.ts';
import { readBlockFile } from '../../src/import/read-block-file.ts';
import { ROOT } from '../support/service.ts';

const FILE = {
  title: 'Trees',
  description: 'Trees of a town.',
  file: 'trees.csv',
  sources: [{ title: 'A count' }],
  fields: [
    { type: 'text', name: 'species', title: 'Species', main: true },
    { type: 'number', name: 'height', title: 'Height', alias: 'tall' },
    { type: 'datetime', name: 'seen', title: 'Seen' },
  ],
  examples: [{ title: 'Tall ones', arguments: { height_min: 10 } }],
};

const read = (text: string, folder = 'trees') =>
  readBlockFile(text, `functions/${folder}/block.json`, folder);
const readValue = (value: unknown) => read(JSON.stringify(value, null, 2));

test('a folder is a block with a title, a description, a file, its source, fields and an example', () => {
  const { block, declared, file } = readValue(FILE);
  expect(block).toMatchObject({ id: 'trees', name: 'trees', noun: 'rows', answers: 'rows' });
  expect(block.parameters.map(({ name }) => name)).toContain('height_min');
  expect(declared.origin).toEqual({ sources: FILE.sources });
  expect(file).toEqual(FILE);
});

test('a byte order mark before it is none of its text', () => {
  expect(read(`\ufeff${JSON.stringify(FILE)}`).block.name).toBe('trees');
});

test('a primary key is a field, or a list of them', () => {
  expect(readValue({ ...FILE, primaryKey: 'species' }).block.primaryKey).toEqual(['species']);
  const keys = ['species', 'seen'];
  expect(readValue({ ...FILE, primaryKey: keys }).block.primaryKey).toEqual(keys);
});

test('what the page opens with is an object of arguments', () => {
  const first = { _view: 'chart', _group: ['seen.month'], _measure: ['avg:height', 'count'] };
  const { block, declared } = readValue({ ...FILE, first });
  expect([block.first, declared.first]).toEqual([first, first]);
  expect(readValue(FILE).block.first).toBeUndefined();
  expect(() => readValue({ ...FILE, first: {} })).toThrow(
    '"first" is empty; expected at least one',
  );
  expect(() => readValue({ ...FILE, first: 'map' })).toThrow(
    '"first" is "map"; expected an object',
  );
  expect(() => readValue({ ...FILE, first: { _view: 'maps' } })).toThrow(
    /line \d+, column \d+: "_view" is "maps"; did you mean "map"\?/,
  );
});

describe('a fault is one line with its place, what is wrong, and what was expected', () => {
  /** The file with a part of its text replaced. */
  const changed = (from: string, to: string) => {
    const text = JSON.stringify(FILE, null, 2);
    expect(text.split(from)).toHaveLength(2);
    return text.replace(from, to);
  };
  test.each<[string, string, string, string]>([
    [
      'a member that is not known, with the near name',
      '"title": "Trees"',
      '"titel": "Trees"',
      '2, column 3: "titel" is not known here; did you mean "title"?',
    ],
    [
      'a member that is not known, with those that are',
      '"title": "Tall ones"',
      '"title": "Tall ones", "x": 1',
      '31, column 29: "x" is not known here; expected one of title, arguments',
    ],
    [
      'a member of another type',
      '"title": "Species"',
      '"title": 7',
      '14, column 16: "title" is 7; expected a text',
    ],
    [
      'a list that is none',
      '"arguments": {\n        "height_min": 10\n      }',
      '"arguments": []',
      '32, column 20: "arguments" is a list; expected an object',
    ],
    [
      'a blank text',
      '"Trees of a town."',
      '""',
      '3, column 18: "description" is blank; expected a text',
    ],
    [
      'a member that is missing',
      '"file": "trees.csv",',
      '',
      '1, column 1: "file" is missing; expected the file of rows in seed-data/',
    ],
    [
      'a type that is none, with the near one',
      '"type": "datetime"',
      '"type": "date time"',
      '24, column 15: "type" is "date time"; did you mean "datetime"?',
    ],
    [
      'a type that is none, with all types',
      '"type": "datetime"',
      '"type": "color"',
      '24, column 15: "type" is "color"; expected one of text, phone, link, number, integer, date, datetime, boolean',
    ],
    [
      'a field that cannot be a name',
      '"name": "height"',
      '"name": "5 feet"',
      '19, column 15: "name" is "5 feet"; expected letters, digits and _, and no digit first',
    ],
    [
      'a file elsewhere',
      '"trees.csv"',
      '"../../secrets.csv"',
      '4, column 11: "file" is "../../secrets.csv"; expected the path of a file below seed-data/',
    ],
    [
      'a file at the root',
      '"trees.csv"',
      '"/etc/passwd"',
      '4, column 11: "file" is "/etc/passwd"; expected the path of a file below seed-data/',
    ],
    [
      'a hash of another kind',
      '"file": "trees.csv"',
      '"file": "trees.csv", "hash": "abc"',
      '4, column 32: "hash" is "abc"; expected sha256: and 64 hexadecimal digits in lower case',
    ],
    [
      'a number of rows below 0',
      '"file": "trees.csv"',
      '"file": "trees.csv", "rows": -1',
      '4, column 32: "rows" is -1; expected at least 0',
    ],
    [
      'a member that may only be true',
      '"main": true',
      '"main": false',
      '15, column 15: "main" is false; expected true, or leave it out',
    ],
    [
      'an empty list',
      '"file": "trees.csv"',
      '"file": "trees.csv", "keyFields": []',
      '4, column 37: "keyFields" is empty; expected at least one',
    ],
    [
      'a licence without a name',
      '"file": "trees.csv"',
      '"file": "trees.csv", "licenses": [{ "title": "Free" }]',
      '4, column 37: "name" or "path" is missing',
    ],
    [
      'an entry of a list',
      '"file": "trees.csv"',
      '"file": "trees.csv", "keyFields": ["species", 1]',
      '4, column 49: an entry of "keyFields" is 1; expected a text',
    ],
    [
      'a name given twice',
      '"file": "trees.csv"',
      '"file": "trees.csv", "title": "Trees"',
      '4, column 24: "title" is given twice, first in line 2; leave one out',
    ],
    [
      "another folder's name",
      '"title": "Trees"',
      '"name": "bushes", "title": "Trees"',
      '2, column 11: "name" is "bushes"; expected the folder\'s, "trees", or none',
    ],
    [
      'a field twice',
      '"name": "seen"',
      '"name": "height"',
      '25, column 15: height names two things.',
    ],
    [
      'an alias that is another field',
      '"alias": "tall"',
      '"alias": "seen"',
      '21, column 16: seen names two things.',
    ],
    [
      "a field that is another's end",
      '"name": "seen"',
      '"name": "height_min"',
      '19, column 15: height_min names two things.',
    ],
    [
      'two main fields',
      '"title": "Seen"',
      '"title": "Seen", "main": true',
      '26, column 32: only one can be main, where free text goes.',
    ],
    [
      'a reserved field',
      '"name": "seen"',
      '"name": "_sort"',
      '25, column 15: _sort is reserved, since it is an option; choose another name.',
    ],
    [
      'a field that is not there, with the near one',
      '"file": "trees.csv"',
      '"file": "trees.csv", "keyFields": ["species", "hight"]',
      '4, column 49: hight is not one of its fields. Did you mean height?',
    ],
    [
      'a key with a field twice',
      '"file": "trees.csv"',
      '"file": "trees.csv", "primaryKey": ["species", "species"]',
      '4, column 50: species is in primaryKey twice.',
    ],
    [
      'an index on a number',
      '"alias": "tall"',
      '"indexed": true',
      '21, column 18: height is indexed, and only what is compared as text is.',
    ],
    [
      'a time zone that is none',
      '"title": "Seen"',
      '"title": "Seen", "timeZone": "New York"',
      "26, column 36: seen is in the time zone New York; expected one of IANA's, such as America/New_York.",
    ],
    [
      'a place without its field',
      '"file": "trees.csv"',
      '"file": "trees.csv", "geometry": { "kind": "points", "longitude": "height", "latitude": "species" }',
      '4, column 91: its geometry needs a number field species.',
    ],
    [
      'regions without the field of their names',
      '"file": "trees.csv"',
      '"file": "trees.csv", "geometry": { "kind": "regions", "longitude": "height", "latitude": "height" }',
      '4, column 36: "region" is missing',
    ],
    [
      'regions without shapes',
      '"file": "trees.csv"',
      '"file": "trees.csv", "geometry": { "kind": "regions", "region": "species", "longitude": "height", "latitude": "height" }',
      '4, column 36: "boundaries" is missing; expected the file with the shapes of its regions',
    ],
    [
      'areas without a file',
      '"file": "trees.csv"',
      '"file": "trees.csv", "boundaries": { "field": "species" }',
      '4, column 38: "file" is missing; expected it, or "areas"',
    ],
    [
      'areas that are not known',
      '"file": "trees.csv"',
      '"file": "trees.csv", "boundaries": { "areas": "us-state", "field": "species" }',
      '4, column 49: "areas" is "us-state"; did you mean "us-states"?',
    ],
    [
      'areas that no field names',
      '"file": "trees.csv"',
      '"file": "trees.csv", "boundaries": { "areas": "countries" }',
      '4, column 38: "field" is missing; expected the field that names areas',
    ],
    [
      'areas that an unknown field names',
      '"file": "trees.csv"',
      '"file": "trees.csv", "boundaries": { "areas": "countries", "field": "specie" }',
      '4, column 71: specie is not one of its fields. Did you mean species?',
    ],
    [
      'areas that a number names',
      '"file": "trees.csv"',
      '"file": "trees.csv", "boundaries": { "areas": "countries", "field": "height" }',
      '4, column 71: height has the type number; expected text or integer, for names or codes of areas.',
    ],
    [
      'known areas with a file',
      '"file": "trees.csv"',
      '"file": "trees.csv", "boundaries": { "areas": "countries", "field": "species", "file": "a.geojson" }',
      '4, column 49: "areas" and "file" are both given; leave one out',
    ],
    [
      'a state of countries',
      '"file": "trees.csv"',
      '"file": "trees.csv", "boundaries": { "areas": "countries", "field": "species", "within": "Texas" }',
      '4, column 92: "within" is of "areas": "us-counties" alone; leave it out',
    ],
    [
      'a comma too many',
      '"title": "Seen"',
      '"title": "Seen",',
      '27, column 5: not valid JSON: "}" is unexpected; there may be a comma too many, or a value missing',
    ],
    [
      'a comma that is missing',
      '"title": "Trees",',
      '"title": "Trees"',
      '3, column 3: not valid JSON: "\\"" is unexpected; a comma or colon may be missing',
    ],
    [
      'a comment',
      '"file": "trees.csv"',
      '// the file\n"file": "trees.csv"',
      '4, column 3: not valid JSON: "/" is unexpected; JSON has no comments',
    ],
    [
      'a text in single quotes',
      '"trees.csv"',
      "'trees.csv'",
      '4, column 11: not valid JSON: "\'" is unexpected; names and texts stand in double quotes',
    ],
    [
      'a text over two lines',
      '"Trees of a town."',
      '"Trees\nof a town."',
      '3, column 18: a text has a line end or a tab in it; write \\n or \\t, or close its quotes',
    ],
    [
      'a file that is cut',
      '"height_min": 10\n      }\n    }\n  ]\n}',
      '"height_min": 10',
      '33, column 25: not valid JSON: it ends too early; a } or ] is missing',
    ],
    [
      'more depth than it needs',
      '"height_min": 10',
      `"height_min": ${'['.repeat(20)}${']'.repeat(20)}`,
      '33, column 35: over 16 objects and lists in each other',
    ],
  ])('%s', (_, from, to, expected) => {
    expect(() => read(changed(from, to))).toThrow(
      new Error(`functions/trees/block.json, line ${expected}`),
    );
  });

  test('a folder that cannot be an address', () => {
    expect(() => read(JSON.stringify(FILE), 'My trees')).toThrow(
      'functions/My trees/block.json, line 1, column 1: the folder is called "My trees"; expected lower-case letters and digits, with single hyphens between',
    );
  });

  test.each([
    ['a list', '[]', 'line 1, column 1: the file is a list; expected an object'],
    ['nothing', '', 'line 1, column 1: not valid JSON: it ends too early; a } or ] is missing'],
    ['a number that JSON lacks', '{"rows": 01}', /^[^\n]*block\.json[^\n]+$/],
    ['a million characters', `"${'x'.repeat(2 ** 20)}"`, 'over 1,048,576 characters'],
    ['depth without an end', '['.repeat(100_000), 'over 16 objects and lists in each other'],
  ])('%s', (_, text, expected) => {
    expect(() => read(text)).toThrow(expected);
  });

  test('whatever is cut out of a file, and wherever: it is read, or refused in one line', () => {
    const text = JSON.stringify(FILE, null, 1);
    const inside = fc.nat(text.length);
    fc.assert(
      fc.property(
        inside,
        inside,
        fc.constantFrom('', '"', '{', ']', ',', '7', 'a'),
        (a, b, put) => {
          const [from, to] = [Math.min(a, b), Math.min(Math.max(a, b), Math.min(a, b) + 12)];
          try {
            read(text.slice(0, from) + put + text.slice(to));
          } catch (error) {
            expect((error as Error).message).toMatch(
              /^functions\/trees\/block\.json, line \d+, column \d+: [^\n]+$/,
            );
          }
        },
      ),
      { seed: 14, numRuns: 500 },
    );
  });
});

describe('docs/block.schema.json', () => {
  test.each(['business-directory', 'census-neighborhoods'])('takes the file of %s', (name) => {
    const file = path.join(ROOT, 'functions', name, 'block.json');
    const validate = new Ajv2020({ strict: false }).compile(blockFileSchema());
    validate(JSON.parse(readFileSync(file, 'utf8')));
    expect(validate.errors).toBeNull();
  });

  test('describes every member, for whoever writes one in an editor', () => {
    const undescribed: string[] = [];
    // biome-ignore lint/suspicious/noExplicitAny: a schema is of any form
    const look = (schema: any, way: string) => {
      for (const [name, member] of Object.entries<{ description?: string; $ref?: string }>(
        schema.properties ?? {},
      )) {
        if (!member.description && !member.$ref) undescribed.push(`${way}.${name}`);
        look(member, `${way}.${name}`);
      }
      if (schema.items) look(schema.items, `${way}[]`);
    };
    look(blockFileSchema(), '');
    expect(undescribed).toEqual([]);
  });
});
