import { deleteOtherVersions, type SeededTable, writeRows } from '../dynamodb/seed-table.ts';
import { numberText } from '../words/number-text.ts';

/** Tells the person who started the server a line. */
export type Tell = (line: string) => void;

export type FinishSettings = {
  /** How many rows' items the table has. */
  readonly written: number;
  /** Whether only this process uses the store, so that other versions may be deleted. */
  readonly ownsStore: boolean;
  readonly onWhole: () => void;
  readonly tell: Tell;
  readonly signal: AbortSignal;
};

/** Work of less time than this is not worth a line. */
const QUIET_MS = 1000;

/**
 * Writes the rows' items that a table lacks, while its columns answer; then deletes other versions.
 * A failure is told, once.
 */
export async function finishTable(
  table: SeededTable,
  { written, ownsStore, onWhole, tell, signal }: FinishSettings,
): Promise<void> {
  const { client, manifest } = table;
  const { block, rows } = manifest;
  const began = performance.now();
  let toldTenths = -1;
  const onWritten = (done: number) => {
    const tenths = Math.floor((10 * done) / rows);
    const all = done === rows;
    // Rows that were lacking at the start are reported, so their end is too.
    const isQuiet = performance.now() - began < QUIET_MS && !(all && written > 0);
    if (tenths === toldTenths || isQuiet) return;
    toldTenths = tenths;
    tell(
      `${block}: ${numberText(done)} of ${numberText(rows)} rows are written as items${all ? '' : '; columns answer'}`,
    );
  };
  try {
    await writeRows(table, written, { signal, onWritten });
    onWhole();
    if (ownsStore) await deleteOtherVersions(client, manifest, signal);
  } catch (error) {
    if (signal.aborted) return;
    const [reason] = (error as Error).message.split('\n');
    tell(`${block}: its table is not complete (${reason}); it answers, and the next start goes on`);
  }
}
