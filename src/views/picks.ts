import type { Members } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import { type Grouping, timePartsOf } from '../block/grouping.ts';
import { isFilterable } from '../block/parameter.ts';
import { MOST_PLOTS } from '../figure/mark.ts';
import { type Picks, type Question, valuesOf } from '../figure/question.ts';
import type { Value } from '../values/field-type.ts';
import { type Field, keysOfDay } from '../values/field-types.ts';
import type { OfDataset } from './view.ts';

/** Picks: the values of a field that its filter names, each to be seen beside the others. */

/** The values that a filter names of a field, in the order of the address. Undefined if it names none. */
export function picksOf(field: Field, values: Members): Picks | undefined {
  const given = values[field.name];
  if (!mayBePicked(field) || given === undefined) return undefined;
  const named = [given].flat().map(exactValue);
  return named.includes(undefined) ? undefined : { field, values: named as Value[] };
}

/** Numbers and dates are asked for by ranges. */
export function mayBePicked(field: Field): boolean {
  return field.type !== 'number' && isFilterable(field) && keysOfDay(field) === undefined;
}

/** The value that an argument asks for. Undefined if a star in it asks for many. */
function exactValue(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const isExact = !value.replaceAll('\\*', '').includes('*');
  return isExact ? value.replaceAll('\\*', '*') : undefined;
}

/** What is picked of a field that groups are of. */
export function picksIn({ dimensions }: Grouping, values: Members): Picks | undefined {
  for (const { field, part, width, cells } of dimensions) {
    const picks = (part ?? width ?? cells) === undefined ? picksOf(field, values) : undefined;
    if (picks !== undefined) return picks;
  }
  return undefined;
}

/** The first field of which a filter names several values, as many as can be seen beside each other. */
export function pickedField({ fields }: DatasetBlock, values: Members): Field | undefined {
  return fields.find((field) => {
    const { length = 0 } = picksOf(field, values)?.values ?? {};
    return length > 1 && length <= MOST_PLOTS;
  });
}

/** The field whose values are picked: the second one of what is drawn, or the one that splits it. */
export function fieldPicked(
  block: DatasetBlock,
  values: Members,
  drawn: Grouping | undefined,
): Field | undefined {
  const [first, second] = drawn?.dimensions ?? [];
  if (first === undefined) return undefined;
  if (second === undefined) return values._as_one === true ? pickedField(block, values) : undefined;
  const isOfValues = (second.part ?? second.width ?? second.cells) === undefined;
  const isTime = timePartsOf(first.field).length > 0 || first.field.type === 'integer';
  return isTime && isOfValues && mayBePicked(second.field) ? second.field : undefined;
}

/**
 * The values of the second field of a figure, as far as they are known: from its groups and those
 * beside them, or else the few that the data have, or the commonest.
 */
export function choicesIn(
  { manifest, profile }: OfDataset,
  values: Members,
  { answer, others }: Pick<Question, 'answer' | 'others'>,
): readonly Value[] | undefined {
  const dimension = answer?.grouping.dimensions[1];
  if (dimension === undefined || answer === undefined) return undefined;
  const { name } = dimension.field;
  const beside = others !== undefined && 'groups' in others ? others.groups : [];
  const isAll = values[name] === undefined || beside.length > 0;
  if (isAll) return valuesOf([...answer.groups, ...beside], dimension);
  const known = manifest.fields[name]?.values ?? profile?.suggestions[name] ?? [];
  return [...known].sort((a, b) => (a < b ? -1 : 1));
}

/** The values of the second field of a figure that its groups have. */
export function presentIn({ answer }: Pick<Question, 'answer'>): readonly Value[] | undefined {
  const dimension = answer?.grouping.dimensions[1];
  return dimension && answer && valuesOf(answer.groups, dimension);
}
