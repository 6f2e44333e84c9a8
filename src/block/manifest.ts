/** Where a dataset comes from, for people who build on its answers. */
export type Source = {
  readonly title: string;
  readonly publisher: string;
  readonly url?: string;
  readonly license: string;
  /** The day or month the data were current, ISO 8601. */
  readonly date: string;
  readonly changes?: string;
};

/** The source of the data that a block computes with; it has a version instead of a date. */
export type VersionedSource = Pick<Source, 'title' | 'publisher' | 'url' | 'license'> & {
  readonly version: string;
};

/** Statistics of one field over all rows. */
export type FieldStatistics = {
  readonly nulls: number;
  readonly distinct: number;
  readonly min?: number;
  readonly max?: number;
  /** The distinct values, if there are few. */
  readonly values?: readonly string[];
  /** The bytes of the items that share the commonest key: the most that one equality can read. */
  readonly mostBytesOfKey?: number;
};

/**
 * What the importer learned about a dataset; each function carries it, so no request looks it up.
 */
export type Manifest = {
  readonly block: string;
  readonly version: string;
  readonly rows: number;
  /** The total size of the items as DynamoDB counts it. */
  readonly bytes: number;
  readonly rowsPerShard: number;
  readonly rowsPerChunk: number;
  readonly source: Source;
  readonly fields: Readonly<Record<string, FieldStatistics>>;
};

export function shardsOf({ rows, rowsPerShard }: Pick<Manifest, 'rows' | 'rowsPerShard'>): number {
  return Math.ceil(rows / rowsPerShard);
}
