import { HAVING, isHaving } from '../block/grouping.ts';
import { NOT, OR, type Parameter } from '../block/parameter.ts';
import { type Fault, type FaultCode, withoutReference } from '../problem/errors.ts';
import { numberText } from '../text/wording.ts';
import { firstChoices } from '../values/choice.ts';
import {
  MOST_LIST_MEMBERS,
  MOST_TEXT_LENGTH,
  MOST_TOKEN_LENGTH,
  quotedValue,
} from '../values/field-type.ts';
import { argumentTypeOf } from '../values/field-types.ts';
import {
  countNormalised,
  indexInList,
  isNested,
  type Members,
  type RawArguments,
} from './given.ts';

type Values = Readonly<Record<string, unknown>>;

/** A fault of an argument. `member` is an index, present if the fault is in a list. */
export type ArgumentFault = Fault & { readonly parameter: string; readonly member?: string };

/**
 * Turns one of ajv's errors into a fault that says what was wrong, where, what was expected, and
 * the likely fix. `index` is present if the value is a member of a list.
 */
export function faultOfKeyword(
  keyword: string,
  parameter: Parameter,
  values: Values,
  index?: string,
): ArgumentFault {
  const { name, list, mostMembers = MOST_LIST_MEMBERS } = parameter;
  const whole = Object.hasOwn(values, name) ? values[name] : undefined;
  const value = index === undefined ? whole : (whole as unknown[])[Number(index)];
  const location = { parameter: name, member: index };
  const fault = (code: FaultCode, detail: string) => ({ code, detail, ...location });
  const { expected, fault: faultOfType, readList } = argumentTypeOf(parameter);
  switch (keyword) {
    case 'required':
      return fault('missing-parameter', `${name} is required: ${expected(parameter)}.`);
    case 'minimum':
    case 'maximum':
      return fault(
        'out-of-range',
        `${name} is ${quotedValue(value)}; expected ${expected(parameter)}.`,
      );
    case 'maxLength':
      return fault('text-too-long', tooLong(parameter));
    case 'maxItems':
      return fault(
        'list-too-long',
        `${name} has more than ${numberText(mostMembers)} members; expected at most ${numberText(mostMembers)}.`,
      );
    case 'type':
      if (Array.isArray(value) && !list && readList === undefined) {
        const wanted = `expected ${expected(parameter)}`;
        return fault('not-one-value', `${name} takes one value, not a list; ${wanted}.`);
      }
  }
  return { ...faultOfType(value, parameter, expected(parameter)), ...location };
}

function tooLong({ name, type }: Parameter): string {
  const most = type === 'token' ? MOST_TOKEN_LENGTH : MOST_TEXT_LENGTH;
  return `${name} takes at most ${numberText(most)} characters per value.`;
}

/** A longer name gets no pointer. */
const MOST_POINTED_LENGTH = 256;

/**
 * Adds a pointer to the location of a value in the body of a POST. If the value is missing, the
 * pointer is to where it would be.
 */
export function withPointer(
  fault: Fault,
  name: string,
  { body, locations }: Pick<RawArguments, 'body' | 'locations'>,
  index?: string,
): Fault {
  // A name may be as long as the body, but an answer must stay short.
  if (name.length > MOST_POINTED_LENGTH) return fault;
  const [first, ...within] = pathIn(body, name);
  const inList = index === undefined ? [] : [index];
  const path =
    locations === undefined
      ? [first, ...within, ...inList]
      : within.length > 0
        ? locations.pathOf(first)?.concat(within, inList)
        : locations.pathOf(name, index);
  return path === undefined ? fault : { ...fault, pointer: faultPointer(path) };
}

/** Adds the location in the request to a fault. `member` is the index in a list as it was read. */
export type Locate = (fault: Fault, member?: string) => Fault;

/** Makes what adds a location to a fault: a place in the body, unless the query has the parameter. */
export function locatorOf(
  given: RawArguments,
  inQuery: Members,
  sent: Members,
  parameterOf: (name: string) => Parameter | undefined,
): Locate {
  return (fault, member) =>
    given.isPost && fault.parameter !== undefined && !Object.hasOwn(inQuery, fault.parameter)
      ? withPointer(fault, fault.parameter, given, indexAsSent(parameterOf, sent, fault, member))
      : fault;
}

/** The path to a member of a body, in which `_not` may be an object and `_or` a list of objects. */
function pathIn(body: Members, name: string): [string, ...string[]] {
  if (Object.hasOwn(body, name)) return [name];
  const list = Object.hasOwn(body, OR) ? body[OR] : undefined;
  const [, number, own] = WITHIN_OR.exec(name) ?? [];
  if (number !== undefined && Array.isArray(list)) {
    const index = indexInList(list, Number(number));
    return [OR, String(index), ...(own === undefined ? [] : pathIn(list[index] ?? {}, own))];
  }
  if (isHaving(name) && isNested(body, HAVING)) return [HAVING, name.slice(HAVING.length + 1)];
  const isWithin = name.startsWith(`${NOT}.`) && isNested(body);
  return isWithin ? [NOT, name.slice(NOT.length + 1)] : [name];
}

/** The name of an alternative, or of a filter in one. */
const WITHIN_OR = /^_or\.([1-4])(?:\.(.+))?$/s;

/**
 * The index of a list's member in the list as sent, before blanks were dropped and texts were split
 * at commas.
 */
function indexAsSent(
  parameterOf: (name: string) => Parameter | undefined,
  sent: Members,
  { parameter: name = '' }: Fault,
  index: string | undefined,
): string | undefined {
  const parameter = parameterOf(name);
  const list = sent[name];
  if (index === undefined || parameter === undefined || !Array.isArray(list)) return undefined;
  let passed = 0;
  const at = list.findIndex((member) => {
    passed += countNormalised(parameter, member);
    return passed > Number(index);
  });
  return at < 0 ? undefined : String(at);
}

/** Writes a location in a body as a JSON Pointer in a URI fragment (RFC 6901, sections 3 and 6). */
export function faultPointer(path: readonly string[]): string {
  return `#${path.map((step) => `/${escapeStep(step)}`).join('')}`;
}

function escapeStep(step: string): string {
  return encodeURIComponent(step.toWellFormed().replace(/~/g, '~0').replace(/\//g, '~1'));
}

/**
 * Keeps each list of allowed names only on the first fault that has it. Otherwise fifty unknown
 * names would repeat the block's names fifty times.
 */
export function allowedOnce(faults: readonly Fault[]): Fault[] {
  const told = new Set<string>();
  return faults.map((fault) => {
    const { allowed, ...rest } = fault;
    if (allowed === undefined) return fault;
    const list = allowed.join('\n');
    if (!told.has(list)) {
      told.add(list);
      return fault;
    }
    const detail = rest.detail.replace(`; expected one of ${firstChoices(allowed)}.`, '.');
    return { ...rest, detail: withoutReference(detail) };
  });
}
