import type german from './german.json';

/**
 * What a page says. A message's name is its text in English; names in braces stand for what is put
 * in, and ` #…` at the end tells apart what English says in one way. German is the first translation,
 * so that it has the list of all.
 */
export type Message = keyof typeof german;

/** A message that nothing is put into. */
export type PlainMessage = {
  [M in Message]: M extends `${string}{${string}` ? never : M;
}[Message];

/** A language's table: it has every message. */
export type Translation = Readonly<Record<Message, string>>;
