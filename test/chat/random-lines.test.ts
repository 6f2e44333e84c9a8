import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCommand } from '../../src/channels/chat/read-command.ts';
import { tokenize, tokensOf } from '../../src/channels/chat/tokenize.ts';
import { descriptions } from './described.ts';
import { randomLines } from './random-lines.ts';

const lines = randomLines(descriptions);
const RUNS = { numRuns: 1500, seed: 11 };

describe('whatever is typed', () => {
  test('is help, a run or lost with a reason, in chat and in a shell', () => {
    const seen = { help: 0, invalid: 0, run: 0 };
    fc.assert(
      fc.property(lines, (line) => {
        for (const tokens of [tokenize(line), tokensOf(line.split(' '))]) {
          const command = readCommand(tokens, descriptions);
          seen[command.kind]++;
          if (command.kind !== 'invalid') continue;
          expect(command.faults.length).toBeGreaterThan(0);
          for (const fault of command.faults) expect(fault.length).toBeLessThan(500);
        }
      }),
      RUNS,
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
  });

  test('is cut into tokens that leave nothing out but white space', () => {
    fc.assert(
      fc.property(lines, (line) => {
        const written = tokenize(line).map((token) => token.written);
        expect(written.join('')).toContain(written[0] ?? '');
        let rest = line;
        for (const one of written) {
          rest = rest.trimStart();
          expect(rest.startsWith(one)).toBe(true);
          rest = rest.slice(one.length);
        }
        expect(rest.trim()).toBe('');
      }),
      RUNS,
    );
  });

  test('runs only with every token in its arguments', () => {
    let runs = 0;
    fc.assert(
      fc.property(lines, (line) => {
        const tokens = tokenize(line);
        const command = readCommand(tokens, descriptions);
        if (command.kind !== 'run') return;
        runs++;
        const isHex = command.block.color !== undefined;
        const values = Object.values(command.arguments).flat().map(String);
        const all = values.join(' ');
        for (const { name, value } of tokens.slice(1)) {
          const ends = value.replaceAll('…', '..').split('..');
          const isThere =
            name === undefined && isHex
              ? values.length >= 3
              : all.includes(value) || ends.every((end) => all.includes(end.trim()));
          expect({ line, value, isThere }).toEqual({ line, value, isThere: true });
        }
        const named = tokens.slice(1).filter(({ name }) => name !== undefined).length;
        expect(values.length).toBeGreaterThanOrEqual(named);
      }),
      RUNS,
    );
    expect(runs).toBeGreaterThan(200);
  });

  test('of 8,000 characters, however hostile, is read in a bounded number of steps', () => {
    const hostile = [
      '"',
      '""',
      'a:',
      'category:a ',
      'x>1 ',
      '. ',
      '-',
      '1-',
      '…',
      'number:1..2 ',
      '_fields:a,',
      ',wealth',
      'category:a b ',
      '\\',
    ];
    for (const piece of hostile) {
      const line = `directory ${piece.repeat(8000 / piece.length)}`.slice(0, 8000);
      expect(['invalid', 'run']).toContain(readCommand(tokenize(line), descriptions).kind);
    }
    const many = readCommand(tokenize(`directory ${'category:a '.repeat(700)}`), descriptions);
    expect(many).toMatchObject({ arguments: { category: Array(700).fill('a') } });
  });
});
