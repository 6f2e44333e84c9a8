import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { madeUpFile } from '../../test/files/made-up-files.ts';
import { figures, markdownTable } from '../report/markdown-table.ts';
import { type Judged, measureMadeUp } from './measure-made-up.ts';

/** Files of each feature that are named for being wrong in silence. */
const MOST_NAMED = 5;

/** Files that are read at a time, so that one waits for the disk while another is read. */
const AT_ONCE = 4;

/**
 * `npm run bench:dialects -- --made-up [--mixed] [COUNT] [SEED]`: how made-up files, of which every
 * cell's meaning is known, are read by `add --yes`, COUNT of them from SEED on. Mixed ones also have
 * what people met with other tools. `--made-up [--mixed] --write SEED [FOLDER]` writes one out.
 */
export async function madeUp(given: readonly string[], isSmoke: boolean): Promise<void> {
  const isMixed = given[0] === '--mixed';
  const args = isMixed ? given.slice(1) : given;
  if (args[0] === '--write') return writeOut(Number(args[1]), isMixed, args[2] ?? '.');
  const count = isSmoke ? 4 : Number(args[0] ?? 1000);
  const from = Number(args[1] ?? 0);
  const judged: Judged[] = [];
  let [questions, withQuestions] = [0, 0];
  const twice: string[] = [];
  const refused: string[] = [];
  const start = performance.now();
  for (let seed = from; seed < from + count; seed += AT_ONCE) {
    const seeds = Array.from(
      { length: Math.min(AT_ONCE, from + count - seed) },
      (_, i) => seed + i,
    );
    for (const found of await Promise.all(seeds.map((one) => measureMadeUp(one, isMixed)))) {
      judged.push(...found.judged);
      questions += found.questions;
      if (found.questions > 0) withQuestions++;
      if (found.most > 1) twice.push(found.file);
      if (found.why !== undefined) refused.push(`${found.file}: ${found.why.split('\n')[0]}`);
    }
  }
  const seconds = (performance.now() - start) / 1000;
  const features = [...new Set(judged.map(({ feature }) => feature))];
  const rows = features.map((feature) =>
    rowOf(
      feature,
      judged.filter((one) => one.feature === feature),
    ),
  );
  console.log(`${count} ${isMixed ? 'mixed' : 'made-up'} files from ${from} on, ${figures((1000 * seconds) / count)} ms each.
${refused.length} are refused; ${withQuestions} have a question, ${figures(questions / count)} a file; in ${twice.length}, two name one column.
A thing is *told* if it is wrong and a question or a note names it, *silent* if none does; *not kept* are
those of the silent that are not even the text that was written. What stands below a header that is
read wrong is not compared.

${markdownTable(
  ['feature', 'things', 'right', 'told', 'silent', 'not kept', 'refused', 'not compared'],
  [...rows.toSorted((a, b) => Number(b[4]) - Number(a[4])), rowOf('all', judged)],
)}`);
  for (const feature of features) tellSilent(judged.filter((one) => one.feature === feature));
  if (twice.length > 0)
    console.log(`\ntwo questions about one column\n  ${twice.slice(0, 20).join(', ')}`);
  if (refused.length > 0) console.log(`\nrefused\n  ${refused.slice(0, 20).join('\n  ')}`);
}

function rowOf(feature: string, judged: readonly Judged[]): string[] {
  const count = (outcome: Judged['outcome']) =>
    judged.filter((one) => one.outcome === outcome).length;
  const other = judged.filter(({ outcome, isOther }) => outcome === 'silent' && isOther);
  const counts = [judged.length, count('right'), count('told'), count('silent'), other.length];
  return [feature, ...[...counts, count('refused'), count('not compared')].map(String)];
}

/** The first seeds whose files are wrong in silence; those that lost something come first. */
function tellSilent(judged: readonly Judged[]): void {
  const silent = judged
    .filter(({ outcome }) => outcome === 'silent')
    .toSorted((a, b) => Number(b.isOther) - Number(a.isOther));
  if (silent.length === 0) return;
  const lines = silent.slice(0, MOST_NAMED).map(({ file, shown }) => `  ${file}: ${shown}`);
  console.log(`\n${silent[0]?.feature}\n${lines.join('\n')}`);
}

async function writeOut(seed: number, isMixed: boolean, folder: string): Promise<void> {
  const { name, bytes } = madeUpFile(seed, isMixed);
  await writeFile(path.join(folder, name), bytes);
  console.log(path.join(folder, name));
}
