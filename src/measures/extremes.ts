import type { Value } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import type { Aggregate, MatchingValues, MeasureKind } from './measure.ts';

/** The least value. */
export const min: MeasureKind<MinMax> = {
  title: 'Least',
  of: (field) => typeOf(field).isOrdered,
  rankInForm: 4,
  aggregate: (mostGroups) => new MinMax(true, mostGroups),
  results: (aggregate, groups, field) => aggregate.values(groups, field),
};

/** The greatest value. */
export const max: MeasureKind<MinMax> = {
  ...min,
  title: 'Greatest',
  rankInForm: 5,
  aggregate: (mostGroups) => new MinMax(false, mostGroups),
};

/** Keeps the least or the greatest number of each group. */
export class MinMax implements Aggregate {
  readonly steps = 0.5;
  readonly #isMin: boolean;
  #keys: Float64Array;

  constructor(isMin: boolean, mostGroups: number) {
    this.#isMin = isMin;
    this.#keys = new Float64Array(mostGroups).fill(Number.NaN);
  }

  get bytesOfGroups(): number {
    return this.#keys.byteLength;
  }

  reserve(groups: number): void {
    const { length } = this.#keys;
    if (groups <= length) return;
    const keys = new Float64Array(Math.max(groups, 2 * length)).fill(Number.NaN, length);
    keys.set(this.#keys);
    this.#keys = keys;
  }

  add(groups: Uint32Array, { keys }: MatchingValues): void {
    const best = this.#keys;
    const isMin = this.#isMin;
    for (let i = 0; i < groups.length; i++) {
      const key = keys[i] as number;
      if (Number.isNaN(key)) continue;
      const group = groups[i] as number;
      const known = best[group] as number;
      // NaN stands for no number yet. A comparison with NaN is false, so the first number replaces
      // it.
      if (isMin ? !(known <= key) : !(known >= key)) best[group] = key;
    }
  }

  values(groups: Uint32Array, field: Field): Value[] {
    const type = typeOf(field);
    if (type.comparedBy !== 'number') throw new TypeError(`${field.name} has no order.`);
    return Array.from(groups, (group) => {
      const key = this.#keys[group] as number;
      return Number.isNaN(key) ? null : type.valueOf(key, field);
    });
  }
}
