import { raw } from 'hono/html';
import type { Language } from '../languages/language.ts';

/** What the steps of a piece of finished work are reported to; it may pause the work. */
export type Turn = (steps: number) => Promise<void> | undefined;

/** What JSX makes. */
type Html = ReturnType<typeof raw>;

/** The work of rendering a character of HTML, and of copying one, in steps. */
const STEPS_PER_CHARACTER = 6;
const STEPS_PER_COPIED = 0.1;

/**
 * Renders what is written of each member, one after another, and lets others have their turns
 * between them. hono/jsx renders a tree without a pause, and a page has parts for each column.
 */
export async function inTurns<T>(
  members: Iterable<T>,
  turn: Turn,
  write: (member: T, index: number) => Html | Promise<Html>,
) {
  let html = '';
  let index = 0;
  for (const member of members) {
    const written = await write(member, index++);
    const text = await written.toString();
    html += text;
    // What was kept is no tree, but text.
    const steps = Object(written) instanceof String ? STEPS_PER_COPIED : STEPS_PER_CHARACTER;
    const pause = turn(text.length * steps);
    if (pause !== undefined) await pause;
  }
  return raw(html);
}

/**
 * HTML that is the same on all of a block's pages: rendered for the first, and kept under a name in
 * what belongs to the block.
 */
export async function keptHtml(
  {
    kept,
    turn,
    language,
  }: { readonly kept: Map<string, string>; readonly turn: Turn; readonly language: Language },
  name: string,
  write: () => Html | Promise<Html>,
) {
  const key = `${language.name} ${name}`;
  let text = kept.get(key);
  if (text === undefined) {
    const rendered: string | Promise<string> = (await write()).toString();
    text = `${await rendered}`;
    kept.set(key, text);
    // A promise has had its turns.
    if (typeof rendered === 'string') await turn(text.length * STEPS_PER_CHARACTER);
  }
  return raw(text);
}
