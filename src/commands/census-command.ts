import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openCsv, readCsvRows } from '../files/csv/named-rows.ts';
import { bytesOf } from '../files/read-bytes.ts';
import { csvOf } from '../formats/csv.ts';
import { BLOCK_NAME } from '../import/block-file-schema.ts';
import {
  compileNeighborhoods,
  groupTracts,
  neighborhoodsBlock,
  type RowsOf,
} from '../import/census.ts';
import { BLOCKS_USAGE } from '../import/own-code.ts';
import { titleOf } from '../recipe/column-names.ts';
import { quoted } from '../text/shell-word.ts';
import { numberText } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import { describeWritten } from './add-command.ts';
import { badName } from './add-options.ts';
import { answerLine, readBlockOptions } from './block-options.ts';
import { type Console, EXIT, type Setup } from './console.ts';
import { runAside } from './workspace.ts';
import { refuseTaken, writeBlock } from './write-block.ts';

/**
 * `blockyard census`: makes a block of neighborhoods from a city's tracts. Returns the exit code.
 */
export async function runCensus(
  args: readonly string[],
  console: Console,
  setup: Pick<Setup, 'blocks' | 'keep'>,
): Promise<number> {
  const read = readBlockOptions(args, { least: 2, most: 2, more: ['name', 'title'] });
  const { name } = read.texts;
  const unnamed = name === undefined ? ['--name is missing; give the block one.'] : [];
  const faulty = name === undefined || BLOCK_NAME.test(name) ? unnamed : [badName(name)];
  const line = { ...read, faults: [...read.faults, ...(read.isHelp ? [] : faulty)] };
  const answered = answerLine(line, USAGE, console);
  if (answered !== undefined || name === undefined) return answered ?? EXIT.refused;
  const { words, blocks, texts } = line;
  const folder = path.resolve(blocks ?? setup.blocks);
  return runAside(console, folder, async (aside) => {
    await refuseTaken(folder, name);
    const [tracts, groups] = (await Promise.all(words.map(rowsOf))) as [RowsOf, RowsOf];
    const nameOf = groupTracts(tracts, groups);
    const { rows, notes } = compileNeighborhoods(tracts.rows, tracts.file, nameOf);
    const from = [tracts.file, groups.file];
    const title = texts.title ?? titleOf(name.replaceAll('-', ' '));
    const given = { folder: aside, file: `${name}.csv` };
    const block = neighborhoodsBlock(rows, given.file, { title, from });
    const columns = block.fields.map((field) => field.name);
    await writeFile(path.join(aside, given.file), csvOf(columns, rows, { raw: true }));
    const written = await writeBlock(folder, given, { name, block }, { keep: setup.keep });
    for (const note of [...notes, ...sumsOf(rows)]) console.out(note);
    const titled = texts.title === undefined ? '' : ` --title ${quoted(texts.title)}`;
    const again = `census ${words.map(quoted).join(' ')} --name ${name}${titled}`;
    describeWritten(written, { name, block }, again, blocks, console);
    return EXIT.done;
  });
}

async function rowsOf(given: string): Promise<RowsOf> {
  const [folder, file] = [path.dirname(path.resolve(given)), path.basename(given)];
  return { file, rows: await readCsvRows(await openCsv(() => bytesOf(folder, file), file)) };
}

/** The city's figures, to compare with published ones. */
function sumsOf(rows: readonly Row[]): string[] {
  const sums = CITY.map(([name, noun, decimals]) => {
    const values = rows.map((row) => row[name] as number | null);
    const sum = values.reduce((a, b) => (a === null || b === null ? null : a + b));
    return `${sum === null ? 'unknown' : numberText(sum, decimals)} ${noun}`;
  });
  return [`the city has ${sums.join(', ')}: compare them with the published figures`];
}

const CITY = [
  ['total_population', 'people', 0],
  ['households', 'households', 0],
  ['total_units', 'housing units', 0],
  ['land_area_in_square_miles', 'square miles of land', 2],
] as const;

const USAGE = `npx blockyard census TRACTS GROUPS --name NAME
Makes a block of a city's neighborhoods: sums its census tracts by a list that groups them.

  TRACTS            a CSV of census tracts; docs/your-city.md has its columns
  GROUPS            a CSV of two columns: geoid, the tract; neighborhood, the name of its own
  --name NAME       the block's name, such as springfield-neighborhoods
  --title TITLE     made of the name if not given
  --blocks FOLDER   ${BLOCKS_USAGE}

It writes all of the block or nothing, and ends with 0, or with 1 if a file does not fit.`;
