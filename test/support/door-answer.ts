import type { Block } from '../../src/core/block.ts';
import type { RandomArguments } from './random-arguments.ts';
import type { Service } from './service.ts';

/** What a door answers: its rows as JSON writes their cells, by column; a value is one row. */
export type DoorAnswer = {
  readonly rows: readonly Readonly<Record<string, string>>[];
  /** All that match, where the door says it. */
  readonly total?: number | null;
  /** Whether more rows follow, where the door says it. */
  readonly isCut?: boolean;
  /** The columns that the door shows, where not all. */
  readonly columns?: readonly string[];
  /** How many of the rows the door says that it shows, where not all. */
  readonly atMost?: number;
};

export type Call = {
  readonly service: Service;
  readonly block: Block;
  readonly arguments: RandomArguments;
};

/** A way in: the same call, the same rows. */
export type Door = (call: Call) => Promise<DoorAnswer>;

export type Members = Readonly<Record<string, unknown>>;

/** A row, or a value's members, with each cell as JSON writes it. */
export function cellsOf(row: Members): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, JSON.stringify(value)]),
  );
}

/** The answer of a block's members, as `params` has them. */
export function answerOf(members: Members): DoorAnswer {
  if (!Array.isArray(members.results)) return { rows: [cellsOf(members)] };
  return {
    rows: members.results.map(cellsOf),
    total: members.total as number | null,
    isCut: members.next !== null,
  };
}
