import { faultPointer } from '../arguments/fault-pointer.ts';
import { nearName } from '../arguments/near-name.ts';
import { isBlank } from '../arguments/normalise.ts';
import type { Fault } from '../problem/errors.ts';
import { shorten } from '../words/shorten.ts';
import { parsePointer, valueAt } from './json-pointer.ts';
import { MAP } from './mapped-name.ts';

/** A body as it was sent, before anything in it is taken for an argument. */
export type Source = { readonly value: unknown };

/** What is at the end of a pointer. */
export type Picked = {
  readonly value: unknown;
  readonly path: readonly string[];
  readonly isBlank: boolean;
};

/** Picks a parameter's value by a pointer, or says why there is none. */
export type Pick = (parameter: string, pointer: string) => Picked | Fault;

/** Members that are looked through for the one that was meant. */
const MOST_LOOKED_AT = 100;

/** Pointers for which that is done: an object may have all the members that a body can hold. */
const MOST_SUGGESTIONS = 10;

/** `source` is undefined where there is no body. */
export function pickFrom(source: Source | undefined): Pick {
  // A pointer may stand for a long list, and be repeated: it is looked at once.
  const seen = new Map<string, Picked | undefined>();
  let suggestions = 0;
  return (parameter, pointer) => {
    const path = parsePointer(pointer);
    // The whole body is no argument, and a blank in a query means "not given": here it cannot.
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

/** What other ways to write a path would be: `data.name`, `$.data.list[0]`, `#/data/name`. */
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

/** A pointer that finds something: its slash a part of a name, or its steps nearly those there. */
function nearPointer(document: unknown, path: readonly string[]): string | undefined {
  const whole = path.join('/');
  const meant = valueAt(document, [whole]) === undefined ? nearPath(document, path) : [whole];
  if (meant === undefined) return undefined;
  return `/${meant.map((one) => one.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}

/** The path with each wrong step as the member that is nearly called so. */
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
