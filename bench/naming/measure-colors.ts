import { ciede2000, srgbToLab } from '../../functions/rgb-to-color-name/ciede2000.ts';
import { seededRandom, wholeNumber } from '../data/seeded-random.ts';
import type { Effort } from '../effort.ts';
import { median } from '../report/ratios.ts';
import { type Channels, colorContenders, EXACT } from './color-contenders.ts';

export type ColorResult = {
  readonly count: number;
  readonly contenders: readonly {
    readonly name: string;
    readonly perSecond: number;
    /** How many times ours does: the median over the rounds of ours / theirs. */
    readonly timesSlower: number;
    /** Of the compared colours, how many get one as near as ours by CIEDE2000. */
    readonly asNear: number;
  }[];
  readonly compared: number;
};

/** Colours named a second, in turn, one after another in this process. */
export async function measureColors(effort: Effort): Promise<ColorResult> {
  const { count, contenders } = await colorContenders();
  const random = seededRandom(count);
  const colors = Array.from({ length: 4096 }, (): Channels => {
    const channel = () => wholeNumber(random, 0, 255);
    return [channel(), channel(), channel()];
  });
  const ours = contenders.find(({ name }) => name === EXACT) as (typeof contenders)[number];
  const asNear = contenders.map(({ nearest }) => {
    const isAsNear = (rgb: Channels) =>
      distance(rgb, nearest(rgb)) <= distance(rgb, ours.nearest(rgb)) + 1e-9;
    return colors.slice(0, effort.colorsCompared).filter(isAsNear).length;
  });
  const rounds = Array.from({ length: effort.colorRounds }, () =>
    contenders.map(({ nearest }) => namedPerSecond(nearest, colors, effort.colorMilliseconds)),
  );
  const ofOurs = contenders.indexOf(ours);
  return {
    count,
    compared: effort.colorsCompared,
    contenders: contenders.map(({ name }, i) => ({
      name,
      perSecond: median(rounds.map((round) => round[i] as number)),
      timesSlower: median(rounds.map((round) => (round[ofOurs] as number) / (round[i] as number))),
      asNear: asNear[i] as number,
    })),
  };
}

function namedPerSecond(
  nearest: (rgb: Channels) => string,
  colors: readonly Channels[],
  milliseconds: number,
): number {
  const began = performance.now();
  let named = 0;
  let spent = 0;
  while (spent < milliseconds) {
    nearest(colors[named++ % colors.length] as Channels);
    spent = performance.now() - began;
  }
  return (named / spent) * 1000;
}

function distance(rgb: Channels, hex: string): number {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return ciede2000(srgbToLab(rgb), srgbToLab([channel(1), channel(3), channel(5)]));
}
