import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundleOf, PUBLIC_MODULES } from '../src/import/own-code.ts';
import { COMMANDS_IN_BUNDLES } from './command-bundles.ts';

export type Checkout = {
  /** The folder of the sources. */
  readonly checkout: string;
  /** The sources, relative to it. */
  readonly files: ReadonlySet<string>;
  /** The folder for what is compiled of the sources as they are; named for a hash of them. */
  readonly folder: string;
  /** Whether the sources are still those for which the folder is named. */
  readonly isStill: () => boolean;
  readonly isWhole: (folder: string) => boolean;
};

/**
 * Compiles a checkout. Returns whether the folder now has the code. It has none if the disk cannot
 * be written, or if a source is faulty: the loader, which runs the sources then, tells the fault.
 */
export async function compileCheckout(given: Checkout): Promise<boolean> {
  const { folder } = given;
  // It gets its name when it is whole: this process may be killed, and another may do the same.
  const made = `${folder}.${process.pid}`;
  try {
    mkdirSync(made, { recursive: true });
    if (!(await compileInto(made, given))) return false;
    giveName(made, given);
    return true;
  } catch {
    return false;
  } finally {
    for (const one of [made, `${made}-torn`]) remove(one);
    removeOld(folder);
  }
}

/** What a server loads of a block's folder. Another source is bundled when it is loaded. */
const BLOCK_CODE = /^functions\/[^/]+\/(?:block|run|rows)\.ts$/;

/** What runs in a thread of its own. */
const THREAD = /-worker\.ts$/;

const ENTRIES = ['bin/main.ts', 'src/lambda/source-places.ts', ...PUBLIC_MODULES.values()];

/** Returns whether what is compiled is the code of the sources, as a later command would see them. */
async function compileInto(made: string, { checkout, files, folder, isStill }: Checkout) {
  const entries = [
    ...ENTRIES,
    ...[...files].filter((file) => BLOCK_CODE.test(file) || THREAD.test(file)),
  ];
  const { outputFiles, metafile } = await build({
    ...COMMANDS_IN_BUNDLES,
    absWorkingDir: checkout,
    entryPoints: Object.fromEntries(entries.map((file) => [path.parse(bundleOf(file)).name, file])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'silent',
    metafile: true,
    write: false,
  });
  const isKnown = (file: string) => files.has(file) || /(?:^|\/)node_modules\//.test(file);
  // A change of another file would not be seen.
  if (!Object.keys(metafile.inputs).every(isKnown) || !isStill()) return false;
  const bytes: Record<string, number> = {};
  for (const { path: file, contents } of outputFiles) {
    const name = path.basename(file);
    writeFileSync(path.join(made, name), contents);
    bytes[name] = contents.length;
  }
  writeFileSync(path.join(made, 'files.json'), JSON.stringify(bytes));
  return true;
}

/** Gives a folder the name that commands look for, unless another command was faster. */
function giveName(made: string, { folder, isWhole }: Checkout): void {
  try {
    renameSync(made, folder);
  } catch {
    if (isWhole(folder)) return;
    renameSync(folder, `${made}-torn`);
    renameSync(made, folder);
  }
}

/** Folders of other sources, as people change between branches; those used before are removed. 10 MB each. */
const MOST_OLD = 2;

/**
 * Removes what killed commands left, and the code of other sources: not the last that was used, nor
 * what a running process may load more of.
 */
function removeOld(folder: string): void {
  const all = path.dirname(folder);
  try {
    const unused = readdirSync(all)
      .filter((name) => name.startsWith('code-') && name !== path.basename(folder))
      .map((name) => path.join(all, name))
      .filter((one) => !isUsed(one));
    const isHalf = (one: string) => path.basename(one).includes('.');
    // Each process that uses a folder changes its time.
    const last = (one: string) => statSync(one).mtimeMs;
    const old = unused.filter((one) => !isHalf(one)).sort((a, b) => last(b) - last(a));
    for (const one of [...unused.filter(isHalf), ...old.slice(MOST_OLD)]) remove(one);
  } catch {
    // Another command removes them too, or nothing can be written here.
  }
}

/** Whether a process lives that writes the folder, or runs from it. */
function isUsed(folder: string): boolean {
  return [path.basename(folder), ...readdirSync(folder)].some((name) => {
    const pid = /^(?:code-\w+\.|used-by-)(\d+)/.exec(name)?.[1];
    return pid !== undefined && isAlive(Number(pid));
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The next command that compiles tries again.
  }
}
