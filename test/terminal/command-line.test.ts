import { describe, expect, test } from '@jest/globals';
import { readLine, takeOption } from '../../src/channels/terminal/command-line.ts';

const OPTIONS = { name: 'text', sheet: 'text', help: 'flag' } as const;

describe('the options of a line', () => {
  test.each([
    [['a', '--name', 'x', '--help', 'b'], ['a', 'b'], ['help'], { name: 'x' }],
    [['--name=x', '-h'], [], ['help'], { name: 'x' }],
    [['--', '--name', '-h'], ['--name', '-h'], [], {}],
    [['--name', '--sheet'], [], [], { name: '--sheet' }],
  ])('%j has the words %j, the flags %j and the texts %j', (args, words, flags, texts) => {
    expect(readLine(args, OPTIONS)).toEqual({ words, flags: new Set(flags), texts, faults: [] });
  });

  test.each([
    [['--nmae', 'x'], 'There is no option --nmae. Did you mean --name?'],
    [['--colour'], 'There is no option --colour. The options are --name --sheet --help'],
    [['--constructor'], 'There is no option --constructor. The options are --name --sheet --help'],
    [['--name'], '--name needs a value.'],
    [['--name= '], '--name needs a value.'],
    [['--name=x', '--name', 'y'], '--name is given twice.'],
  ])('%j is refused: %s', (args, fault) => {
    expect(readLine(args, OPTIONS).faults).toEqual([fault]);
  });

  test('each value of an option that may be given several times is taken, and may be refused', () => {
    const taken: string[] = [];
    const type = (value: string) => {
      taken.push(value);
      return value === 'b' ? 'b is none.' : undefined;
    };
    const { faults } = readLine(['--type', 'a', '--type=b', '--type='], { type });
    expect({ taken, faults }).toEqual({
      taken: ['a', 'b'],
      faults: ['b is none.', '--type needs a value.'],
    });
  });

  test('where words may have a dash, no option takes another one as its value', () => {
    const reading = { hasDashedWords: true, orElse: () => 'Write it behind --.' };
    expect(readLine(['-76.5', '--name', '--sheet', '-x', '--y'], OPTIONS, reading)).toEqual({
      words: ['-76.5'],
      flags: new Set(),
      texts: { sheet: '-x' },
      faults: ['--name needs a value.', 'There is no option --y. Write it behind --.'],
    });
  });
});

test('an option is taken out of words that another reader gets', () => {
  const words = ['-c', 'a=b', '--port', '80', '--yes', '--port=81'];
  expect(takeOption('port', words, '--port 8080')).toEqual({
    value: '80',
    args: ['-c', 'a=b', '--yes'],
  });
  expect(() => takeOption('port', ['--port'], '--port 8080')).toThrow(
    '--port needs a value: --port 8080',
  );
});
