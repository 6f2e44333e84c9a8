import type { Block } from '../../src/block/block.ts';
import type { RandomArguments } from './random-arguments.ts';
import type { Service } from './service.ts';

/** What a channel answers: its rows as JSON writes their cells, by column; a value is one row. */
export type ChannelAnswer = {
  readonly rows: readonly Readonly<Record<string, string>>[];
  /** All that match, where the channel says it. */
  readonly total?: number | null;
  /** Whether more rows follow, where the channel says it. */
  readonly isCut?: boolean;
  /** The columns that the channel shows, where not all. */
  readonly columns?: readonly string[];
  /** How many of the rows the channel says that it shows, where not all. */
  readonly atMost?: number;
};

export type Call = {
  readonly service: Service;
  readonly block: Block;
  readonly arguments: RandomArguments;
};

/** A way in: the same call, the same rows. */
export type Channel = (call: Call) => Promise<ChannelAnswer>;

export type Members = Readonly<Record<string, unknown>>;

/** A row, or a value's members, with each cell as JSON writes it. */
export function cellsOf(row: Members): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, JSON.stringify(value)]),
  );
}

/** The answer of a block's members, as `params` has them. */
export function answerOf(members: Members): ChannelAnswer {
  if (!Array.isArray(members.results)) return { rows: [cellsOf(members)] };
  return {
    rows: members.results.map(cellsOf),
    total: members.total as number | null,
    isCut: members.next !== null,
  };
}

/** What a channel says and does not leave out, in one order of columns. */
export function comparable({ rows, total, isCut, ...shown }: ChannelAnswer, wanted: ChannelAnswer) {
  const columns = shown.columns ?? Object.keys(wanted.rows[0] ?? {});
  return {
    rows: rows.map((row) => columns.map((column) => row[column])),
    widths: rows.map((row) => Object.keys(row).length),
    total: total === undefined ? wanted.total : total,
    isCut: isCut === undefined ? wanted.isCut : isCut,
  };
}

/** The answer that is wanted, as far as a channel that shows less of it shows it. */
export function asShown(wanted: ChannelAnswer, { columns, atMost }: ChannelAnswer): ChannelAnswer {
  const rows = wanted.rows.slice(0, atMost).map((row) => {
    const kept = columns ?? Object.keys(row);
    return Object.fromEntries(kept.map((column) => [column, row[column] ?? 'no such column']));
  });
  return { ...wanted, rows, ...(columns === undefined ? {} : { columns }) };
}
