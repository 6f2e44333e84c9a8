import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { told } from './failures.ts';

const root = await temporaryFolder();
afterAll(cleanUp);

const failed = (fullName: string, message: string) => ({
  fullName,
  status: 'failed',
  failureMessages: [message],
});

/** What is told of a phase whose Jest has written these results. */
function toldOf(testResults: readonly object[], log = '', code = 1) {
  const file = path.join(root, 'results.json');
  const results = { numPassedTests: 7, testResults };
  writeFileSync(file, JSON.stringify(results));
  return told(code, log, file, root);
}

const suite = (name: string, assertionResults: readonly object[], message = '') => ({
  name: path.join(root, name),
  status: 'failed',
  message,
  assertionResults,
});

describe('a phase that is red tells', () => {
  test('each test that failed once, with its suite and its message, without colours or a stack', () => {
    const message = '\u001b[31mexpect(2).toBe(3)\u001b[39m\n\nReceived: 2\n    at suite.ts:3:1';
    const passed = { fullName: 'adds', status: 'passed', failureMessages: [] };
    expect(
      toldOf([suite('test/a.test.ts', [passed, failed('a page shows its rows', message)])]),
    ).toEqual({
      passed: 7,
      failures: ['test/a.test.ts › a page shows its rows\n    expect(2).toBe(3)\n    Received: 2'],
    });
  });

  test('a suite that could not be loaded', () => {
    const { failures } = toldOf([suite('test/a.test.ts', [], 'Cannot find module ./gone.ts')]);
    expect(failures).toEqual(['test/a.test.ts\n    Cannot find module ./gone.ts']);
  });

  test('the beginning of a long message, and how much is left out', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    const [failure = ''] = toldOf([suite('a', [failed('t', lines.join('\n'))])]).failures;
    expect(failure.split('\n').slice(1, 2)).toEqual(['    line 0']);
    expect(failure.split('\n').at(-1)).toBe('    … 26 more lines');
  });

  test('the last lines that it printed, if no test says more', () => {
    const log = Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n');
    const { passed, failures } = told(2, `${log}\n`, path.join(root, 'none.json'), root);
    expect(passed).toBe(0);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(/^It ended with 2:\n {4}line 15\n[\s\S]*\n {4}line 39$/);
    // Tests that passed are no reason.
    expect(toldOf([], 'The store is gone.').failures).toEqual([
      'It ended with 1:\n    The store is gone.',
    ]);
  });
});

test('a phase that is green tells how many tests passed', () => {
  expect(toldOf([], 'all well', 0)).toEqual({ passed: 7, failures: [] });
});
