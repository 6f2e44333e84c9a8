import type { Field } from './field.ts';
import { ownMember } from './own-member.ts';
import { splitAtWildcards } from './pattern.ts';

/** A filter in words, and the parameters that state it. */
export type FilterText = { readonly parameters: readonly string[]; readonly text: string };

/** Valid arguments as a person would say them: `street address contains “court st”`. */
export function describeFilters(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
): FilterText[] {
  return fields.flatMap((field): FilterText[] => {
    const { kind, name } = field;
    const title = inSentence(field.title);
    if (kind === 'carried') return [];
    if (kind === 'text') {
      const given = ownMember(values, name) as string | readonly string[] | undefined;
      if (given === undefined) return [];
      return [
        { parameters: [name], text: `${title} ${[given].flat().map(matching).join(' or ')}` },
      ];
    }
    const [low, high] = [ownMember(values, `${name}_min`), ownMember(values, `${name}_max`)] as (
      | number
      | undefined
    )[];
    const parameters = [
      ...(low === undefined ? [] : [`${name}_min`]),
      ...(high === undefined ? [] : [`${name}_max`]),
    ];
    if (parameters.length === 0) return [];
    return [{ parameters, text: `${title} is ${within(low, high)}` }];
  });
}

/** A title within a sentence; one that begins with an abbreviation or a digit stays as it is. */
function inSentence(title: string): string {
  return /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

function within(low: number | undefined, high: number | undefined): string {
  if (low === undefined) return `at most ${high}`;
  if (high === undefined) return `at least ${low}`;
  return low === high ? `${low}` : `from ${low} to ${high}`;
}

function matching(text: string): string {
  const parts = splitAtWildcards(text);
  const [first = '', second = '', third] = parts;
  if (parts.length > 1 && parts.every((part) => part === '')) return 'has a value';
  if (parts.length === 1) return `is “${first}”`;
  if (parts.length === 2 && second === '') return `begins with “${first}”`;
  if (parts.length === 2 && first === '') return `ends with “${second}”`;
  if (parts.length === 3 && first === '' && third === '') return `contains “${second}”`;
  return `matches “${text}”`;
}
