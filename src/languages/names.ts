/** The languages in which pages speak, as primary subtags of BCP 47. A further one is a table in a file of its own. */
export const LANGUAGE_NAMES = ['en', 'de', 'es'] as const;

export type LanguageName = (typeof LANGUAGE_NAMES)[number];

/** The language of a page: the one that is asked for, or else the one of a tag, or else English. */
export function languageName(asked: string | undefined, tag: string | undefined): LanguageName {
  const spoken = (text: string | undefined) => LANGUAGE_NAMES.find((name) => name === text);
  return spoken(asked) ?? spoken(tag?.split('-')[0]?.toLowerCase()) ?? 'en';
}

/** What a block's rows are called, if their publisher did not say. */
export const ROWS_NOUN = 'rows';

/** The form of a tag of BCP 47: `de`, `es-MX`. */
export const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$/;
