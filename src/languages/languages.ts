import { GERMAN } from './german.ts';
import { type Language, languageWith } from './language.ts';
import type { LanguageName } from './names.ts';
import { SPANISH } from './spanish.ts';

/** The languages of pages, each with its table. */
export const LANGUAGES: Readonly<Record<LanguageName, Language>> = {
  en: languageWith('en', { isOfPages: true }),
  de: languageWith('de', { translation: GERMAN, isOfPages: true }),
  es: languageWith('es', { translation: SPANISH, isOfPages: true }),
};
