/** One short measurement of one server. */
export type Slice = {
  readonly port: number;
  /** Sent in turn, over and over. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** No request begins after this, or behind so many; those under way are waited for. */
  readonly seconds: number;
  readonly mostRequests: number;
};

/** What a slice showed. Latencies are milliseconds. */
export type Measured = {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
};
