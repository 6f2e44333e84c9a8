import { allowedOnce } from './allowed-once.ts';
import type { Block, DatasetBlock } from './block.ts';
import type { Budget } from './budget.ts';
import { DAMAGED, isWholeCursor } from './cursor.ts';
import {
  type Fault,
  type FaultCode,
  invalidArguments,
  MOST_FAULTS,
  type Warning,
} from './errors.ts';
import { faultPointer } from './fault-pointer.ts';
import type { Found } from './found.ts';
import { type Named, nearest, nearestOne } from './near-name.ts';
import { countNormalised, isBlank, normalise, stepsOfNormalising } from './normalise.ts';
import { HANDLING } from './options.ts';
import { MOST_TOKEN_LENGTH, type Parameter } from './parameter.ts';
import { shorten } from './shorten.ts';
import { compileValidate, type Validate } from './validate.ts';
import { passesInBody, passesInQuery } from './wire-names.ts';

/** Names and values as they came in, from one place; an object without a prototype. */
export type Members = Readonly<Record<string, unknown>>;

export type Handling = 'strict' | 'lenient';

/** A request's arguments as they were sent. Where both have a name, the query wins. */
export type Given = {
  readonly query: Members;
  readonly body: Members;
  readonly isPost: boolean;
  /** What `Prefer: handling=` asks for. */
  readonly preferred?: Handling;
  /** The delivery carries a webhook's mark: its senders add members of their own. */
  readonly isWebhook: boolean;
  /** Of a body whose members were found elsewhere than at their names in it. */
  readonly found?: Found;
};

/** A request's arguments and options: typed, valid, blanks left out. */
export type Arguments = {
  readonly values: Members;
  readonly warnings: readonly Warning[];
  /** The preference that was followed, to be acknowledged. */
  readonly applied?: Handling;
  /** A fault found later, with its place in the request. */
  readonly locate: (fault: Fault) => Fault;
};

/** Reads arguments, or throws a Refusal with every fault at once. */
export type ReadArguments = (given: Given, budget: Budget) => Arguments;

const MISSING: FaultCode = 'missing-parameter';

/** Whether a query names a parameter or an option, or nearly so: it is then a run. */
export type IsNamed = (query: Members) => boolean;

export function isNamedOf(block: Block): IsNamed {
  const known = namesOf(block);
  return (query) =>
    Object.keys(query).some((name) => known.names.has(name) || isNearInQuery(name, known));
}

export function readArgumentsOf(block: Block): ReadArguments {
  const made = READERS.get(block);
  if (made !== undefined) return made;
  const known = namesOf(block);
  const parameters = new Map([...block.parameters, ...block.options].map((p) => [p.name, p]));
  const validate = compileValidate([...parameters.values()]);
  const read: ReadArguments = (given, budget) =>
    readArguments(given, block, known, parameters, validate, budget);
  READERS.set(block, read);
  return read;
}

/** What it takes to look at a member by its name and value, often more than once. */
const STEPS_PER_NAME = 50;

/** Compiling a validator takes tens of milliseconds: once a block. */
const READERS = new WeakMap<Block, ReadArguments>();

function readArguments(
  given: Given,
  block: Block,
  known: Known,
  parameters: ReadonlyMap<string, Parameter>,
  validate: Validate,
  budget: Budget,
): Arguments {
  const { query, body, isPost, found } = given;
  budget.spend(STEPS_PER_NAME * (Object.keys(query).length + Object.keys(body).length));
  const { handling, applied } = handlingOf(given);
  const inQuery = present(query);
  const sent = Object.assign(present(body), inQuery);
  const hasParameter = block.parameters.some(({ name }) => name in sent);

  const near = Object.keys(query).filter((name) => isNearInQuery(name, known));
  const strangers = Object.keys(query).filter(
    (name) => !isKnown(name, known, passesInQuery) && !near.includes(name),
  );
  const unknown = Object.keys(body).filter((name) => !isKnown(name, known, passesInBody));
  const refusedInQuery = [...near, ...(isPost && !hasParameter ? strangers : [])];
  const refusedInBody = handling === 'strict' || !hasParameter ? unknown : [];

  const values = emptyMembers();
  for (const name of Object.keys(sent)) {
    const parameter = parameters.get(name);
    if (parameter === undefined) continue;
    budget.spend(stepsOfNormalising(parameter, sent[name]), name);
    const value = normalise(parameter, sent[name]);
    if (!isBlank(value)) values[name] = value;
  }
  const locate = (fault: Fault, member?: string) =>
    isPost && fault.parameter !== undefined && !Object.hasOwn(inQuery, fault.parameter)
      ? pointed(fault, fault.parameter, found, indexAsSent(parameters, sent, fault, member))
      : fault;
  const faults = [
    ...(found?.faults ?? []),
    ...capped(refusedInQuery).map((name) => unknownName(name, known)),
    ...capped(refusedInBody).map((name) => pointed(unknownName(name, known), name, found)),
    ...validate(values)
      .filter(({ code, parameter }) => code !== MISSING || !found?.faulty.has(parameter))
      .map(({ member, ...fault }) => locate(fault, member)),
    ...cursorFaults(values._cursor).map((fault) => locate(fault)),
  ];
  if (faults.length === 0 && !hasParameter && found !== undefined) {
    faults.push(...found.unlessGiven());
  }
  if (faults.length > 0) throw invalidArguments(allowedOnce(faults));

  const warnings = [
    ...ignoredNames(handling === 'lenient' ? [...unknown, ...strangers] : strangers),
    ...block.unusedOptions.filter((name) => Object.hasOwn(sent, name)).map(unusedOption),
  ];
  return { values, warnings, locate, ...(applied === undefined ? {} : { applied }) };
}

/** A schema cannot say what a whole cursor is; damage is told with all other faults. */
function cursorFaults(cursor: unknown): Fault[] {
  if (typeof cursor !== 'string' || cursor.length > MOST_TOKEN_LENGTH) return [];
  if (isWholeCursor(cursor)) return [];
  return [{ code: 'invalid-cursor', detail: DAMAGED, parameter: '_cursor' }];
}

/** `_handling` wins over Prefer, and Prefer over what a webhook gets by default. */
function handlingOf(given: Given): { handling: Handling; applied?: Handling } {
  const { query, body, preferred, isWebhook } = given;
  const option = [query, body]
    .map((members) => (Object.hasOwn(members, HANDLING.name) ? members[HANDLING.name] : undefined))
    .find((value) => !isBlank(value));
  if (option !== undefined) {
    return { handling: normalise(HANDLING, option) === 'lenient' ? 'lenient' : 'strict' };
  }
  if (preferred !== undefined) return { handling: preferred, applied: preferred };
  return { handling: isWebhook ? 'lenient' : 'strict' };
}

type Known = {
  readonly names: ReadonlySet<string>;
  readonly inOrder: readonly string[];
  /** The block's own words: its fields, each with its parameters, and its options. */
  readonly named: readonly NamedParameters[];
};

type NamedParameters = Named & { readonly parameters: readonly string[] };

function namesOf(block: Block): Known {
  const { parameters, options, unusedOptions } = block;
  const inOrder = [...[...parameters, ...options].map(({ name }) => name), ...unusedOptions];
  const filtered = [...new Set(parameters.map(({ field, name }) => field ?? name))].map((field) => {
    const own = parameters.filter((parameter) => (parameter.field ?? parameter.name) === field);
    const names = own.map(({ name }) => name);
    const isMain = own.some(({ main }) => main);
    return { words: [...new Set([field, ...names])], parameters: names, isMain };
  });
  const others = [...options.map(({ name }) => name), ...unusedOptions];
  const carried = carriedBy(block).map((name) => ({ words: [name], parameters: [] }));
  const named = [
    ...filtered,
    ...carried,
    ...others.map((name) => ({ words: [name], parameters: [name] })),
  ];
  return { names: new Set(inOrder), inOrder, named };
}

function isKnown(name: string, known: Known, passes: (name: string) => boolean): boolean {
  return known.names.has(name) || passes(name);
}

function isNearInQuery(name: string, known: Known): boolean {
  return !isKnown(name, known, passesInQuery) && nearest(name, known.named).length > 0;
}

/** What is given and not blank, in an object of its own without a prototype. */
function present(members: Members): Record<string, unknown> {
  const found = emptyMembers();
  for (const name of Object.keys(members)) {
    if (!isBlank(members[name])) found[name] = members[name];
  }
  return found;
}

function emptyMembers(): Record<string, unknown> {
  return Object.create(null);
}

/** Fields that rows carry and no parameter filters. */
function carriedBy(block: Block): string[] {
  const { fields = [] } = block as Partial<DatasetBlock>;
  return fields.flatMap(({ kind, name }) => (kind === 'carried' ? [name] : []));
}

function unknownName(name: string, known: Known): Fault {
  const code: FaultCode = 'unknown-parameter';
  const parameter = shorten(name);
  const near = nearestOne(name, known.named);
  if (near === undefined) {
    const detail = `${parameter} is not a parameter of this block. The names it takes are in allowed.`;
    return { code, detail, parameter, allowed: known.inOrder };
  }
  const { word: suggestion } = near;
  const { parameters } = near.named;
  if (parameters.length === 0) {
    const detail = `${parameter} is not a parameter of this block: rows carry ${suggestion}, and are not filtered by it.`;
    return { code, detail, parameter };
  }
  // The field, where it cannot be told which of its parameters was meant.
  const named = parameters.includes(suggestion) ? '' : ` (${parameters.join(', ')})`;
  const detail = `${parameter} is not a parameter of this block. Did you mean ${suggestion}${named}?`;
  return { code, detail, parameter, suggestion };
}

function capped(names: readonly string[]): readonly string[] {
  return names.slice(0, MOST_FAULTS + 1);
}

/** Of a name that is pointed at. */
const MOST_POINTED_LENGTH = 256;

/** The fault, with where in the body of a POST the value is, or would be. */
function pointed(fault: Fault, name: string, found: Found | undefined, index?: string): Fault {
  const own = index === undefined ? [name] : [name, index];
  const path = found === undefined ? own : found.pathOf(name, index);
  // A name may be as long as a body, and an answer is not.
  if (path === undefined || name.length > MOST_POINTED_LENGTH) return fault;
  return { ...fault, pointer: faultPointer(path) };
}

/** The index that a list's member had when it was sent: blanks are dropped, texts split at commas. */
function indexAsSent(
  parameters: ReadonlyMap<string, Parameter>,
  sent: Members,
  { parameter: name = '' }: Fault,
  index: string | undefined,
): string | undefined {
  const parameter = parameters.get(name);
  const list = sent[name];
  if (index === undefined || parameter === undefined || !Array.isArray(list)) return undefined;
  let passed = 0;
  const at = list.findIndex((member) => {
    passed += countNormalised(parameter, member);
    return passed > Number(index);
  });
  return at < 0 ? undefined : String(at);
}

function ignoredNames(names: readonly string[]): Warning[] {
  const warnings = names.slice(0, MOST_FAULTS).map((name) => ({
    title: 'Unknown name ignored',
    message: `${shorten(name)} is not a parameter of this block and was not used.`,
    parameter: shorten(name),
  }));
  const more = names.length - MOST_FAULTS;
  if (more <= 0) return warnings;
  const message = `${more} more unknown names were not used.`;
  return [...warnings, { title: 'Unknown names ignored', message }];
}

function unusedOption(name: string): Warning {
  const message = `${name} is for blocks that answer with rows; it was not used.`;
  return { title: 'Option not used', message, parameter: name };
}
