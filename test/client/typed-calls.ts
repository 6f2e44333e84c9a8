import { BlockyardError, type Fault, type Row, rows, run } from '../../client/src/client.ts';
import type { Fault as ServiceFault } from '../../src/problem/errors.ts';

/**
 * What the client's types let through and what they do not, held by `tsc`: it refuses a line that
 * should be an error and is none. Nothing of it is run.
 */
export async function typedCalls(): Promise<unknown> {
  const { params } = await run('rgb-to-color-name', { R: 255, G: 127, B: 80 });
  const name: string = params.name;
  const rgb: [number, number, number] = params.rgb;
  // @ts-expect-error: it has no such member
  params.results;
  // @ts-expect-error: B is missing
  await run('rgb-to-color-name', { R: 255, G: 127 });
  // @ts-expect-error: not a number
  await run('rgb-to-color-name', { R: '255', G: 127, B: 80 });
  // @ts-expect-error: not one of the lists
  await run('rgb-to-color-name', { R: 255, G: 127, B: 80, list: 'best' });
  // @ts-expect-error: the client reads JSON alone
  await run('rgb-to-color-name', { R: 255, G: 127, B: 80, _format: 'csv' });

  const categories = ['retail', 'services'] as const;
  const page = await run('business-directory', { category: categories, _sort: '-business' });
  const total: number | null = page.params.total;
  const phone: string | null | undefined = page.params.results[0]?.phone_number;
  const cost: number | undefined = page._explain?.usd;
  // @ts-expect-error: a typo
  await run('business-directory', { catgory: 'retail' });
  // @ts-expect-error: a typo, in a call by the block's id
  await run('0866afd3c60942887af15dc945ab76fc', { catgory: 'retail' });
  await run('business-directory', { _group: ['category'], _sort: '-count' });

  const few = await run('business-directory', { _fields: ['business', 'city_state'] });
  const city: string | null | undefined = few.params.results[0]?.city_state;
  const count: number = few.params.count;
  // @ts-expect-error: not asked for
  few.params.results[0]?.phone_number;
  const { params: hex } = await run('rgb-to-color-name', { R: 1, G: 2, B: 3, _fields: ['hex'] });
  const digits: string = hex.hex;
  // @ts-expect-error: not asked for
  hex.name;
  // @ts-expect-error: no such field
  await run('business-directory', { _fields: ['busines'] });

  for await (const row of rows('census-neighborhoods', { vacant_units_min: 1000 })) {
    const units: number | null = row.vacant_units;
    const same: Row<'census-neighborhoods'> = row;
    // @ts-expect-error: no such field
    row.vacant;
    void [units, same];
  }
  for await (const row of rows('census-neighborhoods', { _fields: ['households'] })) {
    const households: number | null = row.households;
    // @ts-expect-error: not asked for
    row.vacant_units;
    void households;
  }
  // @ts-expect-error: that block answers with one value
  rows('rgb-to-color-name', { R: 255, G: 127, B: 80 });

  const foreign = await run(
    'street-trees',
    { species: 'Ginkgo' },
    { base_url: 'http://trees.test' },
  );
  for await (const tree of rows('street-trees', {}, { api_key: 'k' })) void tree.height;
  const byChance: string = name.length > 0 ? 'business-directory' : 'street-trees';
  const either = await run(byChance, { anything: 1 });
  // @ts-expect-error: options are not arguments
  await run('street-trees', {}, { apikey: 'k' });

  return [rgb, total, phone, cost, city, count, digits, foreign.params.results, either.params];
}

export function typedErrors(error: unknown): Fault | undefined {
  if (!(error instanceof BlockyardError)) throw error;
  // @ts-expect-error: no such code
  if (error.code === 'cursor-old') return undefined;
  if (error.code === 'cursor-expired') return undefined;
  const [fault] = error.errors;
  const same: ServiceFault | undefined = fault;
  const back: Fault | undefined = same;
  return back;
}
