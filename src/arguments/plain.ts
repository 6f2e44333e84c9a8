import type { Block } from '../block/block.ts';
import type { Parameter } from '../block/parameter.ts';
import { schemaOfValue } from '../block/schema.ts';
import type { Warning } from '../problem/errors.ts';
import { argumentTypeOf, type Field } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';
import { crossedEnds } from './check.ts';
import type { CheckOf, SchemaCheck } from './compile-schema.ts';
import { locatorOf } from './faults.ts';
import {
  type Arguments,
  isBlank,
  type RawArguments,
  STEPS_PER_NAME,
  stepsOfNormalising,
} from './given.ts';

/** Reads a plain request. Undefined if a request is not plain, or if anything is wrong with it. */
type ReadPlain = (given: RawArguments, budget: Budget) => Arguments | undefined;

export type PlainReaderOf = (block: Block, checkOf: CheckOf) => ReadPlain;

/**
 * Makes the reader of plain requests, once for each block. A plain request has only filters of one
 * field each and a limit, by their current names, in its query or its body, and each has one value.
 * That is what most requests are. Their arguments need no help, no warning and no lists of names, so
 * they are read in a fifth of the time. Every other request is read in general: a test holds that
 * both ways read the same.
 */
export const plainReaderOf: PlainReaderOf = ({ parameters, options, filters }, checkOf) => {
  const plain = [...parameters, ...options].filter(
    ({ name }) => filters.has(name) || name === '_limit',
  );
  const slotOf = (parameter: Parameter) =>
    new Slot(parameter, filters.get(parameter.name)?.field, checkOf);
  const slots = new Map(plain.map((parameter) => [parameter.name, slotOf(parameter)]));
  return (given, budget) => readPlain(given, slots, budget);
};

/** How an argument is read. The check is compiled when it is first needed. */
class Slot {
  readonly parameter: Parameter;
  readonly field: Field | undefined;
  readonly read: ReturnType<typeof argumentTypeOf>['read'];
  readonly #checkOf: CheckOf;
  #check: SchemaCheck | undefined;

  constructor(parameter: Parameter, field: Field | undefined, checkOf: CheckOf) {
    this.parameter = parameter;
    this.field = field;
    this.read = argumentTypeOf(parameter).read;
    this.#checkOf = checkOf;
  }

  isValid(value: unknown): boolean {
    this.#check ??= this.#checkOf(schemaOfValue(this.parameter));
    return this.#check(value).length === 0;
  }
}

/** Names of a plain request. Longer ones spend their steps before they are read. */
const MOST_NAMES = 32;

const NO_WARNINGS: readonly Warning[] = [];

function readPlain(
  given: RawArguments,
  slots: ReadonlyMap<string, Slot>,
  budget: Budget,
): Arguments | undefined {
  const { query, body, preferred, locations } = given;
  if (locations !== undefined) return undefined;
  const inQuery = Object.keys(query);
  const inBody = Object.keys(body);
  if (inQuery.length > 0 && inBody.length > 0) return undefined;
  const [members, names] = inQuery.length > 0 ? [query, inQuery] : [body, inBody];
  if (names.length > MOST_NAMES) return undefined;
  const values: Record<string, unknown> = Object.create(null);
  let steps = STEPS_PER_NAME * names.length;
  const upperEnds: Field[] = [];
  for (const name of names) {
    const slot = slots.get(name);
    const sent = members[name];
    if (slot === undefined || typeof sent === 'object' || isBlank(sent)) return undefined;
    const { parameter, field } = slot;
    steps += stepsOfNormalising(parameter, sent);
    const value = slot.read(sent, parameter);
    if (isBlank(value) || !slot.isValid(value)) return undefined;
    values[name] = value;
    if (parameter.op === 'max' && field !== undefined) upperEnds.push(field);
  }
  // Of these, only the ends of a range can exclude each other.
  for (const field of upperEnds) if (crossedEnds(field, values, '').length > 0) return undefined;
  budget.spend(steps);
  const locate = locatorOf(given, query, members, (name) => slots.get(name)?.parameter);
  return { values, grouping: undefined, warnings: NO_WARNINGS, locate, applied: preferred };
}
