import type { Members } from '../arguments/arguments.ts';
import type { BlockDescription } from '../block/describe-block.ts';
import type { Fault } from '../problem/errors.ts';
import type { Understood } from './command.ts';
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
  return text.replace(/"(?:[^"\\]|\\.)*"|\w+(?:\.\w+)*/g, (word) => names.get(word) ?? word);
}

/** A name that no block has, and that is near none. */
const NO_NAME = '?';

/**
 * What to ask a block for, to hear what it refuses of a line that was not understood whole. It
 * refuses the name too, so that nothing is run; unless it was asked to be lenient.
 */
export function valuesToCheck({ arguments: given }: Understood): Members {
  return Object.assign(Object.create(null), given, { [NO_NAME]: NO_NAME });
}

/** What a block refused of those values. What it misses may be what was not understood. */
export function faultsOfValues(
  block: BlockDescription,
  { typed }: Understood,
  faults: readonly Fault[],
): string[] {
  const ofValues = faults.filter(
    ({ code, parameter }) => parameter !== NO_NAME && code !== 'missing-parameter',
  );
  return faultTexts(block, typed, ofValues);
}
