import type { FaultCode } from '../problem/errors.ts';
import type { Pattern } from '../text/pattern.ts';
import { shorten } from '../text/wording.ts';

/** The form of a value that is compared and sorted. */
export type Key = string | number;

/** A range of keys, both ends inclusive. */
export type Interval = readonly [min: number, max: number];

/** What is wrong with a value, what was expected, and the likely fix. */
export type ValueFault = {
  readonly code: FaultCode;
  readonly detail: string;
  readonly suggestion?: string;
  readonly allowed?: readonly string[];
};

/** Where an argument comes from: in a form or a query, values are text and lists repeat a name. */
export type ArgumentSource = 'json' | 'text';

/** What a type needs to know of the parameter that a value is given for. */
export type ParameterFacts = {
  readonly name: string;
  /** The field that it filters. */
  readonly field?: string;
  /** Whether it may be a list; a row matches if any member matches. */
  readonly list?: true;
  /** The most members of a list; 100 if absent. */
  readonly mostMembers?: number;
  /** For a choice. */
  readonly choices?: readonly string[];
  /** What a schema has in place of the choices, if these are many or not all: a regular expression. */
  readonly pattern?: string;
  /** Whether other columns of an answer can be chosen too: groups have other ones than rows. */
  readonly ofColumns?: true;
  /** For a number. */
  readonly unit?: string;
  readonly minimum?: number;
  readonly maximum?: number;
} & Pick<FieldFacts, 'timeZone' | 'local'>;

/** How the arguments of one type are read, checked and described. */
export type ArgumentType = {
  /**
   * Converts a value to the one form that the schema accepts, or to several values. An unreadable
   * value is returned unchanged, so that the schema refuses it.
   */
  read(value: unknown, parameter: ParameterFacts): unknown;
  /** Reads a list if it is one value, such as a place; absent if its members are values. */
  readList?(value: readonly unknown[]): unknown;
  /** The cost of reading a value, in budget steps; negligible if absent. */
  stepsOfReading?(value: string, parameter: ParameterFacts): number;
  /** JSON Schema (2020-12) of one value, once read. */
  schema(parameter: ParameterFacts): JsonSchema;
  /** JSON Schemas of each form in which a non-blank value may be sent. */
  sent(parameter: ParameterFacts, source: ArgumentSource): readonly JsonSchema[];
  /** The same for a member of a list, if its forms differ. */
  sentMember?(parameter: ParameterFacts): readonly JsonSchema[];
  /** The expected value, in words. */
  expected(parameter: ParameterFacts): string;
  /** Says why the schema refuses a value; `expected` is the text of `expected()`. */
  fault(value: unknown, parameter: ParameterFacts, expected: string): ValueFault;
  /** Advice for a person who fills in a value, in sentences. */
  readonly hint?: string;
};

/** A complete field type. To add one, write it here and list it in field-types.ts. */
export type FieldType = NumberType | TextType;

/** A type whose keys are numbers. */
export type NumberType = CommonType & ComparedByNumber;

/** A type whose keys are texts. */
export type TextType = CommonType & ComparedByText;

type CommonType = ArgumentType &
  Comparison & {
    /** The name of one value, with an article: `a number`. */
    readonly noun: string;
    /** The JSON type of its values, and their JSON Schema format. */
    readonly json: 'string' | 'number' | 'integer' | 'boolean';
    readonly format?: string;
    /** Reads a non-blank cell; undefined if the cell is not of this type. */
    readCell(text: string, field: FieldFacts): Exclude<Value, null> | undefined;
    /** Writes a value as a cell that `readCell` reads back unchanged. */
    writeCell(value: Exclude<Value, null>): string;
    /** An argument as part of a sentence: `5 people`. */
    shown(argument: unknown, field: FieldFacts): string;
    /** Its ascending and its descending order, in words. */
    readonly orders: readonly [up: string, down: string];
    /** The key that a value is compared by; an empty key matches nothing. */
    keyOf(value: Exclude<Value, null>, field: FieldFacts): Key;
    /** The kind of control in a form. */
    readonly control: 'text' | 'range' | 'choice';
    /** The address that a value links to. */
    hrefOf?(value: Value): string | undefined;
    /**
     * How cells of the type look, if that tells them from others: `add` then takes a column of nothing
     * else to be of it.
     */
    readonly shape?: CellShape;
  };

export type CellShape = {
  /** Makes the test of a cell, for a column with these words in its header, in lower case. */
  testFor(words: readonly string[]): (text: string) => boolean;
  /** Why a column is of the type: `has web addresses`. */
  readonly why: string;
  /** Why a cell is not: `is no web address`. */
  readonly whyNot: string;
  /** Set if such cells may look like numbers, which they are not then. */
  readonly isBeforeNumbers?: true;
};

/**
 * How keys are compared with arguments, and what follows from it. comparison.ts makes the two that
 * there are; a type that compares otherwise states its own.
 */
export type Comparison = {
  /** Whether an index on the keys can find rows by equality. */
  readonly isIndexable: boolean;
  /** Whether a value can be what people call a row, a region or a mark on a map. */
  readonly isName: boolean;
  /** Where `_q` looks: into the texts, or into their digits as well; nowhere if absent. */
  readonly searchedBy?: 'text' | 'digits';
  /** What stands for any text in an argument. */
  readonly wildcard?: string;
  /** The cost of `testOf`, in budget steps. */
  stepsOfTest(values: readonly unknown[], field: FieldFacts): number;
  /** What a key must be to match any of some arguments, or to be at least or at most the only one. */
  testOf(values: readonly unknown[], field: FieldFacts, end?: 'min' | 'max'): KeyTest;
  /** What a key must be to be this one. */
  equalTo(key: Key): KeyTest;
  /** The argument that finds a value; undefined if none does. */
  argumentOf(value: Exclude<Value, null>): string | undefined;
  /**
   * Says what a filter by some arguments asks for or, if `isNot`, what it rules out. If absent, it
   * asks for one of them.
   */
  saying?(values: readonly unknown[], isNot: boolean): string;
};

/** What a key must be, as plain data. */
export type KeyTest = RangesTest | PatternsTest;

/** The intervals ascend and do not overlap. */
export type RangesTest = { readonly test: 'ranges'; readonly anyOf: readonly Interval[] };

export type PatternsTest = {
  readonly test: 'patterns';
  readonly anyOf: readonly Pattern[];
  /** Whether a wildcard matches against all digits of a value instead of its key. */
  readonly byDigits: boolean;
};

export type ComparedByNumber = {
  readonly comparedBy: 'number';
  /** How many keys one day has, if keys are times. */
  readonly keysOfDay?: number;
  /** Whether filters may give a minimum and a maximum. */
  readonly isOrdered: boolean;
  /** If arguments are read as texts: the form of those that `intervalOf` takes. */
  formOf?(field: Pick<FieldFacts, 'local'>): RegExp;
  /** The range of keys that an argument matches. */
  intervalOf(argument: unknown, field: FieldFacts): Interval;
  /** The value that has this key. */
  valueOf(key: number, field: FieldFacts): Value;
};

export type ComparedByText = {
  readonly comparedBy: 'text';
  readonly isOrdered: false;
  readonly keysOfDay?: undefined;
};

export type JsonSchema = Readonly<Record<string, unknown>>;

export const MOST_LIST_MEMBERS = 100;

export const MOST_TEXT_LENGTH = 256;

export const MOST_TOKEN_LENGTH = 1024;

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

/** A caller's value, shortened to be quoted in a sentence. */
export function quotedValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(shorten(value));
}

/** White space in the JSON Schema patterns, limited to what senders actually write. */
export const SPACE = '[\\t-\\r ]*';

/** Text of white space only, which counts as not given. */
export const BLANK = `^${SPACE}$`;

/**
 * An object's own member. Names from callers or datasets may be `constructor` or `toString`, which
 * every object inherits.
 */
export function ownMember<T>(of: Readonly<Record<string, T>> | undefined, name: string) {
  return of !== undefined && Object.hasOwn(of, name) ? of[name] : undefined;
}
