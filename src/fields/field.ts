import type { FieldTypeName } from './field-types.ts';

/** A column of a dataset, declared once: schemas, items, filters and documents are made from it. */
export type Field = {
  readonly type: FieldTypeName;
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  /** A shorter name, for where people type: chat and the command line. */
  readonly alias?: string;
  /** What a form groups it under. */
  readonly theme?: string;
  /** What its numbers count: `people`. */
  readonly unit?: string;
  /** Asks for a DynamoDB index: equality on this field then reads only the rows that match. */
  readonly indexed?: boolean;
  /** What free text in a chat is looked for in; of one field a block. */
  readonly main?: true;
  /** False where rows carry it and no parameter filters by it. */
  readonly filterable?: false;
  /** Of a datetime: the IANA time zone of its periods and its display; UTC where absent. */
  readonly timeZone?: string;
  /** Of a datetime: times as a clock on the wall shows them, without an offset. */
  readonly local?: true;
};

/** A cell as callers read it; null where the dataset has none. */
export type Value = string | number | boolean | null;

/** One row as callers read it: every field. */
export type Row = Readonly<Record<string, Value>>;
