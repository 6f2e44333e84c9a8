/** A column of a dataset that callers filter by text. */
export type TextField = FieldText & {
  readonly kind: 'text';
  /** `digits`: compared by its digits alone, as phone numbers are. */
  readonly compare?: 'digits';
  /** Ask for a DynamoDB index: equality on this field then reads only the rows that match. */
  readonly indexed?: boolean;
  /** What free text in a chat is looked for in; of one field a block. */
  readonly main?: true;
};

/** A numeric column that callers filter by `<name>_min` and `<name>_max`. */
export type RangeField = FieldText & { readonly kind: 'range'; readonly unit?: string };

/** A numeric column that every row carries and no parameter filters. */
export type CarriedField = FieldText & { readonly kind: 'carried'; readonly unit?: string };

type FieldText = {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  /** A shorter name, for where people type: chat and the command line. */
  readonly alias?: string;
  /** What a form groups it under. */
  readonly theme?: string;
};

/** A dataset's column, declared once: schemas, items, indexes and documents are made from it. */
export type Field = TextField | RangeField | CarriedField;

/** One row as callers read it: every field, null where the dataset has no value. */
export type Row = Readonly<Record<string, string | number | null>>;
