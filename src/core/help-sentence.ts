import type { FilterHelp } from './zero-result-help.ts';

/**
 * What a filter has to do with an answer of no rows, in plain sentences: what it leaves by itself,
 * what it may have meant, what is left without it. `filter` is how a door writes it, `noun` what
 * rows are called, in the plural.
 */
export function helpSentence(help: FilterHelp, filter: string, noun: string): string {
  const { alone, without, empties, containing, nearest } = help;
  const sentences = [
    ...(alone === null ? [] : [`${filter} by itself: ${counted(alone, noun)}.`]),
    ...(alone !== 0 && empties === true ? [`No row matches ${filter} and the others too.`] : []),
    ...(nearest.length === 0 ? [] : [`Did you mean ${nearest.map(quoted).join(' or ')}?`]),
    // An older service says nothing of it.
    ...(!containing ? [] : [`With * on both sides of it: ${counted(containing, noun)}.`]),
    ...(without === null || without === 0 ? [] : [`Without it: ${counted(without, noun)}.`]),
  ];
  return sentences.length === 0 ? `${filter}: not counted.` : sentences.join(' ');
}

/** `no businesses`, `one`, `12 businesses`: a noun is known in the plural alone. */
export function counted(count: number, noun: string): string {
  return count === 1 ? 'one' : `${count === 0 ? 'no' : count} ${noun}`;
}

function quoted(value: string): string {
  return `“${value}”`;
}
