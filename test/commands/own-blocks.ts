import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runAdd } from '../../src/commands/add-command.ts';
import { runCensus } from '../../src/commands/census-command.ts';
import { runCheck } from '../../src/commands/check-command.ts';
import { isAddress, type Setup } from '../../src/commands/console.ts';
import { runRefresh } from '../../src/commands/refresh-command.ts';
import { loadDataBlock } from '../../src/import/load-blocks.ts';
import type { BlockFile } from '../../src/recipe/recipe.ts';
import { importDataset } from '../support/datasets.ts';
import { temporaryFolder } from '../support/process.ts';
import { keptConsole } from './kept-console.ts';
import { expectSameAgain } from './same-again.ts';

/** What a command printed, and its exit code. */
export type Ran = { readonly code: number; readonly out: string; readonly err: string };

const COMMANDS = { add: runAdd, census: runCensus, check: runCheck, refresh: runRefresh };

/** A folder of blocks, and the commands run on it. */
export class OwnBlocks {
  readonly folder: string;
  readonly #fetching: Setup['fetching'];

  private constructor(folder: string, fetching: Setup['fetching']) {
    this.folder = folder;
    this.#fetching = fetching;
  }

  static async inNewFolder(fetching: Setup['fetching'] = {}): Promise<OwnBlocks> {
    return new OwnBlocks(await temporaryFolder(), fetching);
  }

  async run(command: keyof typeof COMMANDS, ...args: readonly string[]): Promise<Ran> {
    const { terminal, printed } = keptConsole();
    const place = { blocks: this.folder, fetching: this.#fetching ?? {} };
    const code = await COMMANDS[command](args, terminal, place);
    // What is fetched again may be another file, and a server counts its requests.
    const isTried = command === 'add' && code === 0 && !args.some(isAddress);
    if (isTried) await expectSameAgain(printed.out, this.folder);
    return { code, ...printed };
  }

  /** Writes a file outside of the blocks, and returns its path. */
  async file(name: string, content: string | Uint8Array): Promise<string> {
    const incoming = path.join(await temporaryFolder(), 'incoming');
    await mkdir(incoming, { recursive: true });
    const file = path.join(await mkdtemp(path.join(incoming, 'f-')), name);
    await writeFile(file, content);
    return file;
  }

  async add(name: string, content: string | Uint8Array, ...options: string[]): Promise<void> {
    const { code, err } = await this.run('add', await this.file(name, content), ...options);
    if (code !== 0) throw new Error(err);
  }

  blockFile(name: string): BlockFile {
    return JSON.parse(readFileSync(this.pathOf(name), 'utf8'));
  }

  pathOf(name: string): string {
    return path.join(this.folder, 'functions', name, 'block.json');
  }

  /** The rows of a block as they are served. */
  async rows(name: string) {
    const { rows } = (await this.imported(name)).imported;
    return Array.from(rows, ({ values }) => values);
  }

  async imported(name: string) {
    const { block, dataset } = await loadDataBlock(path.dirname(this.pathOf(name)));
    const seedData = path.join(this.folder, 'seed-data');
    return { block, imported: await importDataset(block, dataset, seedData) };
  }

  /** Every file, with its content. */
  content(): Record<string, string> {
    if (!existsSync(this.folder)) return {};
    const entries = readdirSync(this.folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort();
    return Object.fromEntries(
      files.map((file) => [path.relative(this.folder, file), readFileSync(file, 'latin1')]),
    );
  }
}
