import type { Parameter } from '../block/parameter.ts';
import type { JsonSchema } from '../block/schema.ts';
import type { FaultCode } from '../problem/errors.ts';
import type { Pattern } from '../query/pattern.ts';
import type { Field, Value } from './field.ts';

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

/** How the arguments of one type are read, checked and described. */
export type ArgumentType = {
  /**
   * Converts a value to the one form that the schema accepts, or to several values. An unreadable
   * value is returned unchanged, so that the schema refuses it.
   */
  read(value: unknown, parameter: Parameter): unknown;
  /** Reads a list if it is one value, such as a place; absent if its members are values. */
  readList?(value: readonly unknown[]): unknown;
  /** The cost of reading a value, in budget steps; negligible if absent. */
  stepsOfReading?(value: string, parameter: Parameter): number;
  /** JSON Schema (2020-12) of one value, once read. */
  schema(parameter: Parameter): JsonSchema;
  /** JSON Schemas of each form in which a non-blank value may be sent. */
  sent(parameter: Parameter, source: ArgumentSource): readonly JsonSchema[];
  /** The same for a member of a list, if its forms differ. */
  sentMember?(parameter: Parameter): readonly JsonSchema[];
  /** The expected value, in words. */
  expected(parameter: Parameter): string;
  /** Says why the schema refuses a value; `expected` is the text of `expected()`. */
  fault(value: unknown, parameter: Parameter, expected: string): ValueFault;
  /** Advice for a person who fills in a value, in sentences. */
  readonly hint?: string;
};

/** A complete field type. To add one, write it here and list it in field-types.ts. */
export type FieldType = NumberType | TextType;

/** A type whose keys are numbers. */
export type NumberType = CommonType & ComparedByNumber;

/** A type whose keys are texts. */
export type TextType = CommonType & ComparedByText;

type CommonType = ArgumentType & {
  /** The name of one value, with an article: `a number`. */
  readonly noun: string;
  /** The JSON type of its values, and their JSON Schema format. */
  readonly json: 'string' | 'number' | 'integer' | 'boolean';
  readonly format?: string;
  /** Reads a non-blank cell; undefined if the cell is not of this type. */
  readCell(text: string, field: Field): Exclude<Value, null> | undefined;
  /** Writes a value as a cell that `readCell` reads back unchanged. */
  writeCell(value: Exclude<Value, null>): string;
  /** The key that a value is compared by; an empty key matches nothing. */
  keyOf(value: Exclude<Value, null>, field: Field): Key;
  /** The kind of control in a form. */
  readonly control: 'text' | 'range' | 'choice';
  /** The address that a value links to. */
  hrefOf?(value: Value): string | undefined;
};

type ComparedByNumber = {
  readonly comparedBy: 'number';
  /** How many keys one day has, if keys are times. */
  readonly keysOfDay?: number;
  /** Whether filters may give a minimum and a maximum. */
  readonly isOrdered: boolean;
  /** The cost of `intervalOf`, in budget steps; 10 if absent. */
  stepsOfInterval?(field: Field): number;
  /** If arguments are read as texts: the form of those that `intervalOf` takes. */
  formOf?(field: Pick<Field, 'local'>): RegExp;
  /** The range of keys that an argument matches. */
  intervalOf(argument: unknown, field: Field): Interval;
  /** An argument as part of a sentence: `5 people`. */
  shown(argument: unknown, field: Field): string;
  /** The value that has this key. */
  valueOf(key: number, field: Field): Value;
};

type ComparedByText = {
  readonly comparedBy: 'text';
  readonly isOrdered: false;
  patternOf(argument: string): Pattern;
  /** Whether a wildcard matches against all digits of the value instead of its key. */
  readonly byDigits: boolean;
};
