import {
  asyncBufferFromUrl,
  type Compressors,
  type ParquetQueryFilter,
  parquetMetadataAsync,
  parquetReadObjects,
} from 'hyparquet';
import type { Asked, Found } from './questions.ts';

/** Asks one question of files at their addresses by hyparquet: in Node, and in a page of a browser. */
export async function askHyparquet(
  { question, blocks, day, box }: Asked,
  compressors: Compressors,
): Promise<Found> {
  const began = performance.now();
  const rowsOf = async (name: string, columns: string[], filter?: ParquetQueryFilter) => {
    const file = await asyncBufferFromUrl({ url: `${blocks}/${name}.parquet` });
    const metadata = await parquetMetadataAsync(file);
    if (columns.length === 0) return { metadata, rows: [] };
    const options = { file, metadata, columns, compressors, ...(filter && { filter }) };
    return { metadata, rows: await parquetReadObjects(options) };
  };
  const requests = rowsOf.bind(undefined, 'requests');
  const sums = (pairs: Iterable<readonly [string, number]>) => {
    const found = new Map<string, number>();
    for (const [key, value] of pairs) found.set(key, (found.get(key) ?? 0) + value);
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  };
  const answers: Record<Asked['question'], () => Promise<unknown>> = {
    open: async () => (await requests([])).metadata.schema.length - 1,
    count: async () => Number((await requests([])).metadata.num_rows),
    'sum by group': async () => {
      const { rows } = await requests(['agency', 'units']);
      return sums(rows.map(({ agency, units }) => [agency, Number(units)]));
    },
    'one day': async () => {
      const at = new Date(`${day}T00:00:00Z`);
      const { rows } = await requests(['day', 'units'], { day: { $gte: at, $lte: at } });
      return rows.reduce((sum, { units }) => sum + Number(units), 0);
    },
    join: async () => {
      const { rows: districts } = await rowsOf('districts', ['district', 'region']);
      const regions = new Map(districts.map(({ district, region }) => [district, region]));
      const { rows } = await requests(['district']);
      return sums(rows.map(({ district }) => [regions.get(district), 1]));
    },
    geometry: async () => {
      const [west, south, east, north] = box;
      const { rows } = await requests(['geometry']);
      return rows.filter(({ geometry }) => {
        const [x, y] = geometry.coordinates;
        return x > west && x < east && y > south && y < north;
      }).length;
    },
  };
  const answer = await answers[question]();
  return { answer, seconds: (performance.now() - began) / 1000 };
}
