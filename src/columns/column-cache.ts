/** Something that is held in memory; its size may grow. */
export type Held = { readonly byteLength: number };

/** What a process holds of its datasets, unless its settings say otherwise. */
export const DEFAULT_CACHE_BYTES = 128 * 2 ** 20;

/**
 * What a process holds of its datasets, up to a number of bytes: directories, chunks with what was
 * made of them, rows. What was used least recently goes first.
 */
export class ColumnCache {
  readonly mostBytes: number;
  readonly #slots = new Set<CacheSlot<Held>>();
  #bytes = 0;
  #uses = 0;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /** The bytes of all that is held. */
  get byteLength(): number {
    return this.#bytes;
  }

  slot<T extends Held>(): CacheSlot<T> {
    return new CacheSlot<T>(this);
  }

  /** A number that grows from use to use. */
  nextUse(): number {
    return ++this.#uses;
  }

  /** Counts what a slot holds, and makes room. */
  count(slot: CacheSlot<Held>, moreBytes: number): void {
    this.#slots.add(slot);
    this.#bytes += moreBytes;
    if (this.#bytes > this.mostBytes) this.#makeRoom();
  }

  /** Frees an eighth at once, so that the slots are not put in order for each. */
  #makeRoom(): void {
    const enough = (this.mostBytes * 7) / 8;
    for (const slot of [...this.#slots].sort((a, b) => a.usedAt - b.usedAt)) {
      if (this.#bytes <= enough) return;
      this.#bytes -= slot.clear();
      this.#slots.delete(slot);
    }
  }
}

/** A place in memory for one thing, which may be taken away at any time. */
export class CacheSlot<out T extends Held> {
  readonly #cache: ColumnCache;
  #held: T | undefined;
  #bytes = 0;
  #loading: Promise<T> | undefined;
  #isToBeKept = false;
  usedAt = 0;

  constructor(cache: ColumnCache) {
    this.#cache = cache;
  }

  /** What is held; it counts as used. */
  get held(): T | undefined {
    if (this.#held !== undefined) this.usedAt = this.#cache.nextUse();
    return this.#held;
  }

  /**
   * Loads what belongs here, or joins the load under way; holds it if any of these calls says
   * `isKept`. After a failure, the next call loads again.
   */
  load(isKept: boolean, load: () => Promise<T>): Promise<T> {
    this.#isToBeKept ||= isKept;
    this.#loading ??= load()
      .then((loaded) => {
        if (this.#isToBeKept) this.hold(loaded);
        return loaded;
      })
      .finally(() => {
        this.#loading = undefined;
        this.#isToBeKept = false;
      });
    return this.#loading;
  }

  /** Holds something. */
  hold(held: T): void {
    this.#held = held;
    this.usedAt = this.#cache.nextUse();
    this.recount(held);
  }

  /** Counts again what has grown, if it is held. */
  recount(grown: T): void {
    if (this.#held !== grown) return;
    const before = this.#bytes;
    this.#bytes = grown.byteLength;
    this.#cache.count(this, this.#bytes - before);
  }

  /** Forgets what is held. Returns its bytes. */
  clear(): number {
    const bytes = this.#bytes;
    this.#held = undefined;
    this.#bytes = 0;
    return bytes;
  }
}
