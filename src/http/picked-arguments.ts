import { faultPointer } from '../arguments/faults.ts';
import { type ArgumentLocations, isBlank, type Members } from '../arguments/given.ts';
import type { Block } from '../block/block.ts';
import { alternativeParameter } from '../block/parameter.ts';
import type { Fault } from '../problem/errors.ts';
import { nearName } from '../text/near-name.ts';
import { numberText, shorten } from '../text/wording.ts';
import { MOST_LIST_MEMBERS } from '../values/field-type.ts';
import { nothingGiven } from './webhooks.ts';

/** Arguments that were picked out of a body; `query` is the query without the picking names. */
type PickedArguments = {
  readonly query: Members;
  readonly body: Members;
  readonly locations: ArgumentLocations;
};

/** Whether a query picks arguments out of the body, or was meant to. */
export function picks(query: Members): boolean {
  return Object.keys(query).some((name) => mappedName(name) !== undefined);
}

/** The arguments that the query's `_map.<parameter>` point at; the rest of the body is ignored. */
export function pickArguments(
  block: Block,
  query: Members,
  source: Source | undefined,
): PickedArguments {
  const { parameters, options, unusedOptions } = block;
  const names = [...[...parameters, ...options].map(({ name }) => name), ...unusedOptions];
  const pick = pickFrom(source);
  const rest: Record<string, unknown> = Object.create(null);
  const body: Record<string, unknown> = Object.create(null);
  const picked = new Map<string, readonly Picked[]>();
  const faults: Fault[] = [];
  const faulty = new Set<string>();
  for (const [name, sent] of Object.entries(query)) {
    const mapped = mappedName(name);
    if (mapped === undefined) {
      rest[name] = sent;
      continue;
    }
    const { parameter, isExact } = mapped;
    const pointers = [sent].flat() as string[];
    const wrong =
      isExact && (names.includes(parameter) || isOfAlternative(block, parameter))
        ? faultOfMapping(parameter, pointers, query)
        : unknownMapping(name, parameter, names);
    if (wrong !== undefined) {
      faults.push(wrong);
      faulty.add(parameter);
      continue;
    }
    const found = pointers.map((pointer) => pick(parameter, pointer));
    const missing = found.filter((one) => 'code' in one);
    faults.push(...missing);
    if (missing.length > 0) {
      faulty.add(parameter);
      continue;
    }
    const there = found as Picked[];
    const given = there.filter((one) => !one.isBlank);
    picked.set(parameter, given.length > 0 ? given : there.slice(0, 1));
    if (given.length > 0) {
      body[parameter] = pointers.length === 1 ? given[0]?.value : given.map(({ value }) => value);
    }
  }
  const isList = (name: string) => [query[MAP + name]].flat().length > 1;
  return {
    query: rest,
    body,
    locations: {
      pathOf: (name, index) => pathOf(picked.get(name), isList(name), index),
      faults,
      faulty,
      unlessGiven: () => blanks(block, picked),
    },
  };
}

function isOfAlternative({ parameters }: Block, name: string): boolean {
  const own = (name: string) => parameters.find((parameter) => parameter.name === name);
  return alternativeParameter(name, own) !== undefined;
}

/** A picked parameter's path in the body; undefined for others, which are in the query. */
function pathOf(picked: readonly Picked[] | undefined, isList: boolean, index?: string) {
  if (picked === undefined) return undefined;
  if (isList) return index === undefined ? undefined : picked[Number(index)]?.path;
  const path = picked[0]?.path ?? [];
  return index === undefined ? path : [...path, index];
}

function faultOfMapping(
  parameter: string,
  pointers: readonly string[],
  query: Members,
): Fault | undefined {
  if (!isBlank(query[parameter])) {
    return {
      code: 'not-one-value',
      detail: `${parameter} is fixed in the query and picked by ${MAP}${parameter}; leave one out.`,
      parameter,
    };
  }
  if (pointers.length <= MOST_LIST_MEMBERS) return undefined;
  return {
    code: 'list-too-long',
    detail: `${MAP}${parameter} has ${numberText(pointers.length)} pointers; at most ${MOST_LIST_MEMBERS} are taken.`,
    parameter: MAP + parameter,
  };
}

function unknownMapping(name: string, parameter: string, names: readonly string[]): Fault {
  const near = names.includes(parameter) ? parameter : nearName(parameter, names);
  const known = near === undefined ? { allowed: names } : { suggestion: MAP + near };
  const fix =
    near === undefined ? 'The parameters are listed in allowed.' : `Did you mean ${MAP}${near}?`;
  return {
    code: 'unknown-parameter',
    detail: `${shorten(name)} picks nothing; expected ${MAP} and a parameter. ${fix}`,
    parameter: shorten(name),
    ...known,
  };
}

/** The faults if no parameter has a value: one for each that was picked and is blank. */
function blanks(block: Block, picked: ReadonlyMap<string, readonly Picked[]>): Fault[] {
  const ofParameters = block.parameters.flatMap(({ name }): Fault[] => {
    const path = picked.get(name)?.[0]?.path;
    if (path === undefined) return [];
    const detail = `${name} is picked from a member that is null or blank, and no other parameter is given: the answer would be everything.`;
    return [{ code: 'missing-parameter', detail, parameter: name, pointer: faultPointer(path) }];
  });
  return ofParameters.length > 0 ? ofParameters : [nothingGiven(block)];
}

/** A body's value as sent, before any of it is taken for an argument. */
type Source = { readonly value: unknown };

/** The value that a pointer points at. */
type Picked = {
  readonly value: unknown;
  readonly path: readonly string[];
  readonly isBlank: boolean;
};

/** Picks a parameter's value by a pointer, or returns the fault why it cannot. */
type Pick = (parameter: string, pointer: string) => Picked | Fault;

/** Members that are searched for the one that a pointer meant. */
const MOST_LOOKED_AT = 100;

/** Pointers for which a suggestion is sought. A body can hold very many members. */
const MOST_SUGGESTIONS = 10;

/** Makes a Pick for a body; `source` is undefined if there is no body. */
function pickFrom(source: Source | undefined): Pick {
  // A pointer may be repeated and lead to a long list, so each is looked up only once.
  const seen = new Map<string, Picked | undefined>();
  let suggestions = 0;
  return (parameter, pointer) => {
    const path = parsePointer(pointer);
    // An empty pointer means the whole body, which is no argument; here it is not "not given".
    if (path === undefined || path.length === 0) return notAPointer(parameter, pointer);
    if (!seen.has(pointer)) {
      const found = source === undefined ? undefined : valueAt(source.value, path);
      seen.set(pointer, found && { value: found.value, path, isBlank: isBlank(found.value) });
    }
    const picked = seen.get(pointer);
    if (picked !== undefined) return picked;
    const meant =
      source === undefined || ++suggestions > MOST_SUGGESTIONS
        ? undefined
        : nearPointer(source.value, path);
    return nothingThere(parameter, pointer, path, source, meant);
  };
}

function notAPointer(parameter: string, pointer: string): Fault {
  const suggestion = asPointer(pointer);
  const fix = suggestion === undefined ? '' : ` Did you mean ${shorten(suggestion)}?`;
  return {
    code: 'not-a-pointer',
    detail: `${MAP}${parameter} is ${JSON.stringify(shorten(pointer))}, which is not a JSON Pointer to a member; expected one such as /data/name.${fix}`,
    parameter: `${MAP}${parameter}`,
    suggestion: suggestion && shorten(suggestion),
  };
}

/** The pointer for a path in another notation: `data.name`, `$.data.list[0]`, `#/data/name`. */
function asPointer(text: string): string | undefined {
  const steps = text
    .replace(/^[#$]?[./]?/, '')
    .replaceAll(']', '')
    .split(/[./[]/);
  return steps.includes('') || /[~\s]/.test(text) ? undefined : `/${steps.join('/')}`;
}

function nothingThere(
  parameter: string,
  pointer: string,
  path: readonly string[],
  source: Source | undefined,
  meant: string | undefined,
): Fault {
  const where = source === undefined ? 'there is no body' : 'the body has nothing there';
  const fix = meant === undefined ? '' : ` Did you mean ${shorten(meant)}?`;
  return {
    code: 'nothing-at-pointer',
    detail: `${parameter} is picked from ${shorten(pointer)}, and ${where}.${fix}`,
    parameter,
    pointer: source && faultPointer(path),
    suggestion: meant && shorten(meant),
  };
}

/** A similar pointer that finds something: with its slashes in one name, or its steps corrected. */
function nearPointer(document: unknown, path: readonly string[]): string | undefined {
  const whole = path.join('/');
  const meant = valueAt(document, [whole]) === undefined ? nearPath(document, path) : [whole];
  if (meant === undefined) return undefined;
  return `/${meant.map((one) => one.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}

/** The path with each wrong step replaced by a member with a similar name. */
function nearPath(document: unknown, path: readonly string[]): string[] | undefined {
  const steps: string[] = [];
  let value = document;
  for (const step of path) {
    const name = valueAt(value, [step]) === undefined ? nearMember(value, step) : step;
    if (name === undefined) return undefined;
    steps.push(name);
    value = valueAt(value, [name])?.value;
  }
  return steps;
}

function nearMember(value: unknown, step: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return nearName(step, Object.keys(value).slice(0, MOST_LOOKED_AT));
}

/** The prefix of query names that pick arguments out of a body. */
const MAP = '_map.';

/** The parameter that a query's name picks for; `isExact` is false if the name is misspelt. */
type MappedName = { readonly parameter: string; readonly isExact: boolean };

/**
 * Reads a name such as `_map.R`, or one that was meant as such: `_MAP.R`, `_map[R]`, `map.R`.
 * Undefined for any other name.
 */
export function mappedName(name: string): MappedName | undefined {
  if (name.startsWith(MAP)) return { parameter: name.slice(MAP.length), isExact: true };
  const [, word = '', separator = '', rest = ''] =
    /^(_?[a-z]{2,6})([^a-z0-9])(.*)$/is.exec(name) ?? [];
  return isMeant(word, separator)
    ? { parameter: rest.replace(/\]$/, ''), isExact: false }
    : undefined;
}

/** Tools append names such as `map_id`, so `map` without `_` counts only before `.` or `[`. */
function isMeant(word: string, separator: string): boolean {
  const isPath = separator === '.' || separator === '[';
  if (!word.startsWith('_')) return isPath && /^maps?$/i.test(word);
  return /^_maps?$/i.test(word) || (isPath && nearName(word, ['_map']) !== undefined);
}

/**
 * The steps of a JSON Pointer (RFC 6901), unescaped; undefined if the text is not a pointer. The
 * empty text is one, and points at the whole document.
 */
export function parsePointer(text: string): string[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined;
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value in a document at the end of these steps; undefined if there is none. */
export function valueAt(
  document: unknown,
  path: readonly string[],
): { readonly value: unknown } | undefined {
  let value = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    // A list also has own members that are not items, such as `length`.
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(step)) return undefined;
    if (!Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return { value };
}
