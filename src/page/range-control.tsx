import { rangeOf } from '../block/describe-block.ts';
import type { FieldStatistics } from '../block/manifest.ts';
import type { Operator, Parameter } from '../block/parameter.ts';
import type { Fault } from '../problem/errors.ts';
import type { Value } from '../values/field-type.ts';
import { type Field, isNumeric, typeOf } from '../values/field-types.ts';
import { type PageState, valuesOf } from './block-view.ts';
import { Description, described, FieldError } from './controls.tsx';

export type RangeProps = {
  readonly field: Field;
  /** The field's parameters that have a box here. */
  readonly parameters: readonly Parameter[];
  readonly manifest: FieldStatistics | undefined;
  readonly histogram: readonly number[] | undefined;
  readonly state: PageState;
  readonly faults: readonly Fault[];
};

const LABELS = { is: 'exactly', min: 'at least', max: 'at most', not: 'not' } as const;

/**
 * A range: two boxes, which alone are submitted, below the field's histogram. If the values are
 * numbers or dates, the script puts a slider for each end over it. An exact value has a box too.
 */
export function RangeControl(props: RangeProps) {
  const { field, parameters, manifest, histogram, state, faults } = props;
  const { name, title, unit, description } = field;
  const own = faults.filter((fault) => parameters.some((one) => one.name === fault.parameter));
  const keyOf = (op: Operator) => {
    const [given] = valuesOf(state, parameters.find((one) => one.op === op)?.name ?? '');
    return endKey(field, op, given);
  };
  const { min, max } = manifest ?? {};
  const bounds = rangeOf(field, manifest);
  const asked = parameters.filter((one) => one.op !== 'is' || valuesOf(state, one.name).length > 0);
  return (
    <fieldset
      class="range"
      {...scaleOf(field, manifest)}
      aria-describedby={description === undefined ? undefined : `d-${name}`}
    >
      <legend>
        {title}
        {unit === undefined ? '' : <span class="quiet"> {unit}</span>}
      </legend>
      <Description name={name} text={description} />
      {histogram !== undefined && min !== undefined && max !== undefined && (
        <Histogram
          name={name}
          bins={histogram}
          min={min}
          max={max}
          low={keyOf('min')}
          high={keyOf('max')}
        />
      )}
      <div class="ends">
        {asked.map(({ name: parameter, op = 'is' }) =>
          (op === 'is' ? valuesOf(state, parameter) : [valuesOf(state, parameter)[0] ?? '']).map(
            (value, i) => (
              <End
                field={name}
                id={i === 0 ? `f-${parameter}` : `f-${parameter}-${i + 1}`}
                parameter={parameter}
                label={i === 0 ? LABELS[op] : 'or'}
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
      <FieldError name={name} faults={own} />
    </fieldset>
  );
}

/** The scale of the sliders: numbers, or days since 1970. */
function scaleOf(field: Field, { min, max }: Partial<FieldStatistics> = {}) {
  const type = typeOf(field);
  if (!type.isOrdered || min === undefined || max === undefined) return {};
  const { keysOfDay } = type;
  if (keysOfDay === undefined) return { 'data-min': min, 'data-max': max };
  const [first, last] = [min, max].map((key) => Math.floor(key / keysOfDay));
  return { 'data-scale': 'days', 'data-min': first, 'data-max': last };
}

/** The key at which the coloured bars begin or end; undefined if the end cannot be read. */
function endKey(field: Field, op: Operator, given: string | undefined): number | undefined {
  const type = typeOf(field);
  const parameter = { ...field, name: field.name, field: field.name };
  if (given === undefined || given.trim() === '' || !type.isOrdered) return undefined;
  const read = type.read(given, parameter);
  const isRead = typeof read === 'number' || type.formOf?.(field).test(String(read));
  return isRead ? type.intervalOf(read, field)[op === 'max' ? 1 : 0] : undefined;
}

function End(props: {
  field: string;
  id: string;
  parameter: string;
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

/** The height of the histogram's viewBox, whose width is the number of bins. */
const HEIGHT = 12;

/** How the rows' values are distributed; the bars within the range are drawn again in colour. */
function Histogram(props: {
  name: string;
  bins: readonly number[];
  min: number;
  max: number;
  low: number | undefined;
  high: number | undefined;
}) {
  const { name, bins, min, max } = props;
  const most = Math.max(...bins);
  const bars = bins
    .map((count, i) => {
      if (count === 0) return '';
      // A bin with one row stays visible beside one with a thousand.
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

function placeOf(
  value: number | undefined,
  min: number,
  max: number,
  bins: number,
  blank: number,
): number {
  if (value === undefined || max === min) return blank;
  return round(Math.min(bins, Math.max(0, ((value - min) / (max - min)) * bins)));
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
