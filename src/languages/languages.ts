import { ENGLISH } from './english.ts';
import { GERMAN } from './german.ts';
import { type Language, languageWith } from './language.ts';
import type { LanguageName } from './names.ts';
import { SPANISH } from './spanish.ts';

const LANGUAGES: Readonly<Record<LanguageName, Language>> = {
  en: ENGLISH,
  de: languageWith('de', GERMAN),
  es: languageWith('es', SPANISH),
};

/** The language of a tag of BCP 47, such as `de-AT`; English if pages do not speak it. */
export function languageOf(tag: string | undefined): Language {
  const name = tag?.split('-')[0]?.toLowerCase() ?? '';
  return Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name as LanguageName] : ENGLISH;
}
