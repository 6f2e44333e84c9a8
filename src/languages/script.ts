import type { PlainMessage } from './german.ts';

/** What the script of a page says, which the page holds in its language. */
export const MESSAGES_OF_SCRIPT = [
  'Copy',
  'Copied',
  'Pick',
  'Near me',
  'Draw a box on the map',
  'figure, arrow keys go through it',
  'The browser does not tell where you are.',
  'No answer came. Try again.',
  'at least',
  'at most',
  'any',
  'rows',
] as const satisfies readonly PlainMessage[];

export type MessageOfScript = (typeof MESSAGES_OF_SCRIPT)[number];
