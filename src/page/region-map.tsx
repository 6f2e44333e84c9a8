import type { MapDrawing } from '../block/manifest.ts';
import type { Row } from '../values/field-type.ts';
import { type Field, isLabel } from '../values/field-types.ts';
import { numberText } from '../values/wording.ts';
import { AskedPlace } from './asked-place.tsx';
import { svgOfMap } from './map-frame.ts';

const CLASSES = 5;

/** Regions coloured by one number of their rows, in five classes of about equal size. */
export function RegionMap(props: {
  map: MapDrawing & { kind: 'regions' };
  /** The rows' field with the region's name. */
  region: string;
  rows: readonly Row[];
  field: Field;
  /** What the regions are: `56 neighborhoods`. */
  label: string;
  /** What it means that a region has no row here. */
  outside: string;
  values: Readonly<Record<string, unknown>>;
}) {
  const { map, region, rows, field, label, outside } = props;
  const values = new Map(
    rows.map((row) => [row[region] as string, (row[field.name] ?? null) as number | null]),
  );
  const known = [...values.values()].filter((value) => typeof value === 'number');
  const classes = classesOf(known);
  const [lowest, highest] = [classes[0]?.min ?? 0, classes.at(-1)?.max ?? 0];
  const isPlain = isLabel(field, { min: lowest, max: highest });
  const show = (value: number, digits?: number) => short(value, isPlain, digits);
  const missing = values.size - known.length;
  return (
    <figure class="map">
      <svg {...svgOfMap(map)} aria-label={`Map of ${label} by ${field.title}`}>
        {Object.entries(map.shapes).map(([name, d]) => {
          const value = values.get(name);
          const shade = !values.has(name)
            ? 'out'
            : typeof value === 'number'
              ? `k${classes.findIndex(({ max }) => value <= max)}`
              : 'none';
          return (
            <path class={shade} d={d}>
              <title>{`${name}${typeof value === 'number' ? `: ${show(value)}` : ''}`}</title>
            </path>
          );
        })}
        <AskedPlace map={map} values={props.values} />
      </svg>
      <figcaption>
        {field.title}
        <ul class="legend">
          {legendOf(classes, show).map((text, i) => (
            <li>
              <Key shade={`k${i}`} /> {text}
            </li>
          ))}
          {missing > 0 && (
            <li>
              <Key shade="none" /> no value: {missing}
            </li>
          )}
          {Object.keys(map.shapes).some((name) => !values.has(name)) && (
            <li>
              <Key shade="out" /> {outside}
            </li>
          )}
        </ul>
      </figcaption>
    </figure>
  );
}

function Key({ shade }: { shade: string }) {
  return (
    <svg viewBox="0 0 10 10" aria-hidden="true">
      <rect class={shade} width="10" height="10" />
    </svg>
  );
}

/** At most five classes with about as many values in each; equal values share one. */
function classesOf(values: readonly number[]): { min: number; max: number }[] {
  const sorted = [...values].sort((a, b) => a - b);
  const ends = Array.from(
    { length: CLASSES },
    (_, i) => sorted[Math.ceil(((i + 1) * sorted.length) / CLASSES) - 1] as number,
  );
  const maxima = [...new Set(ends.filter((value) => value !== undefined))];
  return maxima.map((max, i) => ({
    min: sorted.find((value) => i === 0 || value > (maxima[i - 1] as number)) ?? max,
    max,
  }));
}

/** Classes as text, with enough digits to tell their ends apart. */
function legendOf(
  classes: readonly { min: number; max: number }[],
  show: (value: number, digits: number) => string,
): string[] {
  const ends = [...new Set(classes.flatMap(({ min, max }) => [min, max]))];
  let digits = 4;
  while (digits < MOST_DIGITS && new Set(ends.map((end) => show(end, digits))).size < ends.length) {
    digits++;
  }
  return classes.map(({ min, max }) =>
    min === max ? show(min, digits) : `${show(min, digits)} to ${show(max, digits)}`,
  );
}

/** The most significant digits that a number needs (IEEE 754, binary64). */
const MOST_DIGITS = 17;

/** A number as short text. Whole numbers are never rounded; the table has all others exactly. */
function short(value: number, isPlain: boolean, digits = 6): string {
  const rounded = Number.isInteger(value) ? value : Number(value.toPrecision(digits));
  return isPlain ? String(rounded) : numberText(rounded);
}
