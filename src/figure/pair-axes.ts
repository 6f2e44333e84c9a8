import { scaleLinear } from 'd3-scale';
import type { AxisFound } from '../block/two-numbers.ts';
import type { Language } from '../languages/language.ts';
import { setApart } from '../text/wording.ts';
import type { Field } from '../values/field-types.ts';
import { logAxis } from './log-axis.ts';
import { extremesOf, type NumberWords, numberWords } from './numbers.ts';
import type { At, Shape } from './shape.ts';

/** The axis of one of two numbers. */
export type PairAxis = {
  readonly field: Field;
  readonly isLog: boolean;
  /** Whether each of its lines is ten times the one before. */
  readonly isByTen: boolean;
  readonly domain: readonly [from: number, to: number];
  readonly ticks: readonly number[];
  readonly texts: readonly string[];
  /** Its field, and the unit of its numbers. */
  readonly name: string;
  readonly numbers: NumberWords;
  /** Returns where a number is, as a share of the way from the axis's beginning. */
  at(value: number): number;
  /** A number with its unit. */
  said(value: number): string;
};

/** About how many lines an axis that is even has. */
const TICKS = 5;

/** An axis begins at 0 if its numbers are above 0, and their least is less than this part of the greatest. */
const NEAR_ZERO = 0.3;

/** The room beyond the outermost circles, as a part of the axis. */
const ROOM = 0.03;

/** Very large numbers are divided by this, so that what is between them is not infinite. */
const PARTS = 4;

/** Makes an axis for numbers. `isTight` axes have no room beyond these. */
export function pairAxis(
  field: Field,
  found: AxisFound,
  values: readonly number[],
  { language, isTight }: { readonly language: Language; readonly isTight: boolean },
): PairAxis {
  const { unit, title } = field;
  const [least, most] = extremesOf(values) ?? [0, 1];
  const numbers = numberWords({ language, field, values });
  const said = (value: number) => {
    const text = numbers.short(value);
    return unit === undefined ? text : `${text} ${unit}`;
  };
  const own = { field, numbers, said };
  if (found.scale === 'log') {
    const apart = 10 ** (ROOM * Math.max(Math.log10(most) - Math.log10(least), Math.log10(2)));
    const { at, ticks, domain, isByTen } = isTight
      ? logAxis(least, most)
      : logAxis(
          Math.max(least / apart, Number.MIN_VALUE),
          Math.min(most * apart, Number.MAX_VALUE),
        );
    const texts = ticks.map((tick) => numbers.short(tick));
    return { ...own, isLog: true, isByTen, at, ticks, domain, texts, name: named(title, unit) };
  }
  const by = Math.max(Math.abs(least), Math.abs(most)) > Number.MAX_VALUE / PARTS ? PARTS : 1;
  const [low, high] = [least / by, most / by];
  const span = high - low || Math.abs(high) || 1;
  const isFromZero = low >= 0 && low < NEAR_ZERO * high;
  const from = isTight ? low : isFromZero ? 0 : low - ROOM * span;
  const to = isTight ? high : high + ROOM * span;
  const limit = Number.MAX_VALUE / by;
  const ends = [Math.max(-limit, from), Math.min(limit, to)] as const;
  const scale = scaleLinear(ends, [0, 1]);
  const at = (value: number) => scale(value / by);
  const domain = [ends[0] * by, ends[1] * by] as const;
  const ticks = scale.ticks(TICKS).map((tick) => tick * by);
  const { texts, unit: word } = numbers.ticks(ticks);
  const name = named(title, [word, unit].filter((one) => one !== undefined).join(' '));
  return { ...own, isLog: false, isByTen: false, at, ticks, domain, texts, name };
}

/** `Weight in lbs` says its unit already. */
function named(title: string, unit = ''): string {
  const words = (text: string) =>
    ` ${text
      .toLowerCase()
      .split(/[\s,;:()[\]]+/)
      .join(' ')
      .trim()} `;
  return unit === '' || words(title).includes(words(unit)) ? title : `${setApart(title)}, ${unit}`;
}

/** The lines of both axes, their numbers and their names. */
export function axisShapes(x: PairAxis, y: PairAxis): Shape[] {
  const isCrowded = x.ticks.length > TICKS;
  const top = (value: number): At => 1 - y.at(value);
  return [
    ...y.ticks.flatMap((tick, i): Shape[] => [
      { shape: 'line', look: 'grid', x: [0, 1], y: [top(tick), top(tick)] },
      {
        ...{ shape: 'text', look: 'tick', x: [0, -8], y: top(tick), down: 0.32, anchor: 'end' },
        runs: [{ text: y.texts[i] ?? '' }],
      },
    ]),
    ...x.ticks.flatMap((tick, i): Shape[] => [
      { shape: 'line', look: 'grid', x: [x.at(tick), x.at(tick)], y: [0, 1] },
      {
        shape: 'text',
        look: isCrowded && i % 2 === 1 ? 'tick wide' : 'tick',
        x: x.at(tick),
        y: 1,
        down: 1.6,
        anchor: 'middle',
        runs: [{ text: x.texts[i] ?? '' }],
      },
    ]),
    { shape: 'line', look: 'base', x: [0, 1], y: [1, 1] },
    { shape: 'text', look: 'tick', x: 0, y: 0, down: -0.7, runs: [{ text: y.name }] },
    { shape: 'text', look: 'tick', x: 1, y: 1, down: 3, anchor: 'end', runs: [{ text: x.name }] },
  ];
}
