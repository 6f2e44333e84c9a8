import type { Manifest } from '../block/manifest.ts';
import type { Field } from '../fields/field-types.ts';
import type { Grouping } from './grouping.ts';

/** Between which numbers the values of an answer's column lie, as far as it is known. */
export function columnBounds(
  { name }: Field,
  manifest: Manifest | undefined,
  grouping: Grouping | undefined,
): { readonly min?: number; readonly max?: number } {
  const measure = grouping?.measures.find(({ column }) => column.name === name);
  const own = grouping?.dimensions.find(({ column }) => column.name === name) ?? measure;
  const { min, max } = manifest?.fields[own?.field?.name ?? name] ?? {};
  if (min === undefined || max === undefined) return {};
  if (measure?.of !== 'sum') return { min, max };
  const rows = manifest?.rows ?? 1;
  return { min: Math.min(min, min * rows), max: Math.max(max, max * rows) };
}
