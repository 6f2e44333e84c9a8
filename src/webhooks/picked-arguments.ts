import { faultPointer } from '../arguments/faults.ts';
import { type ArgumentPlaces, isBlank, type Members } from '../arguments/given.ts';
import type { Block } from '../block/block.ts';
import { alternativeParameter } from '../block/parameter.ts';
import { type Fault, MOST_FAULTS } from '../problem/errors.ts';
import { MOST_LIST_MEMBERS } from '../values/field-type.ts';
import { nearName } from '../values/near-name.ts';
import { numberText, shorten } from '../values/wording.ts';
import { MAP, mappedName } from './mapped-name.ts';
import { type Picked, pickFrom, type Source } from './pick.ts';
import { nothingGiven } from './unwrap.ts';

/** Arguments that were picked out of a body; `query` is the query without the picking names. */
export type PickedArguments = {
  readonly query: Members;
  readonly body: Members;
  readonly places: ArgumentPlaces;
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
    faults.push(...missing.slice(0, MOST_FAULTS));
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
    places: {
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
