import type { Members } from '../arguments/given.ts';

/** Turns pairs into members: a name sent twice, or as `name[]`, becomes a list. */
export function gather(pairs: Iterable<[string, string]>): Members {
  const members: Record<string, string | string[]> = Object.create(null);
  for (const [sent, value] of pairs) {
    const isList = sent.endsWith('[]') && sent.length > 2;
    const name = isList ? sent.slice(0, -2) : sent;
    const before = members[name];
    if (before === undefined) members[name] = isList ? [value] : value;
    else if (Array.isArray(before)) before.push(value);
    else members[name] = [before, value];
  }
  return members;
}
