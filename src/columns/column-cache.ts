/** Anything that the cache can hold. Its size may grow. */
export type Cached = { readonly byteLength: number };

/** Data in memory, of all datasets. `COLUMN_CACHE_BYTES` sets another size. */
export const DEFAULT_CACHE_BYTES = 128 * 2 ** 20;

/**
 * The datasets' data in a process's memory, up to a number of bytes: directories, chunks with what
 * was computed from them, and rows. What was used longest ago is removed first.
 */
export class ColumnCache {
  readonly mostBytes: number;
  readonly #entries = new Set<CacheEntry<Cached>>();
  #bytes = 0;
  #uses = 0;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /** The total size of the cached values, in bytes. */
  get byteLength(): number {
    return this.#bytes;
  }

  entry<T extends Cached>(): CacheEntry<T> {
    return new CacheEntry<T>(this);
  }

  /** A counter that grows with each use. */
  nextUse(): number {
    return ++this.#uses;
  }

  /** Adds an entry's new bytes to the total, and makes room if that is too much. */
  count(entry: CacheEntry<Cached>, moreBytes: number): void {
    this.#entries.add(entry);
    this.#bytes += moreBytes;
    if (this.#bytes > this.mostBytes) this.#makeRoom();
  }

  /**
   * Frees an eighth of the cache at once, so that the entries are not sorted for each new value.
   */
  #makeRoom(): void {
    const enough = (this.mostBytes * 7) / 8;
    for (const entry of [...this.#entries].sort((a, b) => a.usedAt - b.usedAt)) {
      if (this.#bytes <= enough) return;
      this.#bytes -= entry.clear();
      this.#entries.delete(entry);
    }
  }
}

/** An entry of the cache, for one value. The cache may remove the value at any time. */
export class CacheEntry<out T extends Cached> {
  readonly #cache: ColumnCache;
  #value: T | undefined;
  #bytes = 0;
  #loading: Promise<T> | undefined;
  #isToBeKept = false;
  usedAt = 0;

  constructor(cache: ColumnCache) {
    this.#cache = cache;
  }

  /** The value, if there is one. Reading it counts as a use. */
  get value(): T | undefined {
    if (this.#value !== undefined) this.usedAt = this.#cache.nextUse();
    return this.#value;
  }

  /**
   * Loads the value, or joins a load that is under way. The value stays if any of these calls has
   * `isKept`. After a failure, the next call loads again.
   */
  load(isKept: boolean, load: () => Promise<T>): Promise<T> {
    this.#isToBeKept ||= isKept;
    this.#loading ??= load()
      .then((loaded) => {
        if (this.#isToBeKept) this.set(loaded);
        return loaded;
      })
      .finally(() => {
        this.#loading = undefined;
        this.#isToBeKept = false;
      });
    return this.#loading;
  }

  /** Sets the value. */
  set(value: T): void {
    this.#value = value;
    this.usedAt = this.#cache.nextUse();
    this.recount(value);
  }

  /** Counts a value's bytes again after it has grown, if it is still this entry's value. */
  recount(grown: T): void {
    if (this.#value !== grown) return;
    const before = this.#bytes;
    this.#bytes = grown.byteLength;
    this.#cache.count(this, this.#bytes - before);
  }

  /** Removes the value and returns its bytes. */
  clear(): number {
    const bytes = this.#bytes;
    this.#value = undefined;
    this.#bytes = 0;
    return bytes;
  }
}
