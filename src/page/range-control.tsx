import { rangeOf } from '../block/describe-block.ts';
import type { Bins, FieldStatistics } from '../block/manifest.ts';
import type { Operator, Parameter } from '../block/parameter.ts';
import type { Language } from '../languages/language.ts';
import type { Fault } from '../problem/errors.ts';
import { placeAmong } from '../query/bin-of.ts';
import { DAY_MS, dateText } from '../values/calendar.ts';
import type { Value } from '../values/field-type.ts';
import { type Field, isNumeric, keysOfDay, typeOf } from '../values/field-types.ts';
import { firstDayOf, monthOf } from '../values/time-part.ts';
import { offsetAt } from '../values/time-zone.ts';
import { described } from './controls.tsx';
import { changed, hrefOf, type PageState, valuesOf } from './links.ts';

export type RangeProps = {
  readonly field: Field;
  /** The field's parameters that have a box here. */
  readonly parameters: readonly Parameter[];
  readonly statistics: FieldStatistics | undefined;
  readonly bins: Bins | undefined;
  /** The middle of all rows, if it is of those that are shown. */
  readonly median: number | undefined;
  /** What the figure does not show. */
  readonly note: string;
  readonly state: PageState;
  readonly faults: readonly Fault[];
  readonly language: Language;
};

const LABELS = { is: 'exactly', min: 'from', max: 'to', not: 'not' } as const;

/**
 * A range: two boxes, which alone are submitted, below the field's histogram. The script puts a
 * slider for each end on its axis. An exact value has a box too. Dates have links to their years or
 * months.
 */
export function RangeControl(props: RangeProps) {
  const { field, parameters, statistics, bins, median, note, state, faults, language } = props;
  const { name } = field;
  const nameOf = (op: Operator) => parameters.find((one) => one.op === op)?.name ?? '';
  const keyOf = (op: Operator) => endKey(field, op, valuesOf(state, nameOf(op))[0]);
  const bounds = rangeOf(field, statistics);
  const asked = parameters.filter((one) => one.op !== 'is' || valuesOf(state, one.name).length > 0);
  const days = keysOfDay(field) !== undefined && statistics && daysOf(field, statistics);
  return (
    <div class="range" {...(bins && scaleOf(field, bins))}>
      {bins !== undefined && bins.counts.length > 1 ? (
        <TallHistogram
          name={name}
          bins={bins}
          median={median}
          low={keyOf('min')}
          high={keyOf('max')}
        />
      ) : (
        ''
      )}
      <div class="ends">
        {asked.map(({ name: parameter, op = 'is' }) =>
          (op === 'is' ? valuesOf(state, parameter) : [valuesOf(state, parameter)[0] ?? '']).map(
            (value, i) => (
              <End
                field={name}
                id={i === 0 ? `f-${parameter}` : `f-${parameter}-${i + 1}`}
                parameter={parameter}
                end={op}
                label={language.say(i === 0 ? LABELS[op] : 'or')}
                value={value}
                placeholder={
                  op === 'is' ? undefined : short(bounds?.[op === 'min' ? 'min' : 'max'])
                }
                isNumber={isNumeric(field)}
                faults={faults}
              />
            ),
          ),
        )}
      </div>
      <small id={`n-${name}`}>{note}</small>
      {days ? <Periods nameOf={nameOf} days={days} state={state} language={language} /> : ''}
    </div>
  );
}

type Days = { readonly first: number; readonly last: number };

/** The first and the last day of a field, as days since 1970. */
function daysOf(field: Field, { min, max }: FieldStatistics): Days | undefined {
  if (min === undefined || max === undefined) return undefined;
  const [first, last] = [min, max].map((key) => dayOf(field, key)) as [number, number];
  return { first, last };
}

function dayOf(field: Field, key: number): number {
  if (keysOfDay(field) === 1) return key;
  const offset = field.local ? 0 : offsetAt(field.timeZone ?? 'UTC', key);
  return Math.floor((key + offset) / DAY_MS);
}

/** Years or months that are offered. */
const MOST_PERIODS = 6;

/** The last years or months of a field of dates, each as a link to its rows. */
function Periods(props: {
  readonly nameOf: (op: Operator) => string;
  readonly days: Days;
  readonly state: PageState;
  readonly language: Language;
}) {
  const { nameOf, days, state, language } = props;
  const [name, least, most] = (['is', 'min', 'max'] as const).map(nameOf) as [
    string,
    string,
    string,
  ];
  const [first, last] = [monthOf(days.first), monthOf(days.last)];
  if (first === last) return null;
  const years = Math.floor(last / 12) - Math.floor(first / 12) + 1;
  const textOf = (month: number, length: number) =>
    dateText(firstDayOf(month) * DAY_MS).slice(0, length);
  const texts =
    years > 1
      ? Array.from({ length: years }, (_, i) => textOf(last - 12 * i, 4))
      : Array.from({ length: last - first + 1 }, (_, i) => textOf(last - i, 7));
  const since = dateText(firstDayOf(last - 11) * DAY_MS);
  const none = { [name]: null, [least]: null, [most]: null, _cursor: null };
  const [given] = valuesOf(state, name);
  return (
    <small class="periods" id={`p-${name}`}>
      {last - first >= 12 ? (
        <a href={hrefOf(changed(state, { ...none, [least]: since }))}>
          {language.say('Last 12 months')}
        </a>
      ) : (
        ''
      )}
      {texts.slice(0, MOST_PERIODS).map((text) => (
        <>
          {' '}
          <a
            href={hrefOf(changed(state, { ...none, [name]: text }))}
            aria-current={given === text ? 'true' : undefined}
          >
            {text}
          </a>
        </>
      ))}
    </small>
  );
}

/**
 * The edges of the bins as a slider writes them. The upper end of a range is `data-below` less than
 * an edge: a day, or 1 between whole numbers.
 */
function scaleOf(field: Field, { edges }: Bins) {
  if (edges.length < 3) return {};
  if (keysOfDay(field) === undefined) {
    const isWhole = typeOf(field).json === 'integer';
    return { 'data-edges': edges.join(' '), 'data-below': isWhole ? 1 : 0 };
  }
  const days = edges.map((key) => dateText(dayOf(field, key) * DAY_MS));
  return { 'data-edges': days.join(' '), 'data-below': 1, 'data-scale': 'days' };
}

/** The key at which the coloured bars begin, or before which they end; undefined if it cannot be read. */
function endKey(field: Field, op: Operator, given: string | undefined): number | undefined {
  const type = typeOf(field);
  const parameter = { ...field, name: field.name, field: field.name };
  if (given === undefined || given.trim() === '' || !type.isOrdered) return undefined;
  const read = type.read(given, parameter);
  const isRead = typeof read === 'number' || type.formOf?.(field).test(String(read));
  if (!isRead) return undefined;
  const [from, to] = type.intervalOf(read, field);
  // Keys of all but decimals are whole.
  return op === 'min' ? from : to + (type.json === 'number' ? 0 : 1);
}

function End(props: {
  field: string;
  id: string;
  parameter: string;
  end: Operator;
  label: string;
  value: string;
  placeholder: string | undefined;
  isNumber: boolean;
  faults: readonly Fault[];
}) {
  const { field, id, parameter, label, value, placeholder } = props;
  return (
    <div>
      <label for={id}>{label}</label>
      <input
        type="text"
        id={id}
        name={parameter}
        value={value}
        data-end={props.end}
        placeholder={placeholder}
        inputmode={props.isNumber ? 'decimal' : undefined}
        {...described(
          field,
          undefined,
          props.faults.filter((fault) => fault.parameter === parameter),
        )}
      />
    </div>
  );
}

/** The height of the histogram's viewBox, as that of the small one, whose bars it repeats. */
const HEIGHT = 20;

/** The bars of the small histogram again; those within the range in colour. */
function TallHistogram(props: {
  name: string;
  bins: Bins;
  median: number | undefined;
  low: number | undefined;
  high: number | undefined;
}) {
  const { name, bins, median } = props;
  const { length } = bins.counts;
  const middle = placeOf(median, bins.edges, 0);
  const from = placeOf(props.low, bins.edges, 0);
  const to = placeOf(props.high, bins.edges, length);
  const width = round(Math.max(0, to - from));
  return (
    <div class="histogram">
      <svg viewBox={`0 0 ${length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <use href={`#a-${name}`} />
        <use class="out" href={`#h-${name}`} />
        <svg
          aria-hidden="true"
          x={from}
          width={width}
          height={HEIGHT}
          viewBox={`${from} 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <use href={`#h-${name}`} />
        </svg>
        <g class="middle" id={`m-${name}`}>
          {median !== undefined && <line class="med" x1={middle} x2={middle} y1="0" y2={HEIGHT} />}
        </g>
      </svg>
    </div>
  );
}

/** Where a key is among the bins; without one, at an end of them. */
function placeOf(key: number | undefined, edges: readonly number[], blank: number): number {
  return key === undefined ? blank : round(placeAmong(edges, key));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function short(value: Value | undefined): string | undefined {
  // A time is shortened to its day.
  if (typeof value !== 'number')
    return value === undefined ? undefined : String(value).slice(0, 10);
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
}
