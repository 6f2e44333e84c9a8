import { repeatable, SeedError, type SourceRecord, type SourceTable } from './source-table.ts';

/**
 * Fills the blank cells of columns with the value above them: labels that stand once a group.
 * `names` are made from the headers. Throws a SeedError if a column is gone.
 */
export function filledDown(
  table: SourceTable,
  columns: readonly string[],
  names: readonly string[],
  file: string,
): SourceTable {
  const gone = columns.find((column) => !names.includes(column));
  if (gone !== undefined) {
    const reason = 'the header has no such column, and its labels are filled down';
    throw new SeedError(file, reason, { column: gone });
  }
  const filled = new Set(columns.map((column) => names.indexOf(column)));
  return {
    ...table,
    get notes() {
      return table.notes;
    },
    records: repeatable(async function* (): AsyncGenerator<SourceRecord> {
      let above: readonly string[] = [];
      for await (const record of table.records) {
        const { cells } = record;
        const isFilled = (cell: string, at: number) => filled.has(at) && cell.trim() === '';
        const whole = cells.map((cell, at) => (isFilled(cell, at) ? (above[at] ?? '') : cell));
        if (record.bad === undefined) above = whole;
        yield { ...record, cells: whole };
      }
    }),
  };
}
