/**
 * What makes pages, loaded when the first one is asked for: most requests want none. In a function
 * it is a file of its own (`src/build/bundle-handler.ts`).
 */
export const loadPages = () => import('../page/pages.ts');
