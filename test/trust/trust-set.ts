import path from 'node:path';
import { oneOf, type Random, seededRandom, wholeNumber } from '../../bench/data/seeded-random.ts';
import type { DatasetBlock } from '../../src/block/block.ts';
import type { Manifest } from '../../src/block/manifest.ts';
import { columnItems, headItem } from '../../src/dynamodb/column-items.ts';
import type { KeyedRow } from '../../src/query/predicate.ts';
import {
  datasetItems,
  type ImportedDataset,
  importDataset,
  makeDataset,
} from '../support/datasets.ts';
import { packColumns } from '../support/pack-columns.ts';
import { ROOT } from '../support/service.ts';
import { type ShippedBlock, shippedBlock } from '../support/shipped-blocks.ts';
import { sampleSpots, spotsBlock } from '../support/spots-block.ts';
import { INSTANTS, rowOf, typedBlock } from '../support/typed-block.ts';
import { ModelTable } from './model-dynamodb.ts';

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };

/** A dataset of a field of every type, as it is imported. */
export type TrustSet = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly rows: readonly KeyedRow[];
  readonly table: ModelTable;
};

export type Size = { readonly rows: number; readonly rowsPerChunk: number };

export function trustSet({ rows: count, rowsPerChunk }: Size, seed: number): TrustSet {
  const random = seededRandom(seed);
  const values = Array.from({ length: Math.max(1, count) }, (_, position) =>
    rowOf(cellsOf(position / Math.max(1, count), random)),
  );
  const imported = makeDataset(typedBlock, values, SOURCE, { rowsPerChunk });
  return count === 0 ? withoutRows(imported) : setOf(imported);
}

/** Rows with places: ties, the poles, both sides of the 180th meridian, and places that do not exist. */
export function spotsSet({ rows, rowsPerChunk }: Size, seed: number): TrustSet {
  return setOf(makeDataset(spotsBlock, sampleSpots(rows, seed), SOURCE, { rowsPerChunk }));
}

/** A block of the checkout, in chunks of so many rows. */
export async function shippedSet(
  name: ShippedBlock,
  { rows: count, rowsPerChunk }: Size,
): Promise<TrustSet> {
  const { block, dataset } = await shippedBlock(name);
  const imported = await importDataset(block, dataset, path.join(ROOT, 'seed-data'), rowsPerChunk);
  if (imported.manifest.rows !== count)
    throw new Error(`${name} has ${imported.manifest.rows} rows, not ${count}.`);
  return setOf(imported);
}

function setOf(imported: ImportedDataset): TrustSet {
  const { block, manifest } = imported;
  return {
    block,
    manifest,
    rows: [...imported.rows],
    table: new ModelTable(tableOf(manifest), [...datasetItems(imported)]),
  };
}

function tableOf({ block, version }: Manifest): string {
  return `${block}-${version}`;
}

/** The importer refuses a file without rows, but the columns need not. */
function withoutRows({ block, manifest }: ImportedDataset): TrustSet {
  const fields = Object.fromEntries(
    block.fields.map(({ name }) => [name, { nulls: 0, distinct: 0, bytes: 0 }]),
  );
  const empty: Manifest = { ...manifest, rows: 0, bytes: 0, fields };
  const items = [
    headItem(block.fields, empty),
    ...columnItems(packColumns(block.fields, [], manifest.rowsPerChunk), empty),
  ];
  return { block, manifest: empty, rows: [], table: new ModelTable(tableOf(empty), items) };
}

/** Ties, spellings of one key, no key, characters of two UTF-16 units, more than a bound has. */
const PLACES = [
  ...[
    'Court St',
    'COURT  ST',
    'Łódź',
    'lodz',
    'a*b',
    'x',
    '\u00ad',
    ' ',
    '😀 bar',
    '𝒳',
    'ﬀ',
    '日本',
  ],
  ...['Saint Anne’s on the Waterfront North', 'Saint Anne’s on the Waterfront South'],
];
const PHONES = ['718-624-7581', '1 (718) 624-7581', '7186240000'];

/** So many that rows share them. */
const INSTANTS_OF_A_FIELD = 2000;

/** A row's cells, `at` a share of the dataset: some columns ascend, or change their form, with it. */
function cellsOf(at: number, random: Random): Record<string, string | null> {
  const or = (cell: string, nulls = 0.1) => (random() < nulls ? null : cell);
  const whole = (most: number) => String(wholeNumber(random, 0, most));
  const day = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10);
  const instant = (from: number, to: number) =>
    random() < 0.3
      ? oneOf(random, [...INSTANTS, '0001-01-02T03:04:05Z', '9999-12-31T12:00:00Z'])
      : new Date(
          from + (to - from) * (wholeNumber(random, 0, INSTANTS_OF_A_FIELD) / INSTANTS_OF_A_FIELD),
        ).toISOString();
  return {
    place: or(random() < 0.5 ? oneOf(random, PLACES) : `${oneOf(random, PLACES)} ${whole(300)}`),
    phone: or(random() < 0.1 ? oneOf(random, PHONES) : `+1 718 ${whole(999)} ${whole(9999)}`),
    website: or(`https://example.org/${whole(2000)}?q=${oneOf(random, ['a', 'B', 'é"'])}`, 0.5),
    score: or(scoreOf(at, random)),
    seats: or(random() < 0.02 ? '-3' : String(Math.floor(at * 1000)), at < 0.5 ? 0 : 0.05),
    opened: or(
      edgeDay(at) ?? day(-40_000 + at * 80_000 + wholeNumber(random, 0, 400)),
      at < 0.3 ? 0 : 0.02,
    ),
    inspected: or(instant(-4e12, 4e12)),
    seen: or(instant(1.5e12 + at * 1e11, 1.5e12 + at * 1e11 + 1e9), 0.3),
    clock: or(instant(0, 2e12).replace('Z', '')),
    outdoors: or(oneOf(random, ['true', 'false', 'no']), at < 0.5 ? 0.2 : 0.9),
    checked: or(oneOf(random, ['2020-05-17', '2021-05-17'])),
  };
}

/** The first and the last day that there are, where they keep the days ascending. */
function edgeDay(at: number): string | undefined {
  if (at < 0.01) return '0001-01-01';
  return at > 0.99 ? '9999-12-31' : undefined;
}

/** Cents, then whole thousands, then fractions that are no decimals of a few digits. */
function scoreOf(at: number, random: Random): string {
  if (random() < 0.05) return oneOf(random, ['-0', '0', '1e3', '-76.61', '1e100', '1e-100']);
  if (at < 0.3) return String(wholeNumber(random, -5000, 5000) / 100);
  return at < 0.6 ? `${wholeNumber(random, -50, 50)}000` : String(random() - 0.5);
}
