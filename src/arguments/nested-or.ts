import { MOST_ALTERNATIVES, OR, prefixOf } from '../block/alternative.ts';
import { quotedValue } from '../fields/quoted-value.ts';
import type { Fault } from '../problem/errors.ts';
import type { Members } from './arguments.ts';
import { isBlank } from './normalise.ts';

/** The alternatives of a list in `_or`, if each is an object with filters; undefined otherwise. */
function listedIn(members: Members): readonly Members[] | undefined {
  const list = Object.hasOwn(members, OR) ? members[OR] : undefined;
  if (!Array.isArray(list) || list.length > MOST_ALTERNATIVES) return undefined;
  return list.every((one) => isObject(one) && !isEmpty(one)) ? list : undefined;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an alternative has no filter, and so would match every row. */
function isEmpty(alternative: Members): boolean {
  return Object.values(alternative).every((value) =>
    isObject(value) ? isEmpty(value) : isBlank(value),
  );
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
  if (Array.isArray(left) && left.length > MOST_ALTERNATIVES) {
    const detail = `${OR} has ${left.length} alternatives; expected at most ${MOST_ALTERNATIVES}.`;
    return [{ code: 'list-too-long', detail, parameter: OR }];
  }
  if (Array.isArray(left) && left.every(isObject)) {
    return left.flatMap((one, i) => {
      const parameter = `${OR}.${i + 1}`;
      const detail = `${parameter} has no filter, so every row would match it. Give it one, or leave it out.`;
      return isEmpty(one) ? [{ code: 'missing-parameter' as const, detail, parameter }] : [];
    });
  }
  const detail = `${OR} is ${quotedValue(left)}; expected a list of at most ${MOST_ALTERNATIVES} objects of filters, such as {"${OR}": [{"field": "value"}, {"other": "value"}]}. In a query or a form, write ${OR}.1.field=value&${OR}.2.other=value.`;
  return [{ code: 'not-an-object', detail, parameter: OR }];
}
