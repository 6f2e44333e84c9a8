import type { CellShape } from '../../values/field-type.ts';
import { FIELD_TYPES, type FieldTypeName, typeOf } from '../../values/field-types.ts';
import { wordsOf } from '../column-names.ts';
import { type DoubtedReading, Kind, type SeenColumn } from './kind.ts';

/** A type with a shape that its cells show: links, phone numbers. */
export class ShapeKind extends Kind {
  readonly type: FieldTypeName;
  /** Whether this kind is tried before numbers. */
  readonly isBeforeNumbers: boolean;
  readonly #why: string;

  constructor(type: FieldTypeName, shape: CellShape, column: SeenColumn) {
    super(column, () => {
      const test = shape.testFor(wordsOf(column.header));
      return { add: (text) => (test(text) ? undefined : shape.whyNot) };
    });
    this.type = type;
    this.isBeforeNumbers = shape.isBeforeNumbers === true;
    this.#why = shape.why;
  }

  readings(): DoubtedReading[] {
    const { type } = this;
    return [{ type, spelling: {}, why: this.#why, deciding: this.column.firstCells(), given: {} }];
  }
}

/**
 * Makes a kind for each type that has a shape. Those tried after numbers come first: if two kinds
 * fit as many cells, the first says why the column is a text.
 */
export function shapeKinds(column: SeenColumn): readonly ShapeKind[] {
  return (Object.keys(FIELD_TYPES) as FieldTypeName[])
    .flatMap((type) => {
      const { shape } = typeOf({ type });
      return shape === undefined ? [] : [new ShapeKind(type, shape, column)];
    })
    .sort((a, b) => Number(a.isBeforeNumbers) - Number(b.isBeforeNumbers));
}
