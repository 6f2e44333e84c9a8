import { isPlaceText } from '../values/place-text.ts';
import type { ColumnDecision, FileDecimal } from './evidence/column-decision.ts';
import type { FileField } from './recipe.ts';

/** A column of the file, with the decisions about it. */
export type InferredColumn = {
  /** The field's name. */
  readonly name: string;
  /** The header in the file. Blank if there is none. */
  readonly header: string;
  readonly decision: ColumnDecision;
  /** Set if other columns or the delimiter settle which character is before its decimals. */
  readonly settled?: FileDecimal;
  /** For one number of a column of points: the header of that column, and which number it is. */
  readonly part?: Required<Pick<FileField, 'header' | 'point'>> & Pick<FileField, 'pointForm'>;
};

/** Whether most of the texts that are looked at are places or shapes as machines write them. */
export function isOfPlaces({ decision: { type, samples } }: InferredColumn): boolean {
  const places = samples.filter(({ cell }) => isPlaceText(cell.trim())).length;
  return type === 'text' && 2 * places > samples.length;
}

/** Whether all cells are blank or mean nothing. */
export function hasNoValue({ decision }: Pick<InferredColumn, 'decision'>): boolean {
  return decision.filled === 0;
}
