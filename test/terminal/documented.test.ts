import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { shellWords } from '../../src/channels/terminal/run-options.ts';
import { fencesOf, readDocument, tableOf } from '../docs/markdown.ts';
import { madeOnce } from '../support/once/made-once.ts';
import { ROOT, type Service, startService } from '../support/service.ts';
import { typeLine } from './type-line.ts';

const page = readDocument('docs/command-line.md');
const fences = fencesOf(page);
const grammar = tableOf(page, ['write', 'it means', 'example', 'finds']) ?? [];
const lost = tableOf(page, ['typed', 'answer']) ?? [];
const commands = fences.flatMap(({ lang, text }, i) =>
  lang === 'sh' ? [[text, fences[i + 1]?.text ?? ''] as const] : [],
);

let service: Service;
/** The program, as it is installed. */
let program: string;
beforeAll(async () => {
  service = await startService();
  program = path.join(await madeOnce<string>('package'), 'bin/blockyard.js');
});
afterAll(() => service.close());

/** What a shell shows of a command, with the service under test in the place of the usual one. */
async function shown(command: string): Promise<string> {
  const line = command.replace(/^npx blockyard/, `node ${program}`);
  const env = { PATH: process.env.PATH, BLOCKYARD_URL: service.url };
  const run = promisify(execFile)('bash', ['--norc', '-c', `${line} 2>&1`], { cwd: ROOT, env });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  // A cursor holds the dataset's version.
  return stdout
    .trimEnd()
    .replaceAll('\r', '')
    .replace(/_cursor:\S+$/m, '_cursor:…');
}

const typed = (line: string) => typeLine(['run', ...shellWords(line)], { url: service.url });

const unquoted = (cell: string | undefined) => (cell ?? '').replace(/^`(.*)`$/, '$1');

describe('docs/command-line.md', () => {
  test('has examples to run', () => {
    expect([commands.length, grammar.length, lost.length]).toEqual([5, 15, 8]);
  });

  test.each(commands)('%s', async (command, output) => {
    expect(await shown(command)).toBe(output);
  });

  test.each(grammar.map(([, , example, finds]) => [unquoted(example), finds ?? '']))(
    '%s finds %s',
    async (line, finds) => {
      const { exit, out } = await typed(line);
      expect(exit).toBe(0);
      expect(out.split('\n').some((one) => one === finds || one.endsWith(`  ${finds}`))).toBe(true);
    },
  );

  test.each(lost.map(([typed, answer]) => [unquoted(typed), answer ?? '']))(
    '%s is answered: %s',
    async (line, answer) => {
      expect(await typed(line)).toEqual({ exit: 1, out: '', err: `${answer}\n` });
    },
  );
});
