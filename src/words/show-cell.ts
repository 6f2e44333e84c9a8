import { shorten } from './shorten.ts';

/**
 * Shows a cell of somebody's file in a terminal: in quotes, at most `most` characters of it, with
 * escapes for all that is invisible, changes the direction of text, or would be obeyed.
 */
export function showCell(cell: string, most = 60): string {
  return JSON.stringify(shorten(cell, most)).replace(
    UNSEEN,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}

/** Controls, formats, line separators, and spaces that only look like one. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
