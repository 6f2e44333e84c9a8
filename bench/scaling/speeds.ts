import { CHUNK_ROWS } from '../../src/columns/chunk.ts';
import type { Measured, MeasuredRequest } from './measured.ts';
import type { CaseName } from './request-case.ts';

/**
 * CPU time on one core, from the requests that were measured: for an item of a column, however
 * small, and for each MiB of them, parsed and unpacked; for a row in memory to be searched by a
 * condition, or ordered for a sort; for a row of an index.
 */
export function speedsOf({ requests }: Measured) {
  const of = (name: CaseName, rows: number) =>
    requests.find((one) => one.name === name && one.rows === rows) as MeasuredRequest;
  const most = Math.max(...requests.map(({ rows }) => rows));
  // At 1,000 rows, an item has next to no bytes.
  const [small, large] = [of('first', 1000), of('first', most)];
  const itemMs = small.coldCpuMs / small.items;
  const mibMs = (large.coldCpuMs - large.items * itemMs) / (large.units / 128);
  const [two, sorted] = [of('two', most), of('sortTwo', most)];
  const searchMs = Math.max(0, two.warmCpuMs - of('two', 1000).warmCpuMs);
  const readMs = ({ items, units }: MeasuredRequest) => items * itemMs + (units / 128) * mibMs;
  const orderMs = Math.max(0, sorted.coldCpuMs - readMs(sorted) - searchMs);
  return {
    itemMs,
    mibMs,
    searchNs: (searchMs * 1e6) / most / 2,
    orderNs: (orderMs * 1e6) / most,
    lookupUs: most > CHUNK_ROWS ? (of('type', most).warmCpuMs * 1000) / (most / 36) : 0,
  };
}
