import type { Budget } from '../query/budget.ts';

/** The numbers of each group, for their medians. */
export class GroupNumbers {
  #groups = new Uint16Array(2 ** 10);
  #numbers = new Float64Array(2 ** 10);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  get byteLength(): number {
    // Selecting takes another copy.
    return this.#groups.byteLength + 2 * this.#numbers.byteLength;
  }

  /** Adds each row's number to its group; NaN is none. */
  add(keys: Float64Array, groups: Uint16Array): void {
    this.#reserve(keys.length);
    let count = this.#count;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as number;
      if (Number.isNaN(key)) continue;
      this.#numbers[count] = key;
      this.#groups[count++] = groups[i] as number;
    }
    this.#count = count;
  }

  /** The two numbers in the middle of each group: the same one if it has an odd number of them. */
  async middles(
    groups: number,
    budget: Budget,
  ): Promise<(readonly [number, number] | undefined)[]> {
    const starts = new Uint32Array(groups + 1);
    for (let i = 0; i < this.#count; i++) {
      const behind = (this.#groups[i] as number) + 1;
      starts[behind] = (starts[behind] as number) + 1;
    }
    for (let group = 0; group < groups; group++) {
      starts[group + 1] = (starts[group + 1] as number) + (starts[group] as number);
    }
    const byGroup = new Float64Array(this.#count);
    const next = starts.slice();
    for (let i = 0; i < this.#count; i++) {
      const group = this.#groups[i] as number;
      const at = next[group] as number;
      byGroup[at] = this.#numbers[i] as number;
      next[group] = at + 1;
    }
    await budget.turn(this.#count / 2);
    const found: (readonly [number, number] | undefined)[] = [];
    for (let group = 0; group < groups; group++) {
      const its = byGroup.subarray(starts[group], starts[group + 1]);
      found.push(its.length === 0 ? undefined : await middlesOf(its, budget));
    }
    return found;
  }

  #reserve(more: number): void {
    const needed = this.#count + more;
    if (needed <= this.#numbers.length) return;
    const length = Math.max(needed, Math.ceil(1.5 * this.#numbers.length));
    const numbers = new Float64Array(length);
    numbers.set(this.#numbers.subarray(0, this.#count));
    const groups = new Uint16Array(length);
    groups.set(this.#groups.subarray(0, this.#count));
    [this.#numbers, this.#groups] = [numbers, groups];
  }
}

async function middlesOf(
  numbers: Float64Array,
  budget: Budget,
): Promise<readonly [number, number]> {
  const upper = numbers.length >> 1;
  const high = await selected(numbers, upper, budget);
  if (numbers.length % 2 === 1) return [high, high];
  // All numbers before it are no greater; the greatest of them is the other one.
  let low = numbers[0] as number;
  for (let i = 1; i < upper; i++) low = Math.max(low, numbers[i] as number);
  await budget.turn(upper / 4);
  return [low, high];
}

/** So few numbers are sorted at once. */
const FEW = 2048;

/**
 * Puts the number that would be at an index of the sorted numbers there, with no greater one before
 * it and no lesser one behind (Hoare's quickselect). If pivots prove bad, the rest is sorted.
 */
async function selected(numbers: Float64Array, index: number, budget: Budget): Promise<number> {
  let [from, to] = [0, numbers.length];
  let left = 4 * numbers.length;
  while (to - from > FEW && left > 0) {
    left -= to - from;
    const pivot = middleOfThree(
      numbers[from] as number,
      numbers[(from + to) >> 1] as number,
      numbers[to - 1] as number,
    );
    let [i, j] = [from, to - 1];
    while (i <= j) {
      while ((numbers[i] as number) < pivot) i++;
      while ((numbers[j] as number) > pivot) j--;
      if (i > j) break;
      const one = numbers[i] as number;
      numbers[i++] = numbers[j] as number;
      numbers[j--] = one;
    }
    await budget.turn((to - from) / 2);
    if (index <= j) to = j + 1;
    else if (index >= i) from = i;
    else return pivot;
  }
  numbers.subarray(from, to).sort();
  await budget.turn((to - from) * 8);
  return numbers[index] as number;
}

function middleOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
