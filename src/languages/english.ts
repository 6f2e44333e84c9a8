import { languageWith } from './language.ts';

/** The language of programs' messages and of all channels but pages. */
export const ENGLISH = /* @__PURE__ */ languageWith('en');
