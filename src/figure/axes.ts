import { scaleLinear, scaleLog } from 'd3-scale';
import type { Language } from '../languages/language.ts';
import { extremesOf, type NumberWords } from './numbers.ts';
import { type Periods, timeTicks } from './periods.ts';
import type { Shape } from './shape.ts';

/** The axis of a figure's numbers. */
export type ValueAxis = {
  readonly domain: readonly [from: number, to: number];
  readonly ticks: readonly number[];
  /** Returns where a number is, as a share from the top. */
  at(value: number): number;
  /** Its lines and numbers. */
  readonly shapes: readonly Shape[];
};

/** An axis has so many ticks, if its numbers allow it. */
const TICKS = { least: 3, most: 5 } as const;

type Written = {
  readonly numbers: NumberWords;
  /** Above the top line. */
  readonly unit?: string | undefined;
  /** The number whose line is the one that others are measured from. It is 0 if absent. */
  readonly base?: number;
};

type Scaled = Written & {
  /** Whether the axis has 0 in any case. */
  readonly isFromZero: boolean;
  /** Whether there is nothing between whole numbers: counts. */
  readonly isWhole?: boolean;
};

/** Makes the axis of some numbers. It begins at 0, unless all are far from it and it need not. */
export function valueAxis(values: readonly number[], how: Scaled): ValueAxis {
  const { numbers, unit, isFromZero, isWhole = false } = how;
  const [domain, ticks] = scaleOf(values, isFromZero, isWhole);
  const scale = scaleLinear(domain, [1, 0]);
  const { texts, unit: word } = numbers.ticks(ticks);
  const units = [word, unit].filter((one) => one !== undefined).join(' ');
  const at = (value: number) => scale(value);
  return { domain, ticks, at, shapes: tickShapes({ ticks, texts, units, at, base: how.base }) };
}

/** Where an axis of some numbers begins if it need not have 0. */
export function beginOf(values: readonly number[], isWhole: boolean): number {
  return scaleOf(values, false, isWhole)[0][0];
}

type Ticked = {
  readonly ticks: readonly number[];
  readonly texts: readonly string[];
  readonly units: string;
  readonly at: (value: number) => number;
  readonly base?: number | undefined;
};

function tickShapes({ ticks, texts, units, at, base = 0 }: Ticked): Shape[] {
  const lines = ticks.flatMap((tick, i): Shape[] => {
    const y = at(tick);
    const runs = [{ text: texts[i] ?? '' }];
    return [
      { shape: 'line', look: tick === base ? 'base' : 'grid', x: [0, 1], y: [y, y] },
      { shape: 'text', look: 'tick', x: [0, -8], y, down: 0.32, anchor: 'end', runs },
    ];
  });
  if (units === '') return lines;
  // Above all that is drawn, also where the axis goes on over its top line.
  return [
    ...lines,
    { shape: 'text', look: 'tick', x: 0, y: 0, down: -0.5, runs: [{ text: units }] },
  ];
}

/** A logarithmic axis, and how many times the one below each of its lines is, if that is always the same. */
export type LogAxis = ValueAxis & { readonly times?: number };

/** Over fewer powers of ten than this, 2 and 5 times each have a line too. */
const FEW_DECADES = 2.2;

/** Lines of whole powers of ten. Of more, every other one has a line, or fewer. */
const MOST_DECADES = 6;

/** The axis ends above its greatest number if the next line would leave this many times as much. */
const MOST_TIMES = 1.6;
const ABOVE = 1.1;

/** Makes the logarithmic axis of numbers that are all above 0. */
export function logAxis(values: readonly number[], how: Written): LogAxis {
  const { numbers, unit, base } = how;
  const [least, most] = extremesOf(values) ?? [1, 1];
  const decades = Math.log10(most) - Math.log10(least);
  const every = Math.max(1, Math.ceil(decades / MOST_DECADES));
  const isFew = decades <= FEW_DECADES;
  const all = linesAround(least, most, isFew ? [1, 2, 5] : [1], every);
  const first = Math.max(
    0,
    all.findLastIndex((tick) => tick <= least),
  );
  const last = all.findIndex((tick, i) => i > first && tick >= most);
  const from = Math.min(least, all[first] ?? least);
  const next = all[last] ?? most;
  // Two lines at least, so that one can tell how far apart they are.
  const isCut = next > MOST_TIMES * most && last > first + 1;
  const to = isCut ? ABOVE * most : next;
  const ticks = all.filter((tick) => tick >= from && tick <= to);
  const scale = scaleLog([from, to], [1, 0]);
  const at = (value: number) => scale(value);
  const texts = ticks.map((tick) => numbers.short(tick));
  const shapes = tickShapes({ ticks, texts, units: unit ?? '', at, base });
  return { domain: [from, to], ticks, at, shapes, times: isFew ? undefined : 10 ** every };
}

/** The greatest and the least power of ten that a number can be. */
const POWERS = { least: -323, most: 308 } as const;

/** What may have a line, from below the least number to above the greatest: some hundreds at most. */
function linesAround(
  least: number,
  most: number,
  steps: readonly number[],
  every: number,
): number[] {
  const from = Math.max(POWERS.least, every * Math.floor(Math.log10(least) / every) - every);
  const to = Math.min(POWERS.most, every * Math.ceil(Math.log10(most) / every) + every);
  const lines: number[] = [];
  for (let power = from; power <= to; power += every) {
    // As decimals are read, and not multiplied: 5 times a millionth is 0.000005.
    for (const step of steps) lines.push(Number(`${step}e${power}`));
  }
  return lines.filter((line) => line > 0 && Number.isFinite(line));
}

/** Makes the axis of shares of all. */
export function shareAxis({ numbers, unit }: Written): ValueAxis {
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const at = (share: number) => 1 - share;
  const { texts } = numbers.ticks(ticks);
  const shapes = tickShapes({ ticks, texts, units: unit ?? '', at });
  return { domain: [0, 1], ticks, at, shapes };
}

type Scale = readonly [domain: [number, number], ticks: number[]];

function scaleOf(values: readonly number[], isFromZero: boolean, isWhole: boolean): Scale {
  const [least, most] = extremesOf(values) ?? [0, 0];
  const from = isFromZero ? Math.min(0, least) : least;
  const to = isFromZero ? Math.max(0, most) : most;
  const full: [number, number] = from === to ? [from, from + 1] : [from, to];
  const whole = COUNTS.map((count): Scale => {
    const scale = scaleLinear(full, [0, 1]).nice(count);
    const ticks = scale.ticks(count).filter((tick) => !isWhole || Number.isInteger(tick));
    return [scale.domain() as [number, number], ticks];
  });
  const all = [...whole.map((scale) => endedAt(full, scale)), ...whole];
  // Numbers that are hardly apart for a computer have no ticks but their ends.
  return (
    all.find(([, { length }]) => length >= TICKS.least && length <= TICKS.most) ??
    all.find(([, { length }]) => length > 1) ?? [full, full]
  );
}

/** An axis ends at its greatest and at its least negative number, if a tick would leave much room. */
function endedAt([least, most]: readonly [number, number], [[from, to], ticks]: Scale): Scale {
  const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
  const top = to > most + MOST_ROOM * step ? most + LEAST_ROOM * step : to;
  const foot = least < 0 && from < least - MOST_ROOM * step ? least - LEAST_ROOM * step : from;
  return [[foot, top], ticks.filter((tick) => tick >= foot && tick <= top)];
}

/** How many ticks are tried. */
const COUNTS = [4, 3, 5, 2, 6] as const;

/** The room at an end of an axis, in steps from tick to tick: at most, and where a tick is left out. */
const MOST_ROOM = 0.35;
const LEAST_ROOM = 0.04;

/** Where a time is between two others, as a share from the left. One time stands in the middle. */
export function timeAt(from: number, to: number): (at: number) => number {
  return from === to ? () => 0.5 : (at) => (at - from) / (to - from);
}

/** Where names of the ends would stand over a tick, in shares. */
const NEAR_END = { left: 0.09, right: 0.91 } as const;

/** From so many ticks on, a phone names every other: beside the names of lines, or without. */
const NAMED_TICKS = { narrow: 4, wide: 7 } as const;

/** The ticks and names of an axis of time, from the first to the last period. */
export function timeAxis(
  periods: Periods,
  first: number,
  last: number,
  { language, isNarrow }: { readonly language: Language; readonly isNarrow: boolean },
): Shape[] {
  const [from, to] = [periods.beginOf(first), periods.beginOf(last)];
  const at = timeAt(from, to);
  const ticks = timeTicks(from, to, language).map((tick) => ({ ...tick, x: at(tick.at) }));
  const areYears = ticks.length > 1 && ticks.every(({ text }) => /^\d+$/.test(text));
  const name = (
    x: number,
    text: string,
    look: string,
    anchor: 'start' | 'middle' | 'end',
  ): Shape => ({
    shape: 'text',
    look,
    x,
    y: 1,
    down: 1.6,
    anchor,
    runs: [{ text }],
  });
  const [left = 1, right = 0] = [ticks[0]?.x, ticks.at(-1)?.x];
  const hasEnds = areYears || ticks.length === 0;
  // On a phone, every other of many ticks has a name.
  const few = isNarrow ? NAMED_TICKS.narrow : NAMED_TICKS.wide;
  return [
    ...ticks.flatMap(({ x, text }, i): Shape[] => [
      { shape: 'rect', look: 'tk', x, y: 1, width: [0, 1], height: [0, 5] },
      name(x, text, ticks.length >= few && i % 2 === 1 ? 'tick wide' : 'tick', 'middle'),
    ]),
    ...(first === last ? [name(0.5, periods.short(first), 'tick', 'middle')] : []),
    ...(first !== last && hasEnds && left > NEAR_END.left
      ? [name(0, periods.short(first), 'tick wide', 'start')]
      : []),
    ...(first !== last && hasEnds && right < NEAR_END.right
      ? [name(1, periods.short(last), 'tick wide', 'end')]
      : []),
  ];
}
