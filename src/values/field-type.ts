import type { PlainMessage } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import type { FaultCode } from '../problem/errors.ts';
import type { Pattern } from '../text/pattern.ts';
import { shorten } from '../text/wording.ts';

/** What is compared and sorted in place of a value. */
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

/**
 * Where an argument comes from. In a form or a query, values are text, and a list repeats its name.
 */
export type ArgumentSource = 'json' | 'text';

/** What a type needs to know of a parameter to read its values. */
export type ParameterFacts = {
  readonly name: string;
  /** The field that the parameter filters. */
  readonly field?: string;
  /** Whether the value may be a list. A row matches if any member matches. */
  readonly list?: true;
  /** The most members of a list. Absent means 100. */
  readonly mostMembers?: number;
  /** The allowed words of a choice. */
  readonly choices?: readonly string[];
  /**
   * A regular expression that a schema has instead of the choices, if they are too many or not
   * complete.
   */
  readonly pattern?: string;
  /** Whether other columns of an answer may be chosen too. Groups have other columns than rows. */
  readonly ofColumns?: true;
  /** The unit of a number. */
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
  /**
   * Reads a list that is one value, such as a place. Absent if the members of a list are values.
   */
  readList?(value: readonly unknown[]): unknown;
  /** The cost of reading a value, in steps. Absent if it is negligible. */
  stepsOfReading?(value: string, parameter: ParameterFacts): number;
  /** The JSON Schema (2020-12) of one value after it has been read. */
  schema(parameter: ParameterFacts): JsonSchema;
  /** The JSON Schemas of the forms in which a non-blank value may be sent. */
  sent(parameter: ParameterFacts, source: ArgumentSource): readonly JsonSchema[];
  /** The JSON Schemas for a member of a list, if its forms differ from those of a single value. */
  sentMember?(parameter: ParameterFacts): readonly JsonSchema[];
  /** Describes the expected value in words. */
  expected(parameter: ParameterFacts): string;
  /** Says why the schema refuses a value. `expected` is the text that `expected()` returns. */
  fault(value: unknown, parameter: ParameterFacts, expected: string): ValueFault;
  /** Advice for people who fill in a value, in sentences. */
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
    /** The JSON type of the values, and their JSON Schema format. */
    readonly json: 'string' | 'number' | 'integer' | 'boolean';
    readonly format?: string;
    /** Reads a cell that is not blank. Undefined if the cell is not of this type. */
    readCell(text: string, field: FieldFacts): Exclude<Value, null> | undefined;
    /** Writes a value as a cell that `readCell` reads back unchanged. */
    writeCell(value: Exclude<Value, null>): string;
    /** Writes an argument as part of a sentence: `5 people`. */
    shown(argument: unknown, field: FieldFacts, language: Language): string;
    /** Its ascending and its descending order, in words. */
    readonly orders: readonly [up: PlainMessage, down: PlainMessage];
    /** Returns the key of a value. An empty key matches nothing. */
    keyOf(value: Exclude<Value, null>, field: FieldFacts): Key;
    /** The kind of control in a form. */
    readonly control: 'text' | 'range' | 'choice';
    /** Returns the address that a value links to. */
    hrefOf?(value: Value): string | undefined;
    /**
     * How to recognise cells of the type. If it is present, `add` gives this type to a column that
     * has only such cells. Absent if the cells look like those of other types.
     */
    readonly shape?: CellShape;
  };

export type CellShape = {
  /** Makes a test of cells, for a column whose header has these words, in lower case. */
  testFor(words: readonly string[]): (text: string) => boolean;
  /** Says why a column is of the type: `has web addresses`. */
  readonly why: string;
  /** Says why a cell is not of the type: `is no web address`. */
  readonly whyNot: string;
  /** Present if such cells may look like numbers. They are tested before numbers are. */
  readonly isBeforeNumbers?: true;
};

/**
 * How keys are compared with arguments, and what follows from that. There are two ways, which
 * comparison.ts makes. A type that compares in another way states its own.
 */
export type Comparison = {
  /** Whether an index on the keys can find rows by equality. */
  readonly isIndexable: boolean;
  /** Whether a value can be the name of a row, a region or a mark on a map. */
  readonly isName: boolean;
  /**
   * What `_q` searches: the texts, or the texts and their digits. Absent if it searches neither.
   */
  readonly searchedBy?: 'text' | 'digits';
  /** The character that stands for any text in an argument. */
  readonly wildcard?: string;
  /** The cost of `testOf`, in steps. */
  stepsOfTest(values: readonly unknown[], field: FieldFacts): number;
  /**
   * Returns the test that a key matches any of these arguments. With `end`, there is one argument,
   * and the key must be at least or at most that.
   */
  testOf(values: readonly unknown[], field: FieldFacts, end?: 'min' | 'max'): KeyTest;
  /**
   * Returns the test for each argument by itself. If `testOf` got the same list before, this costs
   * next to nothing.
   */
  testsOf(values: readonly unknown[], field: FieldFacts): readonly KeyTest[];
  /** Returns the test that a key equals this one. */
  equalTo(key: Key): KeyTest;
  /** Returns the argument that finds a value. Undefined if there is none. */
  argumentOf(value: Exclude<Value, null>): string | undefined;
  /**
   * Says what a filter with these arguments asks for; if `isNot`, what it rules out. If this is
   * absent, the filter asks for one of them.
   */
  saying?(title: string, values: readonly unknown[], isNot: boolean, language: Language): string;
};

/** A test of a key, as plain data. */
export type KeyTest = RangesTest | PatternsTest;

/** The intervals ascend and do not overlap. */
export type RangesTest = { readonly test: 'ranges'; readonly anyOf: readonly Interval[] };

export type PatternsTest = {
  readonly test: 'patterns';
  readonly anyOf: readonly Pattern[];
  /** Whether a wildcard is matched against all digits of a value instead of its key. */
  readonly byDigits: boolean;
};

export type ComparedByNumber = {
  readonly comparedBy: 'number';
  /** The number of keys in a day, if keys are times. */
  readonly keysOfDay?: number;
  /** Whether filters may have a minimum and a maximum. */
  readonly isOrdered: boolean;
  /** The form of the arguments that `intervalOf` takes. Present if arguments are read as texts. */
  formOf?(field: Pick<FieldFacts, 'local'>): RegExp;
  /** The range of keys that an argument matches. */
  intervalOf(argument: unknown, field: FieldFacts): Interval;
  /**
   * The key of what `readCell` reads, of a cell that is at hand as the codes of its characters. NaN
   * unless the cell is written as most are. Absent if that pays for no cell.
   */
  plainKeyIn?(codes: Uint16Array, start: number, end: number, field: FieldFacts): number;
  /** The value that has this key. */
  valueOf(key: number, field: FieldFacts): Value;
  /** The length of the value that has this key, in ASCII characters. Present if values are texts. */
  textLength?(key: number, field: FieldFacts): number;
};

export type ComparedByText = {
  readonly comparedBy: 'text';
  readonly isOrdered: false;
  readonly keysOfDay?: undefined;
};

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Members of a list in an option. */
export const MOST_LIST_MEMBERS = 100;

/** Members of a list of values that a field may equal. */
export const MOST_KEYS = 10_000;

/**
 * A list with more members than this is nobody's choice among a few values, but keys that come from
 * elsewhere: it is told by their number, searched in its own way, and those not found are named.
 */
export const LONG_LIST = 100;

/** A text, as sent. */
export const MOST_TEXT_LENGTH = 256;

/** A cursor, as sent. */
export const MOST_TOKEN_LENGTH = 1024;

/** What a block declares of a field besides its type. */
export type FieldFacts = {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  /** A shorter name for use where people type: in chat and on the command line. */
  readonly alias?: string;
  /** The heading of the field's group in a form. */
  readonly theme?: string;
  /** The unit of its numbers: `people`. */
  readonly unit?: string;
  /** Asks for a DynamoDB index: equality on this field then reads only the rows that match. */
  readonly indexed?: boolean;
  /** Whether free text in a chat searches this field; one field per block. */
  readonly main?: true;
  /**
   * Present if numbers may name things: they are written without separators, and no sum of
   * them is offered first.
   */
  readonly label?: true;
  /** False if rows include the field but no parameter filters by it. */
  readonly filterable?: false;
  /**
   * For a datetime: the IANA time zone in which periods begin and times are shown. Absent means
   * UTC.
   */
  readonly timeZone?: string;
  /** For a datetime: present if its times are local, without an offset. */
  readonly local?: true;
};

/** A value as callers read it; null if the cell is empty. */
export type Value = string | number | boolean | null;

/** One row as callers read it, with every field. */
export type Row = Readonly<Record<string, Value>>;

/** Quotes a caller's value in a sentence, shortened. */
export function quotedValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(shorten(value));
}

/** White space in the JSON Schema patterns, limited to what senders actually write. */
export const SPACE = '[\\t-\\r ]*';

/** Text that has only white space. It counts as absent. */
export const BLANK = `^${SPACE}$`;

/**
 * Returns an object's own member. A name from a caller or a dataset may be `constructor` or
 * `toString`, which every object inherits.
 */
export function ownMember<T>(of: Readonly<Record<string, T>> | undefined, name: string) {
  return of !== undefined && Object.hasOwn(of, name) ? of[name] : undefined;
}

/** The members of an object, those that may be undefined as optional ones. */
type Defined<T> = {
  [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name];
} & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
};

/** Copies an object without the members that are undefined. Not for what runs for each cell. */
export function defined<T extends object>(members: T): Defined<T> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}
