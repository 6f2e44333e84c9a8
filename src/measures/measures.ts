import type { PlainMessage } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import { count, distinct } from './counts.ts';
import { max, min } from './extremes.ts';
import type { MeasureKind } from './measure.ts';
import { median, percentile } from './median.ts';
import { shareOfRows, shareOfSum } from './shares.ts';
import { avg, sum } from './sums.ts';

const PLAIN = { count, distinct, sum, avg, min, max, median };

/** The measures of one word, by the names that callers use. */
export const MEASURE_NAMES = Object.keys(PLAIN) as (keyof typeof PLAIN)[];

/** The percentiles that callers may ask for: `p10` to `p99`. */
export const PERCENTILE = 'p[1-9][0-9]';

type Digit = '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

export type MeasureName =
  | keyof typeof PLAIN
  | 'share:count'
  | 'share:sum'
  | `p${Digit}${Digit | '0'}`;

/** Every measure, by the name that callers use. A function that has no data carries none of them. */
export const MEASURES = /* @__PURE__ */ allMeasures();

function allMeasures(): Readonly<Record<MeasureName, MeasureKind>> {
  const percentiles = Array.from({ length: 90 }, (_, i) => [`p${i + 10}`, percentile(i + 10)]);
  return {
    ...PLAIN,
    'share:count': shareOfRows,
    'share:sum': shareOfSum,
    ...Object.fromEntries(percentiles),
  } as unknown as Readonly<Record<MeasureName, MeasureKind>>;
}

/** The measures of a field that lists name. They name one percentile for all. */
export const LISTED_MEASURES: readonly MeasureName[] = [...MEASURE_NAMES, 'share:sum', 'p90'];

/** What a measure of a field is called: `Average of Subways`. */
export function measureOfField(of: MeasureName, field: string, { say, ordinal }: Language): string {
  const [, hundredths] = /^p(\d\d)$/.exec(of) ?? [];
  const title =
    hundredths === undefined
      ? say(MEASURES[of].title as PlainMessage)
      : say('{nth} percentile of', { nth: ordinal(Number(hundredths)) });
  return `${title} ${field}`;
}
