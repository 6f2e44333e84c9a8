import { describe, expect, test } from '@jest/globals';
import { readCommand } from '../../src/channels/chat/read-command.ts';
import { tokenize } from '../../src/channels/chat/tokenize.ts';
import { usageOf, usageOfBlock } from '../../src/channels/chat/usage.ts';
import { described, descriptions } from './described.ts';

describe('help', () => {
  test('of all blocks has an example of each, and where there is more', () => {
    const { lines } = usageOf(descriptions);
    expect(lines.map(({ command }) => command)).toEqual([
      'directory street:"*court st*" type:laundries',
      'directory help',
      'census _25_34:3000.. density:20..',
      'census help',
      'rgb #ff7f50',
      'rgb help',
    ]);
  });

  test.each(descriptions.map((block) => [block.name, block] as const))(
    'of %s has nothing in it that is not understood',
    (name, block) => {
      const { title, lines } = usageOfBlock(block, descriptions);
      expect(title).toBe(block.title);
      for (const { command, isWhole } of lines) {
        const line = isWhole ? command : `${name} ${command}`;
        expect({ line, ...readCommand(tokenize(line), descriptions) }).toMatchObject({
          line,
          kind: 'run',
          block: { name },
        });
      }
    },
  );

  test('of a block has every parameter and option once, under its short name', () => {
    const { lines } = usageOfBlock(described('business-directory'), descriptions);
    const commands = lines.filter(({ isWhole }) => !isWhole).map(({ command }) => command);
    expect(commands.map((command) => command.slice(0, command.indexOf(':')))).toEqual(
      'name category city_state city street state location_1_zip phone type number zip _empty _filled _q _near _within _bbox _limit _cursor _sort _fields _group _measure _xy _scale _medians _facets _format _raw _bom _view _mark _frame _axis _as_one _embed _lang _handling _explain _not.name'.split(
        ' ',
      ),
    );
  });

  test('of a range has its limits and its unit, where they are known', () => {
    const census = described('census-neighborhoods');
    const known = census.parameters.map((one) => ({
      ...one,
      range: { min: 9.999, max: 1711.501 },
    }));
    const { lines } = usageOfBlock({ ...census, parameters: known }, descriptions);
    expect(lines).toContainEqual({
      command: 'under_5:9.99..1711.51',
      meaning: 'Under 5 years; people',
      isWhole: false,
    });
  });
});
