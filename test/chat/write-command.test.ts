import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readArgumentsOf } from '../../src/arguments/arguments.ts';
import type { Members } from '../../src/arguments/given.ts';
import type { Block, DatasetBlock } from '../../src/block/block.ts';
import { readCommand } from '../../src/channels/chat/read-command.ts';
import { type Token, tokenize, tokensOf } from '../../src/channels/chat/tokenize.ts';
import { writeCommand } from '../../src/channels/chat/write-command.ts';
import { shellWords } from '../../src/channels/terminal/run-options.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import type { Row } from '../../src/values/field-type.ts';
import { ampleBudget } from '../support/ample.ts';
import { anyCharacter } from '../support/any-character.ts';
import { importDataset } from '../support/datasets.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { ROOT } from '../support/service.ts';
import { described, descriptions } from './described.ts';

const loaded = await loadBlocks(path.join(ROOT, 'functions'));
const cases: [string, Block, readonly Row[]][] = await Promise.all(
  loaded.map(async (one): Promise<[string, Block, readonly Row[]]> => {
    const { name } = one.block;
    if (one.kind === 'value') return [name, one.block, []];
    const { rows } = await importDataset(one.block, one.dataset, path.join(ROOT, 'seed-data'));
    return [name, one.block, Array.from(rows, ({ values }) => values)];
  }),
);

/** What a service would understand; how it is handled is what an empty line is written as. */
function meaningIn(block: Block): (body: Members) => Members {
  const readArguments = readArgumentsOf(block);
  return (body) => {
    const given = { query: {}, body, isPost: true, isWebhook: false };
    const { _handling, ...values } = readArguments(given, ampleBudget()).values;
    // A list of one value means that value.
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const [only, ...others] = Array.isArray(value) ? value : [];
        return [name, only !== undefined && others.length === 0 ? only : value];
      }),
    );
  };
}

function readBack(tokens: readonly Token[]): Members {
  const command = readCommand(tokens, descriptions);
  if (command.kind !== 'run') throw new Error(JSON.stringify(command));
  return command.arguments;
}

describe('a written line reads as the arguments it was made of', () => {
  test.each(cases)('%s: valid calls with its own values', (name, block, rows) => {
    const meaningOf = meaningIn(block);
    fc.assert(
      fc.property(randomArguments(block, rows), (given) => {
        const line = writeCommand(described(name), given, descriptions);
        const wanted = meaningOf(given);
        expect(meaningOf(readBack(tokenize(line)))).toEqual(wanted);
        expect(meaningOf(readBack(tokensOf(shellWords(line))))).toEqual(wanted);
      }),
      { numRuns: 500, seed: 21 },
    );
  });

  const text = fc.oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }),
    fc.stringMatching(/^["“” :=<>.…*\\a'?-]{1,12}$/),
    fc.constantFrom('help', '?', '--url', '#ff7f50', '400..', 'name:x', '\u00a0a', 'a  b'),
  );
  const directory = loaded.find(({ kind }) => kind === 'dataset')?.block as DatasetBlock;

  test('any text at all, and any number', () => {
    const meaningOf = meaningIn(directory);
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const given = fc.record(
      {
        business: fc.oneof(text, fc.array(text, { maxLength: 4 })),
        location_1_location: fc.oneof(text, fc.array(text, { maxLength: 4 })),
        _explain: fc.boolean(),
        ends: fc.tuple(number, number).map((ends) => ends.sort((a, b) => a - b)),
        which: fc.constantFrom('low', 'high', 'both', 'equal'),
      },
      { requiredKeys: ['which'] },
    );
    fc.assert(
      fc.property(given, ({ ends: [low = 0, high = 0] = [], which, ...texts }) => {
        const range = {
          ...(which === 'high' ? {} : { zip_code_min: low }),
          ...(which === 'low' ? {} : { zip_code_max: which === 'equal' ? low : high }),
        };
        const all = { ...texts, ...range };
        const line = writeCommand(described(directory.name), all, descriptions);
        const wanted = meaningOf(all);
        expect(meaningOf(readBack(tokenize(line)))).toEqual(wanted);
      }),
      { numRuns: 1200, seed: 22 },
    );
  });
});

describe('the shortest line', () => {
  test.each<[string, string, Members]>([
    [
      'directory category:retail number:400..',
      'business-directory',
      { category: 'retail', parsed_address_min: 400 },
    ],
    ['directory number:..500', 'business-directory', { parsed_address_max: '500' }],
    [
      'directory number:400..400',
      'business-directory',
      { parsed_address_min: 400, parsed_address_max: 400 },
    ],
    ['directory court cycles', 'business-directory', { business: 'court cycles' }],
    ['directory name:"court  cycles"', 'business-directory', { business: 'court  cycles' }],
    ['directory number_min:0x10', 'business-directory', { parsed_address_min: '0x10' }],
    ['directory name:a:b', 'business-directory', { business: 'a:b' }],
    ['directory name:help', 'business-directory', { business: 'help' }],
    ['directory name:a name:b', 'business-directory', { business: ['a', 'b'] }],
    ['directory number:400', 'business-directory', { parsed_address: 400 }],
    ['directory number:400 number:401', 'business-directory', { parsed_address: [400, '401'] }],
    [
      'directory number:400 number_min:1',
      'business-directory',
      { parsed_address: 400, parsed_address_min: 1 },
    ],
    ['directory _not.number:400', 'business-directory', { _not: { parsed_address: 400 } }],
    ['directory _empty:phone_number', 'business-directory', { _empty: ['phone_number'] }],
    ['directory zip:0.5..', 'business-directory', { zip_code_min: '.5' }],
    [
      'census canton _fields:households,roommates',
      'census-neighborhoods',
      { neighborhood_1: 'canton', _fields: ['households', 'roommates'] },
    ],
    [
      'census centerpoint_x:-76.7..-76.6',
      'census-neighborhoods',
      { centerpoint_x_min: -76.7, centerpoint_x_max: -76.6 },
    ],
    ['census _handling:strict', 'census-neighborhoods', { neighborhood_1: ' ' }],
    ['rgb #ff7f50 list:css', 'rgb-to-color-name', { R: 255, G: '127', B: 80, list: 'css' }],
    ['rgb R:255 G:0', 'rgb-to-color-name', { R: 255, G: 0 }],
  ])('%s', (line, name, given) => {
    expect(writeCommand(described(name), given, descriptions)).toBe(line);
  });

  test('has the whole name of a block where its neighbours are not known', () => {
    expect(writeCommand(described('census-neighborhoods'), { neighborhood_1: 'canton' })).toBe(
      'census-neighborhoods canton',
    );
  });
});
