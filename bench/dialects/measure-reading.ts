import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { readCsv } from '../../src/files/csv/read-csv.ts';
import { sniffCsv } from '../../src/files/csv/sniff-csv.ts';
import { findEncoding } from '../../src/files/encoding.ts';
import { seededRandom } from '../data/seeded-random.ts';

export const COLUMNS = 34;
const PIECE = 2 ** 18;

/** How much processor time each step takes on one file, in s: the median of the rounds. */
export async function measureReading(
  rows: number,
  rounds: number,
): Promise<{ bytes: number; seconds: Map<string, number> }> {
  const count = (records: AsyncIterable<unknown>) => countAll(records, rows);
  const bytes = Buffer.from(generate(rows));
  const readBytes = () => piecesOf(bytes);
  const source = { readBytes, file: 'f.csv', encoding: 'utf-8' };
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['csv-parse alone', () => count(pipeline(Readable.from(readBytes()), parse(), () => {}))],
    ['`findEncoding`', () => findEncoding(readBytes, 'f.csv')],
    ['`sniffCsv`', () => sniffCsv(source)],
    ['`readCsv`', async () => count((await readCsv(source)).records)],
  ];
  const taken = new Map(steps.map(([name]) => [name, [] as number[]]));
  // The steps take turns, so that the machine's other work meets all of them; the first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, step] of steps) {
      const start = process.cpuUsage();
      await step();
      const { user, system } = process.cpuUsage(start);
      if (round > 0) taken.get(name)?.push((user + system) / 1e6);
    }
  }
  const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] as number;
  const seconds = new Map([...taken].map(([name, times]) => [name, median(times)]));
  return { bytes: bytes.length, seconds };
}

function* piecesOf(bytes: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

async function countAll(records: AsyncIterable<unknown>, rows: number): Promise<void> {
  let found = 0;
  for await (const _ of records) found++;
  if (found < rows) throw new Error(`${found} rows are read; expected ${rows}.`);
}

/** Integers, money, quoted text, words and dates, in turn. */
function generate(rows: number): string {
  const random = seededRandom(14);
  const upTo = (most: number) => Math.floor(random() * most);
  const cells = [
    () => String(upTo(100_000)),
    () => (upTo(1_000_000) / 100).toFixed(2),
    () => `"${upTo(500)} Street, ""${upTo(100)}"""`,
    () => `word${upTo(300)}`,
    () => `2024-0${1 + upTo(9)}-1${upTo(10)}`,
  ];
  const lines = [Array.from({ length: COLUMNS }, (_, i) => `column ${i}`).join(',')];
  for (let row = 0; row < rows; row++) {
    const one = Array.from({ length: COLUMNS }, (_, i) => cells[i % cells.length]?.());
    lines.push(one.join(','));
  }
  return `${lines.join('\n')}\n`;
}
