import type { Block } from '../block/block.ts';
import type { Parameter } from '../block/parameter.ts';
import { schemaOfValue } from '../block/schema.ts';
import { argumentTypeOf, type Field } from '../values/field-types.ts';
import { crossedEnds } from './check.ts';
import type { CheckOf, SchemaCheck } from './compile-schema.ts';
import { isBlank, type Members, type RawArguments, stepsOfNormalising } from './given.ts';

/** The values of a plain request, how many there are, and the steps of reading them. */
type Plain = { readonly values: Members; readonly names: number; readonly steps: number };

/** Reads a plain request. Undefined if a request is not plain, or if anything is wrong with it. */
export type ReadPlain = (given: RawArguments) => Plain | undefined;

/** Names of a plain request. Longer ones spend their steps before they are read. */
const MOST_NAMES = 32;

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

/**
 * Makes the reader of plain requests, once for each block. A plain request has only filters of one
 * field each and a limit, by their current names, in its query or its body, and each has one value.
 * That is what most requests are. Their arguments need no help, no warning and no lists of names, so
 * they are read in a fifth of the time. Every other request is read in general: a test holds that
 * both ways read the same.
 */
export function plainReaderOf(
  { parameters, options, filters }: Block,
  checkOf: CheckOf,
): ReadPlain {
  const all = [...parameters, ...options];
  if (all.some(({ required }) => required)) return () => undefined;
  const plain = all.filter(({ name }) => filters.has(name) || name === '_limit');
  const slotOf = (parameter: Parameter) =>
    new Slot(parameter, filters.get(parameter.name)?.field, checkOf);
  const slots = new Map(plain.map((parameter) => [parameter.name, slotOf(parameter)]));
  return (given) => readPlain(given, slots);
}

function readPlain(
  { query, body, locations }: RawArguments,
  slots: ReadonlyMap<string, Slot>,
): Plain | undefined {
  if (locations !== undefined) return undefined;
  const inQuery = Object.keys(query);
  const inBody = Object.keys(body);
  if (inQuery.length > 0 && inBody.length > 0) return undefined;
  const [members, names] = inQuery.length > 0 ? [query, inQuery] : [body, inBody];
  if (names.length > MOST_NAMES) return undefined;
  const values: Record<string, unknown> = Object.create(null);
  let steps = 0;
  const upperEnds: Field[] = [];
  for (const name of names) {
    const slot = slots.get(name);
    const sent = members[name];
    if (slot === undefined || typeof sent === 'object' || isBlank(sent)) return undefined;
    const { parameter } = slot;
    steps += stepsOfNormalising(parameter, sent);
    const value = slot.read(sent, parameter);
    if (isBlank(value) || !slot.isValid(value)) return undefined;
    values[name] = value;
    if (parameter.op === 'max') upperEnds.push(slot.field as Field);
  }
  // Of these, only the ends of a range can exclude each other.
  for (const field of upperEnds) if (crossedEnds(field, values, '').length > 0) return undefined;
  return { values, names: names.length, steps };
}
