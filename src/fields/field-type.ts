import type { Parameter } from '../block/parameter.ts';
import type { JsonSchema } from '../block/schema.ts';
import type { FaultCode } from '../problem/errors.ts';
import type { Pattern } from '../query/pattern.ts';
import type { Field, Value } from './field.ts';

/** What a value is compared by, and sorted by. */
export type Key = string | number;

/** Keys from one to another, both inclusive. */
export type Interval = readonly [min: number, max: number];

/** What is wrong with a value, what was expected, and the likely fix. */
export type ValueFault = {
  readonly code: FaultCode;
  readonly detail: string;
  readonly suggestion?: string;
  readonly allowed?: readonly string[];
};

/** Where an argument is: a form's and a query's values are text, and their lists repeat a name. */
export type ArgumentSource = 'json' | 'text';

/** How the arguments of one type are read, checked and described. */
export type ArgumentType = {
  /**
   * A value in the one way of writing that the schema takes, or several of them. What cannot be
   * read stays as it was sent, for the schema to refuse.
   */
  read(value: unknown, parameter: Parameter): unknown;
  /** What it takes to read a value, in the steps of a budget; nothing worth counting if absent. */
  stepsOfReading?(value: string, parameter: Parameter): number;
  /** JSON Schema (2020-12) of one value, once read. */
  schema(parameter: Parameter): JsonSchema;
  /** JSON Schemas of the ways in which a value that is not blank may be sent. */
  sent(parameter: Parameter, source: ArgumentSource): readonly JsonSchema[];
  /** The same of a member of a list, where that is written another way. */
  sentMember?(parameter: Parameter): readonly JsonSchema[];
  /** What is expected, in words. */
  expected(parameter: Parameter): string;
  /** What is wrong with a value that the schema refuses; `expected` is what was, in words. */
  fault(value: unknown, parameter: Parameter, expected: string): ValueFault;
  /** What a person who fills in a value should know, in sentences. */
  readonly hint?: string;
};

/** All that there is to say of a type of field: add one here, and in the list of field-types.ts. */
export type FieldType = NumberType | TextType;

/** A type whose values are compared by numbers. */
export type NumberType = CommonType & ComparedByNumber;

/** A type whose values are compared by texts. */
export type TextType = CommonType & ComparedByText;

type CommonType = ArgumentType & {
  /** What a cell of it is: `a number`. */
  readonly noun: string;
  /** The type of its values in JSON, and their format (JSON Schema's). */
  readonly json: 'string' | 'number' | 'integer' | 'boolean';
  readonly format?: string;
  /** The value of a cell that is not blank; undefined where that is none of this type. */
  readCell(text: string, field: Field): Exclude<Value, null> | undefined;
  /** A value as a cell; `readCell` reads the same value of it. */
  writeCell(value: Exclude<Value, null>): string;
  /** What a value is compared by; an empty text is compared with nothing. */
  keyOf(value: Exclude<Value, null>, field: Field): Key;
  /** How a form asks for it. */
  readonly control: 'text' | 'range' | 'choice';
  /** An address that a value leads to. */
  hrefOf?(value: Value): string | undefined;
  /** From 0 to 1: how likely a column of these cells, none of them blank, is of this type. */
  likelihood(cells: readonly string[], field: Field): number;
};

type ComparedByNumber = {
  readonly comparedBy: 'number';
  /** How many keys a day has, where the keys are times. */
  readonly keysOfDay?: number;
  /** Whether it has a least and a most to be asked for. */
  readonly isOrdered: boolean;
  /** What it takes to find an argument's interval, in the steps of a budget; 10 if absent. */
  stepsOfInterval?(field: Field): number;
  /** The keys of the values that an argument stands for. */
  intervalOf(argument: unknown, field: Field): Interval;
  /** An argument within a sentence: `5 people`. */
  shown(argument: unknown, field: Field): string;
  /** The value of a key. */
  valueOf(key: number, field: Field): Value;
};

type ComparedByText = {
  readonly comparedBy: 'text';
  readonly isOrdered: false;
  patternOf(argument: string): Pattern;
  /** Whether a wildcard is tried on all digits of the value, and not on its key. */
  readonly byDigits: boolean;
};

/** 1 where every cell is of a type, else 0: one cell that is not decides against it. */
export function allRead(type: Pick<FieldType, 'readCell'>, cells: readonly string[], field: Field) {
  return cells.length > 0 && cells.every((cell) => type.readCell(cell, field) !== undefined)
    ? 1
    : 0;
}
