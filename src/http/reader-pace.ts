/**
 * How fast a reader must be, whichever channel writes to him. Whoever reads nothing, or next to
 * nothing, would keep an answer's memory, or a function, for as long as he likes.
 */

/** How long a reader may take no byte of what waits for him. */
export const STALLED_MS = 30_000;

/** How long any reader may take, however short his answer is. */
const GRACE_MS = 60_000;

/** The least rate after that, 262 kbit/s: slower than a first 3G line (384 kbit/s, ITU's IMT-2000). */
const LEAST_BYTES_PER_SECOND = 32 * 1024;

/**
 * Whether a reader has been waited for too long in all, though he takes a byte now and then.
 * @param bytes of the whole answer; of a stream, whose length nobody knows, those sent so far
 * @param waitedMs how long something waited for him; the time in which it is made is not his
 */
export function isTooSlow(bytes: number, waitedMs: number): boolean {
  return waitedMs > GRACE_MS + (bytes / LEAST_BYTES_PER_SECOND) * 1000;
}
