/** An axis on which each step is as many times the one before. */
export type LogAxis = {
  readonly domain: readonly [from: number, to: number];
  /** At most `MOST_TICKS`: powers of ten, or 1, 2 and 5 times these if they are few. */
  readonly ticks: readonly number[];
  /** Whether each tick is ten times the one before. */
  readonly isByTen: boolean;
  /** Returns where a number is, as a share of the way from the first to the last. */
  at(value: number): number;
};

/** Numbers of an axis, which have room on a phone. */
const MOST_TICKS = 6;

/** An axis with fewer powers of ten has 1, 2 and 5 times these too. */
const FEW_POWERS = 3;

/** Makes the axis from one number to another, both above 0. Equal ones lie in its middle. */
export function logAxis(from: number, to: number): LogAxis {
  const [first, last] = [Math.log10(from), Math.log10(to)];
  const powers = ticksOf(from, to, [1]);
  const ticks = powers.length < FEW_POWERS ? ticksOf(from, to, [1, 2, 5]) : powers;
  // Of many, every second, third and so on, counted from 1 and not from the axis's end.
  const every = Math.ceil(ticks.length / MOST_TICKS);
  const kept =
    ticks === powers
      ? powers.filter((tick) => Math.round(Math.log10(tick)) % every === 0)
      : ticks.filter((_, i) => i % every === 0);
  return {
    domain: [from, to],
    ticks: kept,
    isByTen: ticks === powers && every === 1,
    at: (value) => (first === last ? 0.5 : (Math.log10(value) - first) / (last - first)),
  };
}

/** The least and the greatest power of ten that a number can have. */
const POWERS = { least: -324, most: 308 } as const;

function ticksOf(from: number, to: number, digits: readonly number[]): number[] {
  const first = Math.max(POWERS.least, Math.floor(Math.log10(from)));
  const last = Math.min(POWERS.most, Math.ceil(Math.log10(to)));
  const powers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return powers
    .flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)))
    .filter((tick) => tick >= from && tick <= to);
}
