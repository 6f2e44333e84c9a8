import type { MessageOfScript } from '../languages/script.ts';

/** The script's own words in the language of the page, which holds them if that is not English. */
export function inWords(message: MessageOfScript): string {
  const words: Record<string, string> = JSON.parse(document.body.dataset.words ?? '{}');
  return words[message] ?? message;
}
