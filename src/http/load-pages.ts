/**
 * Loads the code that renders pages at the first request for one, since most requests want none.
 * A function has it in a separate file (`src/build/bundle-handler.ts`).
 */
export const loadPages = () => import('../page/pages.ts');
