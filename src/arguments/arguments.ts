import { argumentSchema } from '../block/argument-schema.ts';
import type { Block } from '../block/block.ts';
import { HAVING, isHaving } from '../block/grouping.ts';
import { HANDLING } from '../block/options.ts';
import {
  alternativeParameter,
  alternativesIn,
  NOT,
  OR,
  type Parameter,
} from '../block/parameter.ts';
import { isReservedInBody } from '../block/wire-names.ts';
import {
  type Fault,
  type FaultCode,
  invalidArguments,
  MOST_FAULTS,
  type Warning,
} from '../problem/errors.ts';
import { MOST_TOKEN_LENGTH, ownMember, quotedValue } from '../values/field-type.ts';
import type { Budget } from '../work/budget.ts';
import {
  conflictsOf,
  NO_HAVING,
  readColumnOptions,
  readHaving,
  searchFaults,
  twoNumberFaults,
  type Validate,
  validateBy,
} from './check.ts';
import { type CheckOf, checksOf } from './compile-schema.ts';
import { DAMAGED, isWholeCursor } from './cursor.ts';
import { type ArgumentFault, allowedOnce, type Locate, locatorOf, withPointer } from './faults.ts';
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
  STEPS_PER_NAME,
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
import type { PlainReaderOf } from './plain.ts';

/**
 * Makes the function that reads a block's arguments, once for all requests. With `plainReaderOf` it
 * reads plain requests faster.
 */
export function readArgumentsOf(
  block: Block,
  known = knownNamesOf(block),
  plainReaderOf?: PlainReaderOf,
): ReadArguments {
  const parameters = new Map([...block.parameters, ...block.options].map((p) => [p.name, p]));
  const checkOf = checksOf(() => argumentSchema(block));
  const reader: Reader = {
    block,
    known,
    parameters,
    checkOf,
    validate: validateBy(checkOf, [...parameters.values()]),
  };
  const readPlain = plainReaderOf?.(block, checkOf);
  return (given, budget) => readPlain?.(given, budget) ?? readArguments(given, reader, budget);
}

type Reader = {
  readonly block: Block;
  readonly known: KnownNames;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly checkOf: CheckOf;
  readonly validate: Validate;
};

/** Reads what was sent in three steps. Each adds its faults, so that a caller gets all of them at once. */
function readArguments(given: RawArguments, reader: Reader, budget: Budget): Arguments {
  const named = readNames(given, reader, budget);
  const read = readValues(named, given, reader, budget);
  const combined = combine(named, read, given, reader, budget);
  const faults = [...named.faults, ...read.faults, ...combined.faults];
  if (faults.length === 0 && !named.hasParameter && given.locations !== undefined) {
    faults.push(...given.locations.unlessGiven());
  }
  if (faults.length > 0) throw invalidArguments(allowedOnce(faults));
  const { warnings, locate, applied } = named;
  return { values: combined.values, grouping: combined.grouping, warnings, locate, applied };
}

/** What was sent, by the names that the block knows. */
type Named = {
  /** The members that are not blank, by their current names, as sent. */
  readonly sent: Members;
  readonly hasParameter: boolean;
  /** The parameter of a name, also of one in an alternative. */
  readonly parameterOf: (name: string) => Parameter | undefined;
  readonly locate: Locate;
  readonly applied?: Handling;
  readonly warnings: readonly Warning[];
  readonly faults: readonly Fault[];
};

/** First step: which names are known, which are refused, and which are ignored with a warning. */
function readNames(
  given: RawArguments,
  { block, known, parameters }: Reader,
  budget: Budget,
): Named {
  const { query, isPost, locations } = given;
  const body = withoutNesting(given.body);
  budget.spend(STEPS_PER_NAME * (Object.keys(query).length + Object.keys(body).length));
  const { handling, applied } = handlingOf(given);
  const inQuery = withoutBlanks(query, known);
  const sent = Object.assign(withoutBlanks(body, known), inQuery);
  const hasParameter = Object.keys(sent).some((name) => known.isParameter(name));
  const own = (name: string) => parameters.get(name);
  const parameterOf = (name: string) => own(name) ?? alternativeParameter(name, own);
  const locate = locatorOf(given, inQuery, sent, parameterOf);

  const names = given.names?.of === query ? given.names : namesInQuery(query, known, isPost);
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
  const mustBeObjects = ([NOT, HAVING] as const).filter(
    (name) =>
      sent[name] !== undefined &&
      (name === NOT ? known.negatable.length > 0 : known.names.has(HAVING)),
  );
  return {
    sent,
    hasParameter,
    parameterOf,
    locate,
    applied,
    warnings: [
      ...ignoredNames(handling === 'lenient' ? [...unknown, ...strangers] : strangers),
      ...forAllRows.warnings,
      ...block.unusedOptions.filter((name) => Object.hasOwn(sent, name)).map(unusedOption),
    ],
    faults: [
      ...(locations?.faults ?? []),
      ...forAllRows.faults,
      ...faultsOf(near, (name) => unknownName(name, known)),
      ...(areIgnored ? [] : faultsOf(strangers, (name) => unknownName(name, known, remedy))),
      ...faultsOf(refusedInBody, (name) => withPointer(unknownName(name, known), name, given)),
      ...faultsOf(givenTwice(given.body), (name) => locate(twice(name))),
      ...mustBeObjects.map((name) => locate(notAnObject(name, sent[name]))),
    ],
  };
}

/** The values of what was sent, each in its normal form. */
type Read = {
  readonly values: Members;
  /** Those values that are valid by themselves. */
  readonly valid: Members;
  /** The parameters whose values are not. */
  readonly wrong: ReadonlySet<string>;
  readonly faults: readonly Fault[];
};

/** Second step: each value by itself, by its parameter's schema. */
function readValues(
  { sent, parameterOf, locate }: Named,
  { locations }: RawArguments,
  { parameters, checkOf, validate }: Reader,
  budget: Budget,
): Read {
  const values = emptyMembers();
  const inAlternatives: Parameter[] = [];
  for (const name of Object.keys(sent)) {
    const parameter = parameterOf(name);
    if (parameter === undefined) continue;
    if (!parameters.has(name)) inAlternatives.push(parameter);
    budget.spend(stepsOfNormalising(parameter, sent[name]), name);
    const value = normalise(parameter, sent[name]);
    if (!isBlank(value)) values[name] = value;
  }
  const invalid = [
    ...validate(values),
    ...(inAlternatives.length === 0 ? [] : validateBy(checkOf, inAlternatives)(values)),
  ];
  const wrong = new Set(invalid.map(({ parameter }) => parameter));
  return {
    values,
    valid: wrong.size === 0 ? values : without(values, wrong),
    wrong,
    faults: invalid
      .filter(({ code, parameter }) => code !== MISSING || !locations?.faulty.has(parameter))
      // Only the first faults are listed, so only these need their places.
      .map(({ member, ...fault }, i) => (i < MOST_FAULTS ? locate(fault, member) : fault)),
  };
}

/** Third step: what values mean together: columns and filters of groups, ends of ranges, places. */
function combine(
  { sent, locate }: Named,
  { values, valid, wrong }: Read,
  { query, body }: RawArguments,
  { block, checkOf }: Reader,
  budget: Budget,
): Pick<Arguments, 'values' | 'grouping'> & { readonly faults: readonly Fault[] } {
  // The groups decide which columns an answer has. If they are wrong, the columns are not known.
  const areKnown = !wrong.has('_group') && !wrong.has('_measure');
  const columns = areKnown ? readColumnOptions(block, valid) : { values: valid, faults: [] };
  const having = areKnown ? readHaving(sent, columns.grouping, checkOf, budget) : NO_HAVING;
  const faults: readonly (Fault & Pick<ArgumentFault, 'member'>)[] = [
    ...columns.faults,
    ...having.faults,
    ...faultsOfAlternatives({ query, body }, sent[OR]),
    ...conflictsOf(valid, block.filters),
    ...alternativesIn(valid).flatMap((one) => conflictsOf(one.values, block.filters, one.prefix)),
    ...searchFaults(valid, wrong),
    ...twoNumberFaults(valid, Object.keys(sent)),
    ...cursorFaults(values._cursor),
  ];
  return {
    values:
      having === NO_HAVING
        ? columns.values
        : Object.assign(Object.create(null), columns.values, having.values),
    grouping: columns.grouping,
    faults: faults.map(({ member, ...fault }) => locate(fault, member)),
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
  const inQuery = ownMember(query, HANDLING.name);
  const option = isBlank(inQuery) ? ownMember(body, HANDLING.name) : inQuery;
  if (!isBlank(option)) {
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
