import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { type PackedChunk, type PackingAside, packValues } from '../columns/encode-chunk.ts';
import type { CollectedColumn } from '../columns/encode-column.ts';
import type { Field } from '../values/field-types.ts';

/**
 * Two threads share the packing of a file: the one that reads its rows gives columns of a chunk to
 * the other, as soon as that one has nothing else to do.
 */

/** What the reading thread sends: the values of some rows, by a number. */
type GivenValues = {
  readonly number: number;
  readonly field: Field;
  readonly values: CollectedColumn;
};

/** What it gets: these values packed; first a message without any, once the other thread is ready. */
type PackedValues = { readonly number: number; readonly packed: PackedChunk } | 'ready';

/** Bytes of values that the other thread has and has not packed. A chunk has about as many. */
const MOST_GIVEN = 2 ** 23;

/** The side of the thread that reads. */
export class GivenToOther implements PackingAside {
  readonly #port: MessagePort;
  readonly #given = new Map<number, { bytes: number; done: (packed: PackedChunk) => void }>();
  #isReady = false;
  #bytes = 0;
  #number = 0;
  #wake = () => {};

  constructor(port: MessagePort) {
    this.#port = port;
  }

  take(field: Field, values: CollectedColumn, done: (packed: PackedChunk) => void): boolean {
    // This thread reads without a pause in which messages would arrive.
    for (;;) {
      const received = receiveMessageOnPort(this.#port);
      if (received === undefined) break;
      this.#receive(received.message);
    }
    const bytes = bytesOf(values);
    if (!this.#isReady || this.#bytes + bytes > MOST_GIVEN) return false;
    const number = this.#number++;
    this.#given.set(number, { bytes, done });
    this.#bytes += bytes;
    const own = inOwnMemory(values);
    const message: GivenValues = { number, field, values: own };
    this.#port.postMessage(message, memoryOf(own));
    return true;
  }

  async settled(): Promise<void> {
    this.#port.on('message', (message) => {
      this.#receive(message);
      this.#wake();
    });
    while (this.#given.size > 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#port.close();
  }

  #receive(message: PackedValues): void {
    if (message === 'ready') {
      this.#isReady = true;
      return;
    }
    const { bytes, entry, parts } = message.packed;
    const given = this.#given.get(message.number);
    this.#given.delete(message.number);
    this.#bytes -= given?.bytes ?? 0;
    given?.done({ bytes: asBuffer(bytes), entry, parts: asBuffer(parts) });
  }
}

/** The side of the other thread: packs what it gets. A fault ends it, and `fail` is called. */
export function packForOther(port: MessagePort, fail: () => void): void {
  port.on('message', ({ number, field, values }: GivenValues) => {
    try {
      const packed = packValues(field, withBuffers(values));
      port.postMessage({ number, packed } satisfies PackedValues);
    } catch {
      fail();
    }
  });
  port.postMessage('ready' satisfies PackedValues);
  port.unref();
}

function bytesOf(values: CollectedColumn): number {
  if ('numbers' in values) return values.numbers.byteLength;
  const { texts, indices } = values;
  return texts.bytes.length + texts.ends.byteLength + indices.byteLength;
}

/** Values that are handed over without the memory of others. */
function inOwnMemory(values: CollectedColumn): CollectedColumn {
  if ('numbers' in values) return values;
  const { bytes, ends } = values.texts;
  return { ...values, texts: { bytes: asBuffer(new Uint8Array(bytes)), ends: ends.slice() } };
}

function memoryOf(values: CollectedColumn): ArrayBuffer[] {
  const all =
    'numbers' in values
      ? [values.numbers]
      : [values.texts.bytes, values.texts.ends, values.indices];
  return all.map(({ buffer }) => buffer as ArrayBuffer);
}

/** Another thread gets buffers as arrays of bytes. */
function withBuffers(values: CollectedColumn): CollectedColumn {
  if ('numbers' in values) return values;
  const { texts, indices } = values;
  return { texts: { ...texts, bytes: asBuffer(texts.bytes) }, indices };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
