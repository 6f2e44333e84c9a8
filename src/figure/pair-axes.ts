import { scaleLinear } from 'd3-scale';
import type { AxisFound } from '../block/two-numbers.ts';
import type { Language } from '../languages/language.ts';
import type { Field } from '../values/field-types.ts';
import { logAxis } from './log-axis.ts';
import { type NumberWords, numberWords } from './numbers.ts';
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

/** Makes an axis for numbers between two ends. `isTight` axes have no room beyond these. */
export function pairAxis(
  field: Field,
  found: AxisFound,
  [least, most]: readonly [number, number],
  { language, isTight }: { readonly language: Language; readonly isTight: boolean },
): PairAxis {
  const { unit, title } = field;
  const numbers = numberWords({ language, field, values: [least, most] });
  const said = (value: number) => {
    const text = numbers.short(value);
    return unit === undefined ? text : `${text} ${unit}`;
  };
  const own = { field, numbers, said };
  if (found.scale === 'log') {
    const apart = Math.max(most / least, 2) ** ROOM;
    const { at, ticks, domain, isByTen } = isTight
      ? logAxis(least, most)
      : logAxis(least / apart, Math.min(most * apart, Number.MAX_VALUE));
    const texts = ticks.map((tick) => numbers.short(tick));
    return { ...own, isLog: true, isByTen, at, ticks, domain, texts, name: named(title, unit) };
  }
  const span = most - least || Math.abs(most) || 1;
  const isFromZero = least >= 0 && least < NEAR_ZERO * most;
  const from = isTight ? least : isFromZero ? 0 : least - ROOM * span;
  const domain = [from, isTight ? most : most + ROOM * span] as const;
  const scale = scaleLinear(domain, [0, 1]);
  const ticks = scale.ticks(TICKS);
  const { texts, unit: word } = numbers.ticks(ticks);
  const name = named(title, [word, unit].filter((one) => one !== undefined).join(' '));
  return { ...own, isLog: false, isByTen: false, at: scale, ticks, domain, texts, name };
}

/** `Weight in lbs` says its unit already. */
function named(title: string, unit = ''): string {
  return title.toLowerCase().includes(unit.toLowerCase()) ? title : `${title}, ${unit}`;
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
