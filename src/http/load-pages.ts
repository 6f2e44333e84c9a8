import { html } from '../formats/html.ts';

/**
 * Loads the code that renders pages at the first request for one, since most requests want none.
 * A function has it in a separate file (`src/build/bundle-handler.ts`).
 */
export const loadPages = () => import('../page/pages.ts');

/** Loads the code that draws figures, at the first one. A function has it in a separate file too. */
export const loadFigures = () => import('../figure/figures.ts');

/** The policy allows nothing from other origins, and no inline script or style. */
export const PAGE_HEADERS = {
  'Content-Type': html.contentType,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'",
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  Vary: 'Accept, Accept-Encoding, Prefer',
};
