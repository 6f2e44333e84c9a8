/** More bits than a binary64 number has. */
const ENOUGH_BITS = 64;

/**
 * The binary64 number nearest to `count / by`, ties to even, as IEEE 754 rounds; `by` is positive.
 * For results from 1e-300 to 1e300: no dataset's numbers are beyond 1e126, nor below 1e-130.
 */
export function nearestNumber(count: bigint, by: bigint): number {
  if (count < 0n) return -nearestNumber(-count, by);
  const shift = Math.max(ENOUGH_BITS - (bitsOf(count) - bitsOf(by)), 0);
  const scaled = count << BigInt(shift);
  const whole = scaled / by;
  // Far behind the last bit that a number has, one bit shows whether anything was cut off.
  const exact = scaled % by > 0n ? whole | 1n : whole;
  return Number(exact) / 2 ** shift;
}

/** At least the number of bits, and at most three more. */
function bitsOf(value: bigint): number {
  return value.toString(16).length * 4;
}
