import type { NumberWords } from './numbers.ts';
import { sentence, type Words } from './words.ts';

/** What has a number: its name, which is bold if it is in brackets. */
type Told = { readonly name: string | readonly [string]; readonly value: number };

/** Which has the most and which the least; if several have it, how many they are. */
export function endsSentences(
  told: readonly Told[],
  { language, spoken }: Pick<NumberWords, 'language' | 'spoken'>,
): Words[] {
  const values = told.map(({ value }) => value);
  const [greatest, smallest] = [Math.max(...values), Math.min(...values)];
  const ofMost = told.filter(({ value }) => value === greatest);
  const ofLeast = told.filter(({ value }) => value === smallest);
  const [first] = ofMost;
  const [last] = ofLeast;
  if (first === undefined || last === undefined) return [];
  const [most, least] = [[spoken(greatest)] as const, [spoken(smallest)] as const];
  if (told.length === 1) {
    return [sentence(language, '{name} has the most, {most}.', { name: first.name, most })];
  }
  if (greatest === smallest) {
    return [sentence(language, 'All {count} have {value}.', { count: told.length, value: most })];
  }
  if (ofMost.length === 1 && ofLeast.length === 1) {
    const names = { name: first.name, other: last.name };
    return [
      sentence(language, '{name} has the most, {most}, {other} the least, {least}.', {
        ...names,
        most,
        least,
      }),
    ];
  }
  return [
    ofMost.length === 1
      ? sentence(language, '{name} has the most, {most}.', { name: first.name, most })
      : sentence(language, '{count} have the most, {most}.', { count: ofMost.length, most }),
    ofLeast.length === 1
      ? sentence(language, '{name} has the least, {least}.', { name: last.name, least })
      : sentence(language, '{count} have the least, {least}.', { count: ofLeast.length, least }),
  ];
}
