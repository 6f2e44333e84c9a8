import type { BlockDescription, DescribedParameter } from '../core/describe-block.ts';
import { nearName } from '../core/near-name.ts';

/** What may stand before a colon, and what it gives. */
export type Term = {
  /** All its names, the one to show first. */
  readonly names: readonly string[];
  readonly title: string;
} & (
  | { readonly kind: 'one'; readonly parameter: DescribedParameter }
  | { readonly kind: 'range'; readonly low: DescribedParameter; readonly high: DescribedParameter }
);

/** The name by which each parameter was given on a line. */
export type TypedNames = ReadonlyMap<string, string>;

/** Every term of a block: its parameters and options, and before each pair of ends their range. */
export function termsOf({ parameters, options }: BlockDescription): Term[] {
  const named = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  return [...parameters, ...options].flatMap((parameter): Term[] => {
    const { name, alias, title } = parameter;
    const high = name.endsWith('_min') ? named.get(name.replace(/_min$/, '_max')) : undefined;
    const names = shortestFirst(alias, name);
    const one: Term = { kind: 'one', names, title, parameter };
    return high === undefined ? [one] : [rangeOf(parameter, high), one];
  });
}

/** Finds terms by what was typed; its case matters only where two names differ in nothing else. */
export type FindTerm = {
  find(name: string): Term | undefined;
  /** A name that was likely meant. */
  near(name: string): string | undefined;
  /** The name of the main parameter, to show. */
  readonly main?: string;
};

export function findTermOf(block: BlockDescription): FindTerm {
  const terms = termsOf(block);
  const exact = new Map<string, Term>();
  const folded = new Map<string, Term | undefined>();
  // A parameter of that very name goes before a range that would be called the same.
  const byKind = (kind: Term['kind']) => terms.filter((term) => term.kind === kind);
  for (const term of [...byKind('one'), ...byKind('range')]) {
    for (const name of term.names) {
      if (exact.has(name)) continue;
      exact.set(name, term);
      const lower = name.toLowerCase();
      const isShared = folded.has(lower) && folded.get(lower) !== term;
      folded.set(lower, isShared ? undefined : term);
    }
  }
  const known = terms.flatMap(({ names }) => names);
  const main = terms.find((term) => term.kind === 'one' && term.parameter.main === true);
  return {
    find: (name) => exact.get(name) ?? folded.get(name.toLowerCase()),
    near: (name) => nearName(name, known),
    ...(main?.names[0] === undefined ? {} : { main: main.names[0] }),
  };
}

/** The field that a term filters by. */
export function fieldOf(term: Term): string {
  return term.kind === 'one' ? term.parameter.name : term.low.name.replace(/_min$/, '');
}

function rangeOf(low: DescribedParameter, high: DescribedParameter): Term {
  return {
    kind: 'range',
    names: shortestFirst(low.alias?.replace(/_min$/, ''), low.name.replace(/_min$/, '')),
    // Both titles are the field's, and then which end they are.
    title: low.title.slice(0, Math.max(low.title.lastIndexOf(','), 0)) || low.title,
    low,
    high,
  };
}

function shortestFirst(alias: string | undefined, name: string): string[] {
  return alias === undefined ? [name] : [alias, name];
}
