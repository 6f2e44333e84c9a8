import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Outcome, runProgram } from '../support/command.ts';
import { isInstalled } from '../support/tools.ts';
import { type Fence, fencesOf } from './markdown.ts';

/** Where documents say that the service is. */
export const SHOWN_URL = 'http://127.0.0.1:8787';

/** A snippet that calls the service, and what the document shows as its output. */
export type Snippet = Fence & { readonly shown: Fence | undefined };

/** The snippets of a document that call the service; the next fence of theirs is the output. */
export function snippetsOf(document: string): Snippet[] {
  const fences = fencesOf(document);
  return fences.flatMap((fence, i) => {
    if (!(fence.lang in PROGRAMS) || !fence.text.includes(SHOWN_URL)) return [];
    const next = fences[i + 1];
    const isShown = next?.section === fence.section && ['json', 'text'].includes(next.lang);
    return [{ ...fence, shown: isShown ? next : undefined }];
  });
}

/** Whether the program that runs a snippet is there. */
export function canRun({ lang }: Fence): boolean {
  return isInstalled(PROGRAMS[lang]?.command as string);
}

const PROGRAMS: Readonly<Record<string, { command: string; file: string }>> = {
  sh: { command: 'sh', file: 'snippet.sh' },
  js: { command: process.execPath, file: 'snippet.mjs' },
  python: { command: 'python3', file: 'snippet.py' },
};

/**
 * Runs a snippet against a service, whose address is shown as in documents. Not in step: the service
 * may be in this process.
 */
export async function runSnippet({ lang, text }: Fence, url: string): Promise<Outcome> {
  const { command, file } = PROGRAMS[lang] as { command: string; file: string };
  const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-docs-'));
  try {
    const script = path.join(folder, file);
    await writeFile(script, text.replaceAll(SHOWN_URL, url));
    const outcome = await runProgram([command, script], folder);
    return { ...outcome, out: outcome.out.replaceAll(url, SHOWN_URL) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * An answer without what differs each time: run ids, and lengths of files. A shown `"…"` is for any
 * text, and where a document shows `"…"` as the last member of a list, for the members left out.
 */
export function comparable(shown: unknown, printed: unknown): [unknown, unknown] {
  if (shown === '…' && typeof printed === 'string' && printed !== '') return [shown, shown];
  if (Array.isArray(shown) && Array.isArray(printed)) {
    const cut = shown.at(-1) === '…';
    const kept = cut ? shown.slice(0, -1) : shown;
    const of = cut ? printed.slice(0, kept.length) : printed;
    if (kept.length !== of.length) return [kept, of];
    const pairs = kept.map((member, i) => comparable(member, of[i]));
    return [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
  }
  if (isObject(shown) && isObject(printed)) {
    const names = new Set([...Object.keys(shown), ...Object.keys(printed)]);
    names.delete('instance');
    const pairs = [...names].map((name) => [name, comparable(shown[name], printed[name])] as const);
    return [
      Object.fromEntries(pairs.map(([name, [a]]) => [name, a])),
      Object.fromEntries(pairs.map(([name, [, b]]) => [name, b])),
    ];
  }
  return typeof printed === 'string' ? [shown, printed.replace(LENGTHS, '')] : [shown, printed];
}

/** The lengths of files in a line that names them: of those that somebody has asked for. */
const LENGTHS = /(?<=^All rows as a file: .*) \([\d,]+ bytes\)/gm;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
