import type { BlockDescription } from '../core/describe-block.ts';
import type { Fault } from '../core/errors.ts';
import { type TypedNames, termsOf } from './terms.ts';

/**
 * What a block refused, each thing once, in the names of a line: those that were typed, else a
 * parameter's shortest. A block knows only its own: `persons_per_acre_min` for `density`.
 */
export function faultTexts(
  block: BlockDescription,
  typed: TypedNames,
  faults: readonly Fault[],
): string[] {
  const shortest = new Map(
    termsOf(block).map((term): [string, string] => [
      (term.kind === 'one' ? term.parameter : term.is).name,
      term.names[0] as string,
    ]),
  );
  const names = new Map(
    faults.flatMap(({ parameter }): [string, string][] => {
      if (parameter === undefined) return [];
      return [[parameter, typed.get(parameter) ?? shortest.get(parameter) ?? parameter]];
    }),
  );
  const texts = faults.map(({ detail, suggestion }) => {
    const text = renamed(detail, names);
    const isSaid = suggestion === undefined || text.includes(suggestion);
    return isSaid ? text : `${text} Did you mean ${suggestion}?`;
  });
  return [...new Set(texts)];
}

/** The text with these words changed, but not within quotes, where a value is. */
function renamed(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\w+/g, (word) => names.get(word) ?? word);
}
