import { MOST_ALTERNATIVES, OR, prefixOf } from '../block/alternative.ts';
import { quotedValue } from '../fields/quoted-value.ts';
import type { Fault } from '../problem/errors.ts';
import { numberText } from '../words/number-text.ts';
import type { Members } from './given.ts';
import { isBlank } from './normalise.ts';

/**
 * The alternatives of a list in `_or`, without those of which all is blank; undefined if one is no
 * object, or if they are too many.
 */
function listedIn(members: Members): readonly Members[] | undefined {
  const list = Object.hasOwn(members, OR) ? members[OR] : undefined;
  if (!Array.isArray(list)) return undefined;
  const given = list.filter(isGiven);
  const isValid = (one: unknown) => isObject(one) && hasValue(one);
  return given.length <= MOST_ALTERNATIVES && given.every(isValid) ? given : undefined;
}

/** The alternatives of a list, each as an object of its own. */
export function alternativesListed(members: Members): readonly Members[] {
  return listedIn(members) ?? [];
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the test holds of a value of an alternative, or of its `_not`; what is deeper is no filter. */
function hasValue(members: Members, test: (value: unknown) => boolean = () => true): boolean {
  return Object.values(members).some((value) =>
    isObject(value) ? Object.values(value).some(test) : test(value),
  );
}

/** Whether an alternative is more than blanks, which are not given. */
function isGiven(alternative: unknown): boolean {
  if (!isObject(alternative)) return !isBlank(alternative);
  return !hasValue(alternative) || hasValue(alternative, (value) => !isBlank(value));
}

/** Where in a list in `_or` an alternative is, of its number. */
export function placeInList(list: readonly unknown[], number: number): number {
  const places = list.flatMap((one, i) => (isGiven(one) ? [i] : []));
  return places[number - 1] ?? number - 1;
}

/**
 * Flattens a list in `_or` into members of its own: `{"_or": [{"f": 5}]}` becomes `_or.1.f`. A list
 * with a fault stays, so that it is refused; `flatten` flattens each alternative.
 */
export function withoutList(members: Members, flatten: (members: Members) => Members): Members {
  const list = listedIn(members);
  if (list === undefined) return members;
  const { [OR]: _, ...others } = members;
  const flat = Object.assign(Object.create(null), others);
  for (const [i, alternative] of list.entries()) {
    for (const [name, value] of Object.entries(flatten(alternative))) {
      flat[prefixOf(i + 1) + name] = value;
    }
  }
  return flat;
}

/** What is wrong with the alternatives as a whole; `body` and `query` are as sent. */
export function faultsOfAlternatives(
  { query, body }: { readonly query: Members; readonly body: Members },
  left: unknown,
): Fault[] {
  const isFlatIn = (members: Members) =>
    Object.keys(members).some((name) => name.startsWith(`${OR}.`) && !isBlank(members[name]));
  const isListed = !isBlank(Object.hasOwn(body, OR) ? body[OR] : undefined);
  if (isListed && (isFlatIn(query) || isFlatIn(body))) {
    const detail = `${OR} is given both as a list and by the names of its filters. Leave one out.`;
    return [{ code: 'not-one-value', detail, parameter: OR }];
  }
  if (isBlank(left)) return [];
  const listed = Array.isArray(left) ? left.filter(isGiven) : [];
  if (listed.length > MOST_ALTERNATIVES) {
    const detail = `${OR} has ${numberText(listed.length)} alternatives; expected at most ${MOST_ALTERNATIVES}.`;
    return [{ code: 'list-too-long', detail, parameter: OR }];
  }
  if (Array.isArray(left) && listed.every(isObject)) {
    return listed.flatMap((one, i) => {
      const parameter = `${OR}.${i + 1}`;
      const detail = `${parameter} has no filter, so every row would match it. Give it one, or leave it out.`;
      return hasValue(one) ? [] : [{ code: 'missing-parameter' as const, detail, parameter }];
    });
  }
  const other = listed.find((one) => !isObject(one));
  const is = Array.isArray(left)
    ? `has the member ${quotedValue(other)}`
    : `is ${quotedValue(left)}`;
  const detail = `${OR} ${is}; expected a list of at most ${MOST_ALTERNATIVES} objects of filters, such as {"${OR}": [{"field": "value"}, {"other": "value"}]}. In a query or a form, write ${OR}.1.field=value&${OR}.2.other=value.`;
  return [{ code: 'not-an-object', detail, parameter: OR }];
}
