import german from './german.json' with { type: 'json' };
import { type Language, languageWith } from './language.ts';
import type { LanguageName } from './names.ts';
import spanish from './spanish.json' with { type: 'json' };

/** The languages of pages, each with its table. */
export const LANGUAGES: Readonly<Record<LanguageName, Language>> = {
  en: languageWith('en', { isOfPages: true }),
  de: languageWith('de', { translation: german, isOfPages: true }),
  es: languageWith('es', { translation: spanish, isOfPages: true }),
};
