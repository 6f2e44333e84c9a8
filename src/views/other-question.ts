import { type Dimension, type Grouping, readDimensions } from '../block/grouping.ts';
import type { Figure } from '../figure/figure.ts';
import type { Fewer } from '../figure/mark.ts';
import type { Part } from '../figure/periods.ts';
import { isYear, keysOfDay } from '../values/field-types.ts';
import { cellWidthIn, PLACE } from '../values/map-cells.ts';
import type { OfDataset } from './view.ts';

/** The question that a figure asks instead, where its own has too many marks or too few. */

/** With fewer points, a line shows little. */
const LEAST_POINTS = 3;

const SHORTER: Readonly<Partial<Record<string, Part>>> = {
  year: 'month',
  quarter: 'month',
  month: 'day',
  week: 'day',
};

export function shorterPeriods(
  { mark, numbers }: Figure,
  { dimensions }: Grouping,
): { readonly part: Part } | undefined {
  if (mark !== 'line' || numbers.rows.length >= LEAST_POINTS) return undefined;
  const { partName = '' } = dimensions.find(({ part }) => part !== undefined) ?? {};
  const part = SHORTER[partName];
  return part === undefined ? undefined : { part };
}

/** The question with other periods, or with wider steps or cells. */
export function changed(
  { block: { fields, geometry }, manifest }: OfDataset,
  { dimensions, measures }: Grouping,
  fewer: Fewer,
): Grouping | undefined {
  const isWanted = ({ width, cells, part, field }: Dimension) => {
    if ('years' in fewer) return part === undefined && isYear(field, manifest.fields[field.name]);
    if ('width' in fewer) return width !== undefined || cells !== undefined;
    return part?.recurs !== true && cells === undefined && keysOfDay(field) !== undefined;
  };
  const index = dimensions.findIndex(isWanted);
  const dimension = dimensions[index];
  if (dimension === undefined) return undefined;
  const by = 'part' in fewer ? fewer.part : 'width' in fewer ? fewer.width : fewer.years;
  const name = dimension.cells === undefined ? dimension.field.name : PLACE;
  if (dimension.cells !== undefined && cellWidthIn(`${PLACE}.${by}`) === undefined)
    return undefined;
  const changed = readDimensions(fields, [`${name}.${by}`], geometry);
  return { dimensions: dimensions.toSpliced(index, 1, ...changed), measures };
}
