import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../support/service.ts';

/** A fenced block of a document: `lang` is its first word, `more` the rest of that line. */
export type Fence = {
  readonly lang: string;
  readonly more: string;
  readonly text: string;
  readonly line: number;
  /** How many headings stand before it. */
  readonly section: number;
};

export function readDocument(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** Every document of the checkout, its path from the root. */
export function documents(): string[] {
  const found: string[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(path.join(ROOT, folder), { withFileTypes: true })) {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.test(entry.name)) walk(name);
      } else if (name.endsWith('.md')) found.push(name);
    }
  };
  walk('');
  return found.sort();
}

const SKIPPED = /^(?:node_modules|coverage|cdk\.out|\..*)$/;

export function fencesOf(document: string): Fence[] {
  const fences: Fence[] = [];
  let section = 0;
  let open: { lang: string; more: string; line: number; lines: string[] } | undefined;
  for (const [i, line] of document.split('\n').entries()) {
    const fence = /^```(\S*) *(.*)$/.exec(line);
    if (open === undefined) {
      if (/^#+ /.test(line)) section++;
      if (fence) open = { lang: fence[1] ?? '', more: fence[2] ?? '', line: i + 1, lines: [] };
    } else if (fence) {
      const { lines, ...rest } = open;
      fences.push({ ...rest, text: lines.join('\n'), section });
      open = undefined;
    } else open.lines.push(line);
  }
  return fences;
}

/** Documents without their fenced blocks, whose text is not Markdown. */
export function proseOf(document: string): string {
  return document.replace(/^```[\s\S]*?^```$/gm, '');
}

export function headingsOf(document: string): { level: number; text: string; body: string }[] {
  const lines = document.split('\n');
  const found: { level: number; text: string; at: number }[] = [];
  let fenced = false;
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('```')) fenced = !fenced;
    const heading = fenced ? null : /^(#+) (.*)$/.exec(line);
    if (heading) found.push({ level: heading[1]?.length ?? 0, text: heading[2] ?? '', at });
  }
  return found.map(({ level, text, at }, i) => ({
    level,
    text,
    body: lines.slice(at + 1, found[i + 1]?.at).join('\n'),
  }));
}

/** The rows of the table whose header is this one; each row its cells. */
export function tableOf(document: string, header: readonly string[]): string[][] | undefined {
  const lines = proseOf(document).split('\n');
  const start = lines.findIndex((line) => cellsOf(line).join('|') === header.join('|'));
  if (start < 0) return undefined;
  const rows: string[][] = [];
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith('|')) break;
    rows.push(cellsOf(line));
  }
  return rows;
}

/** The anchor that a heading has on GitHub. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function cellsOf(line: string): string[] {
  if (!line.startsWith('|')) return [];
  return line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}
