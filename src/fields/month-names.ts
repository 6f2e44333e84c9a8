import { fold } from '../text/fold.ts';

/** Languages, beside English, whose names of months are read. */
export const MONTH_LANGUAGES = [
  'de',
  'es',
  'fr',
  'it',
  'nl',
  'pt',
  'sv',
  'da',
  'nb',
  'pl',
] as const;
export type MonthLanguage = (typeof MONTH_LANGUAGES)[number];

/** Abbreviations that are not the beginning of the name. */
const OTHERS: Partial<Record<MonthLanguage, Readonly<Record<string, number>>>> = {
  de: { mrz: 3 },
  nl: { mrt: 3 },
};

const LEAST_LETTERS = 3;
const MOST_LETTERS = 20;

/**
 * The months of a language by their folded names, and by the beginnings that are of one name alone.
 * The whole names are Intl's, as they stand in dates: its abbreviations differ by version.
 */
export function monthsOf(language: MonthLanguage): ReadonlyMap<string, number> {
  const made = MADE.get(language);
  if (made !== undefined) return made;
  const format = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  const names = Array.from({ length: 12 }, (_, month) => {
    const parts = format.formatToParts(Date.UTC(2020, month, 15));
    return fold(parts.find(({ type }) => type === 'month')?.value ?? '');
  });
  const months = new Map(Object.entries(OTHERS[language] ?? {}));
  for (const [i, name] of names.entries()) {
    for (let length = LEAST_LETTERS; length <= name.length; length++) {
      const beginning = name.slice(0, length);
      const isOfOne = names.filter((other) => other.startsWith(beginning)).length === 1;
      if (isOfOne || length === name.length) months.set(beginning, i + 1);
    }
  }
  MADE.set(language, months);
  return months;
}

const MADE = new Map<MonthLanguage, ReadonlyMap<string, number>>();

/** The month whose name, or its beginning and perhaps a point, stands at a place of a text. */
export function monthAt(
  text: string,
  at: number,
  language: MonthLanguage,
): { readonly month: number; readonly end: number } | undefined {
  const [word] = /^[\p{L}\p{M}]+/u.exec(text.slice(at, at + MOST_LETTERS)) ?? [];
  const month = word === undefined ? undefined : monthsOf(language).get(fold(word));
  if (word === undefined || month === undefined) return undefined;
  const end = at + word.length;
  return { month, end: text[end] === '.' ? end + 1 : end };
}
