import { ENGLISH } from './english.ts';
import { GERMAN } from './german.ts';
import { type Language, languageWith } from './language.ts';
import type { LanguageName } from './names.ts';
import { SPANISH } from './spanish.ts';

/** The languages of pages, each with its table. */
export const LANGUAGES: Readonly<Record<LanguageName, Language>> = {
  en: ENGLISH,
  de: languageWith('de', GERMAN),
  es: languageWith('es', SPANISH),
};
