import type { Block } from '../block/block.ts';

/** What a page is asked for, as pairs of a query. */
export type PageState = readonly (readonly [string, string])[];

/** What of a request's pairs a page's links keep: what the block knows, and the key. */
export function pageState(block: Block, given: PageState): PageState {
  const all = [...block.parameters, ...block.options];
  const known = new Set(all.map(({ name }) => name).concat('api_key'));
  known.delete('_format');
  const formerly = new Map(all.map(({ formerly, name }) => [formerly, name]));
  return given
    .map(([name, value]) => [formerly.get(name) ?? name, value] as const)
    .filter(([name, value]) => known.has(name) && value.trim() !== '');
}

/** Pairs with others in their place; null takes a name out. */
export function changed(
  state: PageState,
  changes: Readonly<Record<string, string | readonly string[] | null>>,
): PageState {
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
  return [...state.filter(([name]) => !Object.hasOwn(changes, name)), ...added];
}

/** Where the answer begins. Who sorts or turns a page there stays there, by the keyboard too. */
export const FOUND = '#found';

/** A reference with a query only, which holds behind any path. */
export function hrefOf(state: PageState, place = ''): string {
  return `?${new URLSearchParams(state.map(([name, value]) => [name, value]))}${place}`;
}

/** The values of a name, in order. */
export function valuesOf(state: PageState, name: string): string[] {
  return state.filter(([other]) => other === name).map(([, value]) => value);
}

/** The parameters that the form of a block has a box for; others are kept, and dropped by a link. */
export function namesWithBox({ answers, parameters }: Block): string[] {
  return parameters
    .filter(({ field, op }) => answers === 'value' || (field !== undefined && op !== 'not'))
    .map(({ name }) => name);
}
