import path from 'node:path';
import type { FileIn } from '../files/read-bytes.ts';
import { listed, SeedError } from '../files/source-table.ts';
import { packedIn } from '../files/unpack-file.ts';
import type { Differences } from '../import/compare-deliveries.ts';
import { emptyFiguresOf } from '../import/empty-figures.ts';
import type { ImportedDataset } from '../import/import-dataset.ts';
import { BLOCKS_USAGE } from '../import/own-code.ts';
import { missingForPortals } from '../portals/record.ts';
import { describeBadRows } from '../recipe/settle-bad-rows.ts';
import { numberText as count } from '../text/wording.ts';
import { answerLine, readBlockOptions } from './block-options.ts';
import { type Check, checkDelivery } from './check-delivery.ts';
import { type Console, EXIT, type Setup } from './console.ts';
import { showKey, showValue } from './describe-draft.ts';
import { type GivenFile, givenFile } from './download.ts';
import { type OwnBlock, readOwnBlock } from './own-block.ts';
import { runAside } from './workspace.ts';
import { draftDelivery } from './write-block.ts';

/** `blockyard check`: checks whether a file can be a block's next. Returns the exit code. */
export async function runCheck(
  args: readonly string[],
  console: Console,
  setup: Setup,
): Promise<number> {
  const line = readBlockOptions(args, { least: 2, most: 2, more: ['file'] });
  const answered = answerLine(line, USAGE, console);
  if (answered !== undefined) return answered;
  const { words, blocks = setup.blocks, texts } = line;
  const [name, file] = words as [string, string];
  return runAside(console, path.resolve(blocks), async (folder) => {
    const own = await readOwnBlock(path.resolve(blocks), name);
    // Without validators of an earlier fetch, no file is unchanged.
    const packed = (await givenFile(file, folder, console, setup)) as GivenFile;
    const given = await unpacked(packed, folder, own, texts.file);
    const fault = await reportCheck(own, given, console, async ({ rows }, next) => {
      const date = new Date().toISOString().slice(0, 10);
      const facts = { rows: rows.after, date };
      const drafted = await draftDelivery(next, given, path.join(folder, 'draft'), facts);
      await reportFigures(drafted.imported, console);
    });
    if (fault) return EXIT.unfit;
    console.out(`It fits ${name}.`);
    const missing = missingForPortals(own.file, setup.publication ?? {});
    if (missing !== undefined) console.out(missing);
    return EXIT.done;
  });
}

/**
 * Checks a file and prints what it finds. If the file fits, calls `then` with the block as it reads
 * that file. Returns whether the file does not fit, or `then` threw a SeedError.
 */
export async function reportCheck(
  own: OwnBlock,
  given: FileIn,
  { out, err }: Console,
  then: (differences: Differences, next: OwnBlock) => Promise<void>,
): Promise<boolean> {
  const check = await checkDelivery(own, given);
  for (const line of describeCheck(check, own.block.primaryKey !== undefined)) out(line);
  const { faults, differences } = check;
  for (const fault of faults) err(fault);
  if (faults.length > 0 || differences === undefined) return true;
  try {
    await then(differences, { ...own, file: check.block });
    return false;
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    err(error.message);
    return true;
  }
}

/** Says what names no area of the map, and which of the publisher's figures have nothing to show. */
export async function reportFigures(imported: ImportedDataset, { out }: Console): Promise<void> {
  for (const doubt of imported.doubts ?? []) out(`  Look: ${doubt}.`);
  for (const title of await emptyFiguresOf(imported)) {
    out(`  Look: the figure “${title}” of block.json has nothing to show.`);
  }
}

/**
 * Unpacks a packed file. Of several in an archive, takes the one that the line or the block names.
 */
export async function unpacked(
  given: FileIn,
  into: string,
  { file: { innerPath } }: OwnBlock,
  named?: string,
): Promise<FileIn> {
  const packed = await packedIn(path.join(given.folder, given.file), named, innerPath);
  if (packed === undefined) return given;
  const { dir, base } = path.parse(await packed.unpack(into));
  return { folder: dir, file: base };
}

const USAGE = `npx blockyard check BLOCK FILE
Tells whether a file can be a block's next, and what would change. Writes nothing.

  FILE              a path or an https address
  --file NAME       the one that is meant in a zip archive of several
  --blocks FOLDER   ${BLOCKS_USAGE}

It ends with 0 if the file fits, 3 if it does not, 1 if there is nothing to check.`;

/** If the rows fall below this share of those before, the file may be a part of the whole. */
const MOST_FALL = 0.8;

/** Lists as lines for a console what a file would change in a block. */
function describeCheck(
  { leftOut, odd, badRows, mayBeCutOff, differences, counts, columnsNew, columnsGone }: Check,
  hasKey: boolean,
): string[] {
  return [
    ...(differences === undefined ? [] : describeRows(differences, counts, hasKey)),
    ...(mayBeCutOff
      ? ['  Look: its last line does not end, and that of the file before does: it may be cut off.']
      : []),
    ...describeBadRows(badRows, counts),
    ...leftOut,
    ...odd,
    ...(columnsNew.length === 0
      ? []
      : [`New, and no field reads it: ${listed(columnsNew)}; add anew, or edit block.json`]),
    ...(columnsGone.length === 0 ? [] : [`Gone, and no field read it: ${listed(columnsGone)}`]),
  ];
}

function describeRows(
  { rows, firstAdded, firstGone, columnsBlank, columnsChanged }: Differences,
  counts: Check['counts'],
  hasKey: boolean,
): string[] {
  const changed = hasKey
    ? `, ${count(rows.changed)} changed`
    : ' (no primary key: rows as a whole)';
  return [
    `${count(rows.after)} ${rows.after === 1 ? 'row' : 'rows'}, ${count(rows.before)} before: ${count(rows.added)} added, ${count(rows.gone)} gone${changed}`,
    ...(firstAdded === undefined
      ? []
      : [`  first added: ${showKey(firstAdded.key)} in ${counts} ${firstAdded.line}`]),
    ...(firstGone === undefined
      ? []
      : [`  first gone: ${showKey(firstGone.key)}, was in ${counts} ${firstGone.line}`]),
    ...(rows.after < MOST_FALL * rows.before
      ? [
          `  Look: of ${count(rows.before)} rows, ${count(rows.before - rows.after)} are missing now.`,
        ]
      : []),
    ...(columnsBlank.length === 0
      ? []
      : [`  Look: no row has a value any more in ${listed(columnsBlank)}.`]),
    ...columnsChanged.map(
      ({ column, cells, key, before, after }) =>
        `  ${column}: ${count(cells)} changed, first ${showValue(before.value)} to ${showValue(after.value)} in ${counts} ${after.line} (${showKey(key)})`,
    ),
  ];
}
