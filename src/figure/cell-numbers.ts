import type { NumberWords } from './numbers.ts';

/** How numbers are written in the cells of a heat table, where all have as many decimals. */
export type CellNumbers = {
  text(value: number): string;
  /** The number that the text says, which decides the class: what reads alike is shaded alike. */
  shown(value: number): number;
};

/** From here on a cell has three digits and a unit. */
const LEAST_SHORT = 10_000;

export function cellNumbers(
  values: readonly number[],
  numbers: NumberWords,
  isShare: boolean,
): CellNumbers {
  const { whole, aligned } = numbers;
  const most = values.reduce((size, value) => Math.max(size, Math.abs(value)), 0);
  // A share is said in whole per cent.
  if (isShare) return { text: aligned, shown: (value) => Math.round(value * 100) / 100 };
  if (most >= LEAST_SHORT) {
    const inThree = (value: number) => Number(value.toPrecision(3));
    const shown = (value: number) =>
      Math.abs(inThree(value)) >= LEAST_SHORT || Math.abs(value) < 100
        ? inThree(value)
        : Math.round(value);
    return { text: aligned, shown };
  }
  const areWhole = values.every(Number.isInteger);
  const decimals =
    areWhole || most >= 100 || most === 0 ? 0 : Math.min(20, 2 - Math.floor(Math.log10(most)));
  return {
    text: whole,
    shown: (value) => {
      const near = Number(value.toFixed(decimals));
      // What is not nothing is not said to be.
      return near === 0 ? Number(value.toPrecision(3)) : near;
    },
  };
}
