import type { Members } from '../arguments/given.ts';
import type { BlockDescription } from '../block/describe-block.ts';
import {
  type FoundRows,
  facetInWords,
  foundInWords,
  helpSentence,
} from '../query/answer-in-words.ts';
import { writeFilter } from './write-command.ts';

/** How many rows match and, if none does, what each filter excludes. */
export function summaryOf(block: BlockDescription, given: Members, found: FoundRows) {
  const { noun = 'rows', dataset } = block;
  const reasons = (found.help ?? []).map((help) =>
    helpSentence(help, writeFilter(block, given, help.parameters), noun, (other) =>
      writeFilter(block, { [other]: given[help.parameters[0] as string] }, [other]),
    ),
  );
  const counted = Object.entries(found.facets ?? {}).map(([name, facet]) =>
    facetInWords(name, facet),
  );
  return {
    count: foundInWords(given, found.total, noun, dataset?.rows),
    reasons: [...reasons, ...counted],
  };
}
