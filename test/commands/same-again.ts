import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import { runAdd } from '../../src/commands/add-command.ts';
import { temporaryFolder } from '../support/process.ts';

/**
 * Runs the line that `add` has printed, as a shell reads it, in another folder of blocks, where
 * nobody answers a question. Expects the block that the first line wrote.
 */
export async function expectSameAgain(out: string, blocks: string): Promise<void> {
  const [, line = ''] = /^The same again: npx blockyard (add .*)$/m.exec(out) ?? [];
  const words = execFileSync('bash', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  const [, ...args] = words.split('\0').slice(0, -1);
  const into = args.indexOf('--blocks');
  if (into >= 0) args.splice(into, 2);
  const again = await temporaryFolder();
  let printed = '';
  const print = (text: string) => {
    printed += `${text}\n`;
  };
  const code = await runAdd(args, { out: print, err: print }, { blocks: again });
  expect({ line, code, printed }).toMatchObject({ code: 0 });
  const [name = ''] = readdirSync(path.join(again, 'functions'));
  expect({ line, block: blockFile(again, name) }).toEqual({ line, block: blockFile(blocks, name) });
}

function blockFile(blocks: string, name: string): unknown {
  const file = path.join(blocks, 'functions', name, 'block.json');
  if (!existsSync(file)) return `no ${file}`;
  // An alias is there for the sake of the folder's other blocks.
  const { alias: _, ...block } = JSON.parse(readFileSync(file, 'utf8'));
  return block;
}
