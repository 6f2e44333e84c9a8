/** The languages in which pages speak, as primary subtags of BCP 47. A further one is a table in a file of its own. */
export const LANGUAGE_NAMES = ['en', 'de', 'es'] as const;

export type LanguageName = (typeof LANGUAGE_NAMES)[number];
