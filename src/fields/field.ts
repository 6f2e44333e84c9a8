/** What is declared of a field, beside its type. */
export type FieldFacts = {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  /** A shorter name for places where people type: chat and the command line. */
  readonly alias?: string;
  /** The heading that a form groups it under. */
  readonly theme?: string;
  /** The unit of its numbers: `people`. */
  readonly unit?: string;
  /** Asks for a DynamoDB index: equality on this field then reads only the rows that match. */
  readonly indexed?: boolean;
  /** Whether free text in a chat searches this field; one field per block. */
  readonly main?: true;
  /** False if rows include the field but no parameter filters by it. */
  readonly filterable?: false;
  /** For a datetime: the IANA time zone for its periods and its display; UTC if absent. */
  readonly timeZone?: string;
  /** For a datetime: whether its times are local, without an offset. */
  readonly local?: true;
};

/** A value as callers read it; null if the cell is empty. */
export type Value = string | number | boolean | null;

/** One row as callers read it, with every field. */
export type Row = Readonly<Record<string, Value>>;
