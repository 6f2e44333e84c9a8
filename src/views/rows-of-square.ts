import type { Members } from '../arguments/given.ts';
import { isFilterable, operatorName } from '../block/parameter.ts';
import { squareColumns, type TwoNumbers } from '../block/two-numbers.ts';
import { changed, type PageState, withoutQuestion } from '../page/links.ts';
import { decimalText } from '../text/decimal.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import { numberArgument } from './rows-of-group.ts';

/**
 * A page's state that shows exactly the rows of a square; undefined if no filter does. What filters
 * leave of the square's numbers stays.
 */
export function rowsOfSquare(
  state: PageState,
  values: Members,
  asked: TwoNumbers,
  square: Row,
): PageState | undefined {
  const { x, y } = asked;
  if (!isFilterable(x) || !isFilterable(y)) return undefined;
  const [fromX, toX, fromY, toY] = squareColumns(asked).map(({ name }) => Number(square[name]));
  const rows = changed(withoutQuestion(state), { _view: 'table', _cursor: null });
  return changed(rows, { ...between(x, fromX, toX, values), ...between(y, fromY, toY, values) });
}

/** The filters from one number to below another; both of their ends are inclusive. */
function between(field: Field, from = 0, to = 0, values: Members): Record<string, string> {
  const [min, max] = [operatorName(field.name, 'min'), operatorName(field.name, 'max')];
  const isWhole = field.type === 'integer';
  const least = isWhole ? Math.ceil(from) : from;
  const most = isWhole ? Math.ceil(to) - 1 : numberBefore(to);
  const given = (name: string, otherwise: number) => {
    const value = values[name];
    return typeof value === 'number' ? value : otherwise;
  };
  const text = (number: number) => numberArgument(field, decimalText(number));
  return {
    [min]: text(Math.max(least, given(min, least))),
    [max]: text(Math.min(most, given(max, most))),
  };
}

/** The greatest number below another (IEEE 754, binary64). */
function numberBefore(number: number): number {
  if (number === 0) return -Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([number]).buffer);
  bits[0] = (bits[0] ?? 0n) + (number > 0 ? -1n : 1n);
  return new Float64Array(bits.buffer)[0] ?? number;
}
