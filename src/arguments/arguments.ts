import { argumentSchema } from '../block/argument-schema.ts';
import type { Block, DatasetBlock } from '../block/block.ts';
import { HAVING, isHaving } from '../block/grouping.ts';
import { HANDLING } from '../block/options.ts';
import {
  alternativeParameter,
  alternativesIn,
  NOT,
  OR,
  type Parameter,
} from '../block/parameter.ts';
import { VIEWS } from '../block/views.ts';
import { isReservedInBody } from '../block/wire-names.ts';
import {
  type Fault,
  type FaultCode,
  invalidArguments,
  MOST_FAULTS,
  type Warning,
} from '../problem/errors.ts';
import { listInWords } from '../text/wording.ts';
import { MOST_TOKEN_LENGTH, quotedValue } from '../values/field-type.ts';
import { Budget } from '../work/budget.ts';
import { Scheduler } from '../work/scheduler.ts';
import {
  conflictsOf,
  NO_HAVING,
  readColumnOptions,
  readHaving,
  searchFaults,
  type Validate,
  validateBy,
} from './check.ts';
import { type CheckOf, checksOf } from './compile-schema.ts';
import { DAMAGED, isWholeCursor } from './cursor.ts';
import { allowedOnce, indexAsSent, withPointer } from './faults.ts';
import {
  type Arguments,
  faultsOfAlternatives,
  givenTwice,
  type Handling,
  isBlank,
  type Members,
  normalise,
  type RawArguments,
  type ReadArguments,
  stepsOfNormalising,
  withoutNesting,
} from './given.ts';
import {
  ignoredNames,
  isKnown,
  type KnownNames,
  knownNamesOf,
  namesInQuery,
  notForOneRow,
  unknownName,
} from './names.ts';

/** Makes the function that reads a block's arguments, once for all requests. */
export function readArgumentsOf(block: Block, known = knownNamesOf(block)): ReadArguments {
  const parameters = new Map([...block.parameters, ...block.options].map((p) => [p.name, p]));
  const checkOf = checksOf(() => argumentSchema(block));
  const reader: Reader = {
    block,
    known,
    parameters,
    checkOf,
    validate: validateBy(checkOf, [...parameters.values()]),
  };
  return (given, budget) => readArguments(given, reader, budget);
}

/** The cost of examining a member's name and value, in steps. It happens more than once. */
const STEPS_PER_NAME = 50;

type Reader = {
  readonly block: Block;
  readonly known: KnownNames;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly checkOf: CheckOf;
  readonly validate: Validate;
};

function readArguments(given: RawArguments, reader: Reader, budget: Budget): Arguments {
  const { block, known, parameters, checkOf, validate } = reader;
  const { filters } = block;
  const { query, isPost, locations } = given;
  const body = withoutNesting(given.body);
  budget.spend(STEPS_PER_NAME * (Object.keys(query).length + Object.keys(body).length));
  const { handling, applied } = handlingOf(given);
  const inQuery = withoutBlanks(query, known);
  const sent = Object.assign(withoutBlanks(body, known), inQuery);
  const hasParameter = Object.keys(sent).some((name) => known.isParameter(name));

  const names = namesInQuery(query, known, isPost);
  const forAllRows = notForOneRow(query, names, known);
  const { near, strangers } = names;
  const areIgnored = hasParameter && (handling === 'lenient' || (isPost && given.canWarn));
  const remedy = hasParameter && handling === 'strict' ? ' _handling=lenient ignores it.' : '';
  const unknown = Object.keys(body).filter(
    (name) => !isKnown(name, known) && !isReservedInBody(name),
  );
  // An alternative that loses one of its filters would match more rows, so its unknown names are
  // always refused.
  const refusedInBody = unknown.filter(
    (name) => handling === 'strict' || !hasParameter || name.startsWith(`${OR}.`),
  );

  const values = emptyMembers();
  const inAlternatives: Parameter[] = [];
  const named = (name: string) => parameters.get(name);
  const parameterOf = (name: string) => named(name) ?? alternativeParameter(name, named);
  for (const name of Object.keys(sent)) {
    const parameter = parameterOf(name);
    if (parameter === undefined) continue;
    if (!parameters.has(name)) inAlternatives.push(parameter);
    budget.spend(stepsOfNormalising(parameter, sent[name]), name);
    const value = normalise(parameter, sent[name]);
    if (!isBlank(value)) values[name] = value;
  }
  const locate = (fault: Fault, member?: string) =>
    isPost && fault.parameter !== undefined && !Object.hasOwn(inQuery, fault.parameter)
      ? withPointer(fault, fault.parameter, given, indexAsSent(parameterOf, sent, fault, member))
      : fault;
  const invalid = [
    ...validate(values),
    ...(inAlternatives.length === 0 ? [] : validateBy(checkOf, inAlternatives)(values)),
  ];
  const wrong = new Set(invalid.map(({ parameter }) => parameter));
  const valid = wrong.size === 0 ? values : without(values, wrong);
  // The groups decide which columns an answer has. If they are wrong, the columns are not known.
  const columns =
    wrong.has('_group') || wrong.has('_measure')
      ? { values: valid, grouping: undefined, faults: [] }
      : readColumnOptions(block, valid);
  const having =
    wrong.has('_group') || wrong.has('_measure')
      ? NO_HAVING
      : readHaving(sent, columns.grouping, checkOf, budget);
  const faults = [
    ...(locations?.faults ?? []),
    ...forAllRows.faults,
    ...faultsOf(near, (name) => unknownName(name, known)),
    ...(areIgnored ? [] : faultsOf(strangers, (name) => unknownName(name, known, remedy))),
    ...faultsOf(refusedInBody, (name) => withPointer(unknownName(name, known), name, given)),
    ...faultsOf(givenTwice(given.body), (name) => locate(twice(name))),
    ...(known.negatable.length > 0 && sent[NOT] !== undefined
      ? [locate(notAnObject(NOT, sent[NOT]))]
      : []),
    ...(known.names.has(HAVING) && sent[HAVING] !== undefined
      ? [locate(notAnObject(HAVING, sent[HAVING]))]
      : []),
    ...invalid
      .filter(({ code, parameter }) => code !== MISSING || !locations?.faulty.has(parameter))
      // Only the first faults are listed, so only these need their places.
      .map(({ member, ...fault }, i) => (i < MOST_FAULTS ? locate(fault, member) : fault)),
    ...columns.faults.map(({ member, ...fault }) => locate(fault, member)),
    ...having.faults.map(({ member, ...fault }) => locate(fault, member)),
    ...faultsOfAlternatives({ query, body: given.body }, sent[OR]).map((fault) => locate(fault)),
    ...conflictsOf(valid, filters).map((fault) => locate(fault)),
    ...alternativesIn(valid)
      .flatMap(({ prefix, values }) => conflictsOf(values, filters, prefix))
      .map((fault) => locate(fault)),
    ...searchFaults(valid, wrong).map((fault) => locate(fault)),
    ...cursorFaults(values._cursor).map((fault) => locate(fault)),
  ];
  if (faults.length === 0 && !hasParameter && locations !== undefined) {
    faults.push(...locations.unlessGiven());
  }
  if (faults.length > 0) throw invalidArguments(allowedOnce(faults));

  const warnings = [
    ...ignoredNames(handling === 'lenient' ? [...unknown, ...strangers] : strangers),
    ...forAllRows.warnings,
    ...block.unusedOptions.filter((name) => Object.hasOwn(sent, name)).map(unusedOption),
  ];
  return {
    values:
      having === NO_HAVING
        ? columns.values
        : Object.assign(Object.create(null), columns.values, having.values),
    grouping: columns.grouping,
    warnings,
    locate,
    applied,
  };
}

const MISSING: FaultCode = 'missing-parameter';

function twice(parameter: string): Fault {
  const nested = isHaving(parameter) ? HAVING : NOT;
  const detail = `${parameter} is given both by its name and in ${nested}. Leave one out.`;
  return { code: 'not-one-value', detail, parameter };
}

function notAnObject(parameter: typeof NOT | typeof HAVING, value: unknown): Fault {
  const [what, name, example] =
    parameter === NOT ? ['fields', 'field', '"value"'] : ['filters', 'count_min', '20'];
  const detail = `${parameter} is ${quotedValue(value)}; expected an object of ${what}, such as {"${parameter}": {"${name}": ${example}}}. In a query or a form, write ${parameter}.${name}=${example.replaceAll('"', '')}.`;
  return { code: 'not-an-object', detail, parameter };
}

/**
 * A schema cannot detect a damaged cursor. Checking it here reports it together with all other
 * faults.
 */
function cursorFaults(cursor: unknown): Fault[] {
  if (typeof cursor !== 'string' || cursor.length > MOST_TOKEN_LENGTH) return [];
  if (isWholeCursor(cursor)) return [];
  return [{ code: 'invalid-cursor', detail: DAMAGED, parameter: '_cursor' }];
}

/** `_handling` overrides Prefer, and Prefer overrides the default for webhooks. */
function handlingOf(given: RawArguments): { handling: Handling; applied?: Handling } {
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

function without(values: Members, names: ReadonlySet<string>): Members {
  const left = emptyMembers();
  for (const name of Object.keys(values)) if (!names.has(name)) left[name] = values[name];
  return left;
}

/**
 * Returns the members that are not blank, by their current names, in a new object without a
 * prototype.
 */
function withoutBlanks(members: Members, { formerly }: KnownNames): Record<string, unknown> {
  const found = emptyMembers();
  for (const name of Object.keys(members)) {
    if (isBlank(members[name])) continue;
    const current = formerly.get(name) ?? name;
    if (current === name || !Object.hasOwn(members, current)) found[current] = members[name];
  }
  return found;
}

function emptyMembers(): Record<string, unknown> {
  return Object.create(null);
}

/** A fault for each name. Only the first are listed and the rest are counted, so these need no text. */
function faultsOf(names: readonly string[], faultOf: (name: string) => Fault): Fault[] {
  return names.map((name, i) =>
    i < MOST_FAULTS ? faultOf(name) : { code: 'unknown-parameter', detail: '' },
  );
}

function unusedOption(name: string): Warning {
  const message = `${name} is for blocks that answer with rows; it was not used.`;
  return { title: 'Option not used', message, parameter: name };
}

/**
 * Throws if the block would refuse one of its own examples, or what its page opens with: documents
 * show the examples, and each deployment runs them.
 */
export function checkExamples(block: Block & Pick<DatasetBlock, 'first'>): void {
  const { first } = block;
  const read = readArgumentsOf(block);
  for (const { title, arguments: given } of block.examples) {
    checkGiven(block, `example “${title}”`, given, read);
  }
  if (first === undefined) return;
  const why = whyNotFirst(first);
  if (why !== undefined) throw new Error(`Block ${block.name}: its "first" is refused: ${why}`);
  checkGiven(block, '"first"', first, read);
}

/** What a question of a chart is made of. */
export const OF_CHARTS: readonly string[] = [
  '_view',
  '_group',
  '_measure',
  '_mark',
  '_sort',
  '_limit',
];

/** What a page may open with, by its view: a question of all rows. */
const OF_FIRST: Readonly<Record<string, readonly string[]>> = {
  chart: OF_CHARTS,
  map: ['_view', '_group', '_measure', '_mark'],
  table: ['_view'],
};

function whyNotFirst(first: Readonly<Record<string, unknown>>): string | undefined {
  const view = String(first._view);
  const names = Object.hasOwn(OF_FIRST, view) ? OF_FIRST[view] : undefined;
  // What is no view at all is refused as in an example.
  if (first._view !== undefined && names === undefined) {
    return (VIEWS as readonly string[]).includes(view)
      ? `_view is ${view}, and a page opens with its chart, map or table.`
      : undefined;
  }
  if (names === undefined) return 'it has no _view: chart, map or table.';
  const other = Object.keys(first).find((name) => !names.includes(name));
  if (other !== undefined) {
    return `it has ${other}, and a ${view} takes ${listInWords(names, 'and')}: a page opens with all rows.`;
  }
  const groups = [first._group ?? []].flat().flatMap((text) => String(text).split(','));
  if (view === 'chart' && groups.length === 0) return 'its chart has no _group.';
  return groups.length > 2 ? 'a figure has two fields in _group at most.' : undefined;
}

function checkGiven(
  block: Block,
  what: string,
  given: Readonly<Record<string, unknown>>,
  read: ReadArguments,
): void {
  try {
    read(
      { query: {}, body: given as Members, isPost: true, isWebhook: false },
      new Budget(new Scheduler()),
    );
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`Block ${block.name}: its ${what} is refused: ${message}`);
  }
}
