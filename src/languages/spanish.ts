import type { Translation } from './german.ts';

// The page's words in Spanish, by their text in English.

export const SPANISH: Translation = {
  // Figures.
  'All {count} {noun}': 'Los {count} {noun}',
  // Pages.
  Filters: 'Filtros',
  '{count} more filters': '{count} filtros más',
};
