import {
  type Arguments,
  isBlank,
  isGrouped,
  type RawArguments,
  withoutNesting,
} from '../arguments/given.ts';
import { type KnownNames, namesInQuery } from '../arguments/names.ts';
import { Problem } from '../problem/errors.ts';
import { numberText, shorten } from '../text/wording.ts';
import type { Asked } from './served-block.ts';

/**
 * Reads a page's arguments. Its form keeps how rows are sorted; once it asks for groups, which have
 * other columns, that is dropped and not refused.
 */
export function readForPage({ served: { readArguments }, given, budget }: Asked): Arguments {
  try {
    return readArguments(given, budget);
  } catch (error) {
    const { _sort, _fields, ...query } = given.query;
    const isOfRows = (error as Problem).faults?.every(
      ({ code, parameter = '' }) => code === 'not-a-choice' && ROWS_ALONE.includes(parameter),
    );
    if (!isGrouped(query) || !isOfRows) throw error;
    return readArguments({ ...given, query }, budget);
  }
}

const ROWS_ALONE = ['_sort', '_fields'];

/**
 * The arguments of a page, which uses what it can and says what it does not: a link to it may have
 * been decorated on its way.
 */
export function usedOf(
  given: RawArguments,
  known: KnownNames,
): { readonly used: RawArguments; readonly unused: readonly string[] } {
  const unused = given.isPost ? [] : namesInQuery(given.query, known, false).strangers;
  if (unused.length === 0) return { used: given, unused };
  const query = Object.assign(Object.create(null), given.query);
  for (const name of unused) delete query[name];
  return { used: { ...given, query }, unused };
}

/** Whether a block that needs arguments was given none, not even a misspelt name. */
export function isUnasked({ served, given }: Asked): boolean {
  if (served.block.answers !== 'value' || given.isPost || given.locations !== undefined)
    return false;
  const names = namesInQuery(given.query, served.known, false);
  return names.near.length === 0 && names.known.every((name) => name === '_format');
}

/** What a page asks for, as an address. Every link of the page repeats it. */
const MOST_STATE_LENGTH = 8192;

export function refusalOfLength(pairs: readonly [string, string][]): Problem | undefined {
  const lengths = new Map<string, number>();
  let all = 0;
  for (const [name, value] of pairs) {
    const length = new URLSearchParams([[name, value]]).toString().length + 1;
    lengths.set(name, (lengths.get(name) ?? 0) + length);
    all += length;
  }
  if (all <= MOST_STATE_LENGTH) return undefined;
  const [longest = ''] = [...lengths].sort(([, a], [, b]) => b - a)[0] ?? [];
  const parameter = shorten(longest);
  const detail = `The arguments are too long for a page, whose address they are: ${numberText(all)} characters, and at most ${numberText(MOST_STATE_LENGTH)} are taken. ${parameter} has the most. Send fewer, or ask for another format.`;
  return new Problem('too-much-work', detail, {
    faults: [{ code: 'too-much-work', detail, parameter }],
  });
}

/**
 * What was sent, as name-value pairs for the page's links and form. A query value that is not blank
 * wins over the body's. A key in a body has no effect, and must not get into addresses.
 */
export function sentPairs({ query, body }: RawArguments): [string, string][] {
  const inQuery = Object.entries(query).filter(([, value]) => !isBlank(value));
  const inBody = Object.entries(withoutNesting(body)).filter(([name]) => name !== 'api_key');
  const sent = new Map([...inBody, ...inQuery]);
  return [...sent].flatMap(([name, value]) =>
    [value].flat().flatMap((member): [string, string][] => {
      if (member === null || member === undefined || typeof member === 'object') return [];
      return [[name, String(member)]];
    }),
  );
}
