import type { Field } from '../fields/field.ts';
import { typeOf } from '../fields/field-types.ts';
import { allDigits } from '../query/pattern.ts';
import type { KeyedRow } from '../query/predicate.ts';
import { rowText } from '../query/row-text.ts';

/**
 * A column of numeric keys, NaN for no value; `ascending` has the rows with a value, in its order.
 */
export type NumberColumn = {
  readonly kind: 'number';
  readonly values: Float64Array;
  readonly ascending: Uint32Array;
  /** The values in the order of `ascending`, for binary search. */
  readonly sorted: Float64Array;
};

/** A text column with a dictionary: a code for each row, 0 for no value. */
export type TextColumn = {
  readonly kind: 'text';
  readonly codes: Uint32Array;
  /**
   * By code: the text that equality compares, the text that wildcards search, and the stored text.
   */
  readonly keys: readonly string[];
  readonly searched: readonly string[];
  readonly raws: readonly string[];
  /** The total length of all keys. */
  readonly characters: number;
  /** By code: its rows, ascending. */
  readonly rows: readonly Uint32Array[];
  /** The codes of a key: several stored texts may have the same key. */
  readonly codesOfKey: ReadonlyMap<string, readonly number[]>;
};

export type Column = NumberColumn | TextColumn;

/** Rows in sequence, each with a comma behind it, and where each begins. */
export type Laid = { readonly bytes: Buffer; readonly starts: Uint32Array };

/** A dataset in memory, by column; `laid` holds its serialised rows. */
export type Columns = {
  readonly count: number;
  readonly columns: Readonly<Record<string, Column>>;
  readonly laid: Laid;
};

export function makeColumns(fields: readonly Field[], rows: readonly KeyedRow[]): Columns {
  return {
    count: rows.length,
    columns: Object.fromEntries(
      fields.map((field) => [
        field.name,
        typeOf(field).comparedBy === 'text'
          ? textColumn(rows, field)
          : numberColumn(rows, field.name),
      ]),
    ),
    laid: layRows(rows.map(({ values }) => rowText(values))),
  };
}

function numberColumn(rows: readonly KeyedRow[], name: string): NumberColumn {
  const values = Float64Array.from(
    rows,
    (row) => (row.keys[name] as number | undefined) ?? Number.NaN,
  );
  const ascending = Uint32Array.from(rows.keys())
    .filter((row) => !Number.isNaN(values[row]))
    .sort((a, b) => (values[a] as number) - (values[b] as number) || a - b);
  const sorted = Float64Array.from(ascending, (row) => values[row] as number);
  return { kind: 'number', values, ascending, sorted };
}

function textColumn(rows: readonly KeyedRow[], field: Field): TextColumn {
  const { name } = field;
  const type = typeOf(field);
  const byDigits = type.comparedBy === 'text' && type.byDigits;
  const codeOf = new Map<string, number>();
  const keys = [''];
  const raws = [''];
  const members: number[][] = [[]];
  const codes = Uint32Array.from(rows, (row, position) => {
    const key = row.keys[name];
    const raw = row.values[name] as string;
    let code = key === undefined ? 0 : codeOf.get(raw);
    if (code === undefined) {
      code = keys.push(key as string) - 1;
      raws.push(raw);
      members.push([]);
      codeOf.set(raw, code);
    }
    (members[code] as number[]).push(position);
    return code;
  });
  const codesOfKey = new Map<string, number[]>();
  for (let code = 1; code < keys.length; code++) {
    const key = keys[code] as string;
    const others = codesOfKey.get(key);
    if (others === undefined) codesOfKey.set(key, [code]);
    else others.push(code);
  }
  return {
    kind: 'text',
    codes,
    keys,
    searched: byDigits ? raws.map(allDigits) : keys,
    raws,
    characters: keys.reduce((sum, key) => sum + key.length, 0),
    rows: members.map((list) => Uint32Array.from(list)),
    codesOfKey,
  };
}

/** Writes rows into one buffer in sequence. */
function layRows(texts: readonly string[]): Laid {
  const starts = new Uint32Array(texts.length + 1);
  for (const [position, text] of texts.entries()) {
    starts[position + 1] = (starts[position] as number) + Buffer.byteLength(text) + 1;
  }
  const bytes = Buffer.allocUnsafeSlow(starts[texts.length] as number);
  for (const [position, text] of texts.entries()) {
    bytes.write(`${text},`, starts[position] as number);
  }
  return { bytes, starts };
}

/** The size of a row's text, in bytes. */
export function bytesOfRow(starts: Uint32Array, position: number): number {
  return (starts[position + 1] as number) - (starts[position] as number) - 1;
}
