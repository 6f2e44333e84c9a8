// The page's words in German. A message's name is its text in English; names in braces stand for
// what is put in, and ` #…` at the end tells apart what English says in one way.

export const GERMAN = {
  // Figures.
  'All {count} {noun}': 'Alle {count} {noun}',
  // Pages.
  Filters: 'Filter',
  '{count} more filters': '{count} weitere Filter',
} as const satisfies Readonly<Record<string, string>>;

/** What a page says. German is the first translation, so that it has the list of all. */
export type Message = keyof typeof GERMAN;

/** A language's table: it has every message. */
export type Translation = Readonly<Record<Message, string>>;
