import { faultPointer } from '../arguments/faults.ts';
import { isBlank } from '../arguments/given.ts';
import type { Fault } from '../problem/errors.ts';
import { nearName } from '../values/near-name.ts';
import { shorten } from '../values/wording.ts';
import { parsePointer, valueAt } from './json-pointer.ts';
import { MAP } from './mapped-name.ts';

/** A body's value as sent, before any of it is taken for an argument. */
export type Source = { readonly value: unknown };

/** The value that a pointer points at. */
export type Picked = {
  readonly value: unknown;
  readonly path: readonly string[];
  readonly isBlank: boolean;
};

/** Picks a parameter's value by a pointer, or returns the fault why it cannot. */
export type Pick = (parameter: string, pointer: string) => Picked | Fault;

/** How many members are searched for the one that was meant. */
const MOST_LOOKED_AT = 100;

/** For how many pointers this is done, since a body can hold very many members. */
const MOST_SUGGESTIONS = 10;

/** Makes a Pick for a body; `source` is undefined if there is no body. */
export function pickFrom(source: Source | undefined): Pick {
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
    ...(suggestion === undefined ? {} : { suggestion: shorten(suggestion) }),
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
    ...(source === undefined ? {} : { pointer: faultPointer(path) }),
    ...(meant === undefined ? {} : { suggestion: shorten(meant) }),
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
