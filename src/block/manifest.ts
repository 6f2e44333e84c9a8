/** Where a dataset comes from, for those who build on its answers. */
export type Source = {
  readonly title: string;
  readonly publisher: string;
  readonly url?: string;
  readonly license: string;
  /** The day or month the data were current, ISO 8601. */
  readonly date: string;
  readonly changes?: string;
};

/** Where what a block computes with comes from, which has a version and no day. */
export type VersionedSource = Pick<Source, 'title' | 'publisher' | 'url' | 'license'> & {
  readonly version: string;
};

/** What is known of one field over all rows. */
export type FieldStatistics = {
  readonly nulls: number;
  readonly distinct: number;
  readonly min?: number;
  readonly max?: number;
  /** The distinct values, where they are few. */
  readonly values?: readonly string[];
  /** The bytes of the items that share the commonest key: the most an equality can read. */
  readonly mostBytesOfKey?: number;
};

/** What the importer learned of a dataset; a function carries it, so that no request asks. */
export type Manifest = {
  readonly block: string;
  readonly version: string;
  readonly rows: number;
  /** The items' size as DynamoDB counts it. */
  readonly bytes: number;
  readonly rowsPerShard: number;
  readonly source: Source;
  readonly fields: Readonly<Record<string, FieldStatistics>>;
};

export function shardsOf({ rows, rowsPerShard }: Pick<Manifest, 'rows' | 'rowsPerShard'>): number {
  return Math.ceil(rows / rowsPerShard);
}
