import type { Block } from '../block/block.ts';

type Examples = Record<string, { readonly summary: string; readonly value: unknown }>;

/** A block's examples as bodies. */
export function bodyExamples({ examples }: Block): Examples {
  return Object.fromEntries(
    examples.map(({ title, arguments: value }, i) => [keyOf(i), { summary: title, value }]),
  );
}

/** The examples' values of one parameter; an example has the same key everywhere. */
export function namedExamples({ examples }: Block, name: string): Examples | undefined {
  const found = examples.flatMap(({ title, arguments: given }, i) =>
    Object.hasOwn(given, name) ? [[keyOf(i), { summary: title, value: given[name] }] as const] : [],
  );
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function keyOf(index: number): string {
  return `example-${index + 1}`;
}
