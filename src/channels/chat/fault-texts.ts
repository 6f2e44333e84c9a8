import type { Members } from '../../arguments/given.ts';
import type { BlockDescription } from '../../block/describe-block.ts';
import type { Fault } from '../../problem/errors.ts';
import { type TypedNames, termsOf, type Understood } from './command.ts';

/**
 * The texts of a block's faults, each once, with names as on a line: those that were typed, or else
 * each parameter's shortest. A block uses its own names: `persons_per_acre_min` for `density`.
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

/** Replaces these words in a text, except within quotes, which hold values. */
function renamed(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\w+(?:\.\w+)*/g, (word) => names.get(word) ?? word);
}

/** A name that no block has, and that resembles none of theirs. */
const NO_NAME = '?';

/**
 * The arguments to send to a block to learn its faults in the understood part of a line. They have
 * an unknown name, which the block refuses, so that it does not run; if lenient, it does.
 */
export function valuesToCheck({ arguments: given }: Understood): Members {
  return Object.assign(Object.create(null), given, { [NO_NAME]: NO_NAME });
}

/** The block's faults in those values. A missing parameter may be in the part not understood. */
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
