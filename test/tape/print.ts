import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runAdd } from '../../src/commands/add-command.ts';
import { runCheck } from '../../src/commands/check-command.ts';
import { messyFile } from './messy-files.ts';
import { wideFile } from './wide-files.ts';

/** How many messy files are on the tape. */
export const MESSY_FILES = 2000;

/** The first so many are of the kinds with which the tape began. */
const PLAIN_FILES = 400;

/** What `add` and `check` print for a messy file and the next one, and the block that is written. */
export type Print = { readonly entry: string; readonly text: string };

export async function printOf(number: number): Promise<Print> {
  const { name, bytes, next, options } =
    number < PLAIN_FILES ? messyFile(number) : wideFile(number);
  const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-tape-'));
  try {
    const blocks = path.join(folder, 'blocks');
    await mkdir(blocks);
    let printed = '';
    // Paths are told relative to where the command runs.
    const here = new RegExp(`[^\\s,]*${path.basename(folder)}`, 'g');
    const print = (line: string) => {
      printed += `${line.replaceAll(here, '')}\n`;
    };
    const terminal = { out: print, err: print };
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    const codes = [await runAdd([file, ...options], terminal, { blocks })];
    const made = path.join(blocks, 'functions');
    const [block] = existsSync(made) ? readdirSync(made) : [];
    let declared = '';
    if (block !== undefined) {
      declared = readFileSync(path.join(made, block, 'block.json'), 'utf8');
      await writeFile(file, next);
      codes.push(await runCheck([block, file], terminal, { blocks }));
    }
    const text = `${printed}\n${declared}`;
    const digest = createHash('sha256').update(text).digest('base64url').slice(0, 16);
    return { entry: `${codes.join(',')} ${digest}`, text };
  } finally {
    await rm(folder, { recursive: true });
  }
}
