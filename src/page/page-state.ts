import type { Block } from '../block/block.ts';
import { GROUP_NAMES } from '../block/grouping.ts';
import { alternativeName, BBOX, NEAR, Q, WITHIN } from '../block/parameter.ts';

/** A page's arguments as the pairs of a query. */
export type PageState = readonly (readonly [string, string])[];

/** The pairs of a request that a page's links keep: those that the block knows, and the key. */
export function pageState(block: Block, given: PageState): PageState {
  const all = [...block.parameters, ...block.options];
  const known = new Set(all.map(({ name }) => name).concat('api_key'));
  known.delete('_format');
  const formerly = new Map(all.map(({ formerly, name }) => [formerly, name]));
  return given
    .map(([name, value]) => [formerly.get(name) ?? name, value] as const)
    .filter(([name, value]) => (known.has(name) || isOfAlternative(name)) && value.trim() !== '');
}

function isOfAlternative(name: string): boolean {
  return alternativeName(name) !== undefined;
}

/** Replaces the pairs of the names in `changes`; null removes a name. */
export function changed(
  state: PageState,
  changes: Readonly<Record<string, string | readonly string[] | null>>,
): PageState {
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
  return [...state.filter(([name]) => !Object.hasOwn(changes, name)), ...added];
}

/** The answer's anchor: links that sort or turn pages keep scroll position and focus there. */
export const FOUND = '#found';

/** A link of only a query, which works under any path. */
export function hrefOf(state: PageState, place = ''): string {
  return `?${new URLSearchParams(state.map(([name, value]) => [name, value]))}${place}`;
}

/** The values of a name, in order. */
export function valuesOf(state: PageState, name: string): string[] {
  return state.filter(([other]) => other === name).map(([, value]) => value);
}

/** The parameters that ask for rows by their place. */
export const PLACE_NAMES = [NEAR, WITHIN, BBOX] as const;

/** The parameters with a box in a block's form; others are kept until a link drops them. */
export function namesWithBox({ answers, parameters }: Block): string[] {
  const named = parameters
    .filter(({ field, op }) => answers === 'value' || (field !== undefined && op !== 'not'))
    .map(({ name }) => name);
  return answers === 'value' ? named : [...named, Q, ...PLACE_NAMES, ...GROUP_NAMES];
}

/** Whether a page shows groups in place of rows. */
export function asksForGroups(state: PageState): boolean {
  return GROUP_NAMES.some((name) => valuesOf(state, name).length > 0);
}
