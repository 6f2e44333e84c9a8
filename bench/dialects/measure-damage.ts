import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Papa from 'papaparse';
import { runAdd } from '../../src/commands/add-command.ts';
import { DYNAMODB } from '../../src/dynamodb/storage.ts';
import { importDataset } from '../../src/import/import-dataset.ts';
import { loadDataBlock } from '../../src/import/load-blocks.ts';
import type { BadRows } from '../../src/recipe/bad-rows.ts';
import { DAMAGES, type DamagedFile, damagedFile } from '../../test/files/damaged-files.ts';

/** What became of files with one class of damage. */
export type Damaged = {
  readonly name: string;
  cells: number;
  right: number;
  /** Rows that were not damaged, and those of them that are equal. */
  whole: number;
  equal: number;
  damaged: number;
  mended: number;
  setAside: number;
  /** Files that were not taken at all. */
  refused: number;
  /** Rows that differ or are missing, and no line of theirs is said to be mended, set aside or left out. */
  untold: number;
  /** Those of them whose text is a whole row: nothing in it shows that it was another. */
  unseen: number;
};

const AMOUNT = 3;

/** How files with each class of damage are read, so many files a class: `add --yes --bad-rows mend`. */
export async function measureDamage(files: number): Promise<Damaged[]> {
  const all: Damaged[] = [];
  for (const [name, damage] of Object.entries(DAMAGES)) {
    const tally: Damaged = {
      ...{ name, cells: 0, right: 0, whole: 0, equal: 0, damaged: 0 },
      ...{ mended: 0, setAside: 0, refused: 0, untold: 0, unseen: 0 },
    };
    for (let number = 0; number < files; number++) {
      await measureFile(damagedFile(damage, number), tally);
    }
    all.push(tally);
  }
  return all;
}

async function measureFile(file: DamagedFile, tally: Damaged): Promise<void> {
  tally.cells += file.rows.length * file.header.length;
  tally.whole += file.rows.length - file.damaged.size;
  tally.damaged += file.damaged.size;
  const found = await rowsOf(file.text);
  if (found === undefined) {
    tally.refused++;
    return;
  }
  const { rows, badRows, leftOut } = found;
  tally.mended += badRows.mended.length;
  tally.setAside += badRows.setAside.length;
  const told = [...linesOf(badRows), ...leftOut];
  for (const [i, row] of file.rows.entries()) {
    const got = rows.get(row[0] as string);
    const right = row.filter(
      (cell, column) => got !== undefined && isSame(cell, got[column], column),
    );
    tally.right += right.length;
    const isEqual = right.length === row.length;
    if (!file.damaged.has(i) && isEqual) tally.equal++;
    if (isEqual || told.some(([from, to]) => isWithin(file, i, from, to))) continue;
    tally.untold++;
    if (isWholeRow(file, i)) tally.unseen++;
  }
}

function isSame(cell: string, got: string | undefined, column: number): boolean {
  return got === (column === AMOUNT ? String(Number(cell)) : cell);
}

/** The first and last line of each row that the block says was mended or set aside. */
function linesOf({ mended, setAside }: BadRows): (readonly [number, number])[] {
  return [...mended, ...setAside].map(({ line, text }) => {
    return [line, line + text.split('\n').length - 1] as const;
  });
}

/** Whether some line of a row is within lines. */
function isWithin({ rows, text }: DamagedFile, row: number, from: number, to: number): boolean {
  const line = row + 2;
  // A damage may have put line ends into the rows before.
  const more = text.split('\n').length - 2 - rows.length;
  return line + more >= from && line <= to;
}

/** Whether a line is read as a row of its own by a strict reader, as those around it are. */
function isWholeRow({ text, header, rows }: DamagedFile, row: number): boolean {
  const lines = text.split('\n');
  if (lines.length !== rows.length + 2) return false;
  const { data, errors } = Papa.parse<string[]>(`${lines[row + 1]}\n`);
  return errors.length === 0 && data[0]?.length === header.length;
}

/** A file's rows by their ids, as a block serves them; undefined if it is refused. */
async function rowsOf(text: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-damage-'));
  try {
    const file = path.join(folder, 'f.csv');
    await writeFile(file, text);
    const leftOut: (readonly [number, number])[] = [];
    // A note below the table: no cell of these files but damaged ones has a line end.
    const out = (line: string) => {
      const [, record] = /^record (\d+) is left out/.exec(line) ?? [];
      if (record !== undefined) leftOut.push([Number(record), Number(record)]);
    };
    const given = [file, '--yes', '--bad-rows', 'mend'];
    const code = await runAdd(given, { out, err: () => {} }, { blocks: folder });
    if (code !== 0) return undefined;
    const { block, dataset } = await loadDataBlock(path.join(folder, 'functions', 'f'));
    const { rows, badRows } = await importDataset(
      block,
      dataset,
      path.join(folder, 'seed-data'),
      DYNAMODB,
    );
    const byId = new Map<string, readonly string[]>();
    for (const { values } of rows) {
      const cells = Object.values(values).map((value) => String(value ?? ''));
      byId.set(cells[0] as string, cells);
    }
    return { rows: byId, badRows, leftOut };
  } finally {
    await rm(folder, { recursive: true });
  }
}
