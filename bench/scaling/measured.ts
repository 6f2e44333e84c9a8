import { readFileSync } from 'node:fs';
import { CHUNK_ROWS } from '../../src/columns/chunk.ts';
import { census, directory } from '../data/shipped-blocks.ts';

export const BLOCKS = { census, directory };
export type Kind = keyof typeof BLOCKS;
export const KINDS: readonly Kind[] = ['census', 'directory'];

/** The rows of the chunks whose sizes are measured; the model interpolates between them. */
export const SAMPLE_ROWS = [1_000, 10_000, CHUNK_ROWS] as const;

/** The bytes of a column's chunks of `SAMPLE_ROWS`, and of a directory's entry as JSON. */
export type ColumnSizes = {
  readonly entry: number;
  readonly packed: readonly number[];
  readonly held: readonly number[];
};

/** The mean bytes of a row's item, as DynamoDB counts it, and of its line in an import. */
export type DatasetSizes = {
  readonly item: number;
  readonly line: number;
  readonly columns: Readonly<Record<string, ColumnSizes>>;
};

/** All columns of a dataset as they are stored, and their bytes in memory. */
export type MeasuredColumns = {
  readonly kind: Kind;
  readonly rows: number;
  readonly items: number;
  readonly bytes: number;
  readonly units: number;
  readonly held: number;
};

/** What a request read with nothing in memory; and our process's CPU time, then and once more. */
export type MeasuredRequest = {
  readonly name: string;
  readonly rows: number;
  readonly path: string;
  readonly items: number;
  readonly units: number;
  readonly explainedUnits: number;
  readonly coldCpuMs: number;
  readonly warmCpuMs: number;
};

/** What a full run of `bench:scaling` found. */
export type Measured = {
  readonly machine: string;
  readonly datasets: Readonly<Record<Kind, DatasetSizes>>;
  readonly columns: readonly MeasuredColumns[];
  readonly requests: readonly MeasuredRequest[];
};

export const MEASURED_FILE = new URL('measured.json', import.meta.url);

export function lastMeasured(): Measured {
  return JSON.parse(readFileSync(MEASURED_FILE, 'utf8')) as Measured;
}
