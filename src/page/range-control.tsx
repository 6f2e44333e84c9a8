import type { FieldFacts } from '../core/dataset-facts.ts';
import type { Fault } from '../core/errors.ts';
import type { RangeField } from '../core/field.ts';
import { Description, described, FieldError } from './field-text.tsx';
import { type PageState, valuesOf } from './page-state.ts';

export type RangeProps = {
  readonly field: RangeField;
  readonly facts: FieldFacts | undefined;
  readonly histogram: readonly number[] | undefined;
  readonly state: PageState;
  readonly faults: readonly Fault[];
};

/**
 * A range: two boxes, which are what counts, over the field's histogram. The script lays a slider
 * over each end of it.
 */
export function RangeControl({ field, facts, histogram, state, faults }: RangeProps) {
  const { name, title, unit, description } = field;
  const ends = ['min', 'max'] as const;
  const [low = '', high = ''] = ends.map((end) => valuesOf(state, `${name}_${end}`)[0] ?? '');
  const { min, max } = facts ?? {};
  const own = faults.filter(
    ({ parameter }) => parameter === `${name}_min` || parameter === `${name}_max`,
  );
  return (
    <fieldset
      class="range"
      data-min={min}
      data-max={max}
      aria-describedby={description === undefined ? undefined : `d-${name}`}
    >
      <legend>
        {title}
        {unit === undefined ? '' : <span class="quiet"> {unit}</span>}
      </legend>
      <Description name={name} text={description} />
      {histogram === undefined || min === undefined || max === undefined ? (
        ''
      ) : (
        <Histogram name={name} bins={histogram} min={min} max={max} low={low} high={high} />
      )}
      <div class="ends">
        <End
          field={name}
          parameter={`${name}_min`}
          label="at least"
          value={low}
          placeholder={short(min)}
          faults={faults}
        />
        <End
          field={name}
          parameter={`${name}_max`}
          label="at most"
          value={high}
          placeholder={short(max)}
          faults={faults}
        />
      </div>
      <FieldError name={name} faults={own} />
    </fieldset>
  );
}

function End(props: {
  field: string;
  parameter: string;
  label: string;
  value: string;
  placeholder: string | undefined;
  faults: readonly Fault[];
}) {
  const { field, parameter, label, value, placeholder } = props;
  const id = `f-${parameter}`;
  return (
    <div>
      <label for={id}>{label}</label>
      <input
        type="text"
        id={id}
        name={parameter}
        value={value}
        placeholder={placeholder}
        inputmode="decimal"
        {...described(
          field,
          undefined,
          props.faults.filter((fault) => fault.parameter === parameter),
        )}
      />
    </div>
  );
}

/** In units of a bin and of this height. */
const HEIGHT = 12;

/** How many rows have a value where; the bars within the range are drawn once more, in colour. */
function Histogram(props: {
  name: string;
  bins: readonly number[];
  min: number;
  max: number;
  low: string;
  high: string;
}) {
  const { name, bins, min, max } = props;
  const most = Math.max(...bins);
  const bars = bins
    .map((count, i) => {
      if (count === 0) return '';
      // One row is seen beside a thousand.
      const height = Math.max(1, Math.round((count / most) * HEIGHT));
      return `M${i} ${HEIGHT}v-${height}h.9v${height}z`;
    })
    .join('');
  const from = placeOf(props.low, min, max, bins.length, 0);
  const to = placeOf(props.high, min, max, bins.length, bins.length);
  const width = round(Math.max(0, to - from));
  return (
    <div class="histogram">
      <svg viewBox={`0 0 ${bins.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path id={`h-${name}`} d={bars} />
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
      </svg>
    </div>
  );
}

function placeOf(given: string, min: number, max: number, bins: number, blank: number): number {
  const value = given.trim() === '' ? Number.NaN : Number(given);
  if (Number.isNaN(value) || max === min) return blank;
  return round(Math.min(bins, Math.max(0, ((value - min) / (max - min)) * bins)));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function short(value: number | undefined): string | undefined {
  return value === undefined
    ? undefined
    : String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
}
