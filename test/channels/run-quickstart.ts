import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Fence, fencesOf, headingsOf, readDocument } from '../docs/markdown.ts';
import { SHOWN_URL } from '../docs/run-snippet.ts';
import { type Outcome, runProgram } from '../support/command.ts';
import { toolCommand, toolPackage, toolPython } from '../support/tools.ts';

/** A program of a page: what it prints is shown next, and how it is meant to end. */
export type Program = Fence & {
  readonly shown: Fence | undefined;
  /** Under the heading "A refusal" a program may fail, and shows why. */
  readonly isRefusal: boolean;
};

const SHOWING = ['json', 'text', 'csv'];

/** The fences of a page that are in these languages and ask the service. */
export function programsOf(page: string, languages: readonly string[]): Program[] {
  const document = readDocument(page);
  const fences = fencesOf(document);
  const headings = headingsOf(document);
  return fences.flatMap((fence, i) => {
    if (!languages.includes(fence.lang) || isSetting(fence)) return [];
    const next = fences[i + 1];
    const isShown = next?.section === fence.section && SHOWING.includes(next.lang);
    const isRefusal = headings[fence.section - 1]?.text === 'A refusal';
    return [{ ...fence, shown: isShown ? next : undefined, isRefusal }];
  });
}

/** Lines for a shell that set something up, and ask the service for nothing. */
function isSetting({ lang, text }: Fence): boolean {
  return lang === 'sh' && !text.startsWith('curl ');
}

/** How a program is run; Deno, and Python with its packages, are those of `test/channels/tools`. */
export const RUNNERS: Readonly<Record<string, { command: readonly string[]; file: string }>> = {
  sh: { command: ['sh'], file: 'program.sh' },
  js: { command: [process.execPath], file: 'program.mjs' },
  deno: { command: [toolCommand('deno'), 'run', '--allow-net'], file: 'program.mjs' },
  python: { command: [toolPython()], file: 'program.py' },
  ruby: { command: ['ruby'], file: 'program.rb' },
  php: { command: ['php'], file: 'program.php' },
  r: { command: ['Rscript'], file: 'program.R' },
  go: { command: ['go', 'run'], file: 'program.go' },
};

/** Runs a program against a service; a fence that names a file is written to that one. */
export async function runQuickstart(
  { text, more }: Fence,
  { as, url }: { as: string; url: string },
): Promise<Outcome> {
  const { command, file } = RUNNERS[as] as (typeof RUNNERS)[string];
  const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-quickstart-'));
  try {
    const name = more === '' ? file : more;
    await writeFile(path.join(folder, name), text.replaceAll(SHOWN_URL, url));
    await symlink(path.dirname(toolPackage('blockspring')), path.join(folder, 'node_modules'));
    const run = () => runProgram([...command, name], folder, { BLOCKSPRING_URL: url });
    const ended = await run();
    // On a busy machine Python, at its end, may abort over a thread of pyarrow's: not our fault.
    return ended.code === null ? await run() : ended;
  } finally {
    await rm(folder, { recursive: true });
  }
}
