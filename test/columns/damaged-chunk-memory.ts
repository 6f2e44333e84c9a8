import { crc32, deflateRawSync } from 'node:zlib';
import type { ChunkEntry } from '../../src/columns/chunk.ts';
import { unpackChunk } from '../../src/columns/decode-chunk.ts';
import { fieldOf, storedColumn } from '../support/stored-column.ts';

// Sends the most memory outside of the heap that is taken to refuse each damaged chunk, as far as
// turns of the event loop show; null for one that is not refused.

const texts = ['retail', 'services', null, 'retail', 'é'];
const { packed } = await storedColumn(fieldOf('text'), texts);
const { bytes, entry } = packed;

async function peakOf(chunk: Uint8Array, its: ChunkEntry): Promise<number | null> {
  const before = process.memoryUsage().arrayBuffers;
  let most = before;
  const look = () => {
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  };
  const isRefused = unpackChunk(chunk, its).then(
    () => false,
    () => {
      look();
      return true;
    },
  );
  look();
  const timer = setInterval(look, 0);
  const found = (await isRefused) ? most - before : null;
  clearInterval(timer);
  return found;
}

const peaks: [string, number | null][] = [];
for (const keyBytes of [1e6, 2 ** 31, 2 ** 32 - 1]) {
  const dictionary = { kind: 'texts', keyBytes } as const;
  const name = `a directory that says ${keyBytes} bytes of keys`;
  peaks.push([name, await peakOf(bytes, { ...entry, dictionary })]);
}
const bomb = deflateRawSync(Buffer.alloc(2 ** 26));
const signed = { ...entry, bytes: bomb.length, crc32: crc32(bomb) };
peaks.push(['more inside than the directory says', await peakOf(bomb, signed)]);
process.send?.(peaks, () => process.exit());
