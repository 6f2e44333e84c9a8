import { readFile, writeFile } from 'node:fs/promises';

const RESULTS = new URL('../RESULTS.md', import.meta.url);

/** Puts a section with this title in the place of the one before it; all else in RESULTS.md stays. */
export async function writeSection(title: string, lines: readonly string[]): Promise<void> {
  const text = await readFile(RESULTS, 'utf8');
  const heading = `## ${title}\n`;
  const start = text.indexOf(heading);
  const before = start < 0 ? text : text.slice(0, start);
  const later = start < 0 ? -1 : text.indexOf('\n## ', start);
  const after = later < 0 ? '' : text.slice(later + 1);
  const section = [heading, ...lines, ''].join('\n');
  await writeFile(RESULTS, `${before.trimEnd()}\n\n${section}${after === '' ? '' : `\n${after}`}`);
}
