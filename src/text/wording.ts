import { decimalText } from './decimal.ts';

/** Writes a number with a comma before each three digits, as in English, or as in another language. */
export function numberText(value: number, decimals?: number, language = 'en'): string {
  if (decimals === undefined && language === 'en' && value > 0 && Number.isSafeInteger(value)) {
    return String(value).replace(THOUSANDS, ',');
  }
  const key = `${language} ${decimals}`;
  const kept = FORMATS.get(key);
  if (kept !== undefined) return kept.format(value);
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: decimals ?? 20,
  });
  FORMATS.set(key, format);
  return format.format(value);
}

/** Where English writes a comma in a whole number, which takes a fifth of the time of its format. */
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/**
 * A format for each language and number of decimals, of which Intl allows 101. They are kept because
 * making a format takes 30 times as long as using it.
 */
const FORMATS = new Map<string, Intl.NumberFormat>();

/** What English writes behind an ordinal number: `th` of 17th. */
export function ordinalEnding(number: number): 'th' | 'st' | 'nd' | 'rd' {
  const [tens, ones] = [number % 100, number % 10];
  const isTeen = tens >= 11 && tens <= 13;
  return isTeen ? 'th' : ((['th', 'st', 'nd', 'rd'] as const)[ones] ?? 'th');
}

export function decimalsOf(value: number): number {
  return decimalText(value).split('.')[1]?.length ?? 0;
}

/** A distance as people read it: `998 m`, `1.2 km`. */
export function distanceText(metres: number, language = 'en'): string {
  if (Math.round(metres) < 1000) return `${Math.round(metres)} m`;
  return `${numberText(metres / 1000, metres < 99_950 ? 1 : 0, language)} km`;
}

/** Cuts a caller's text to at most `most` characters, and marks the cut with `…`. */
export function shorten(text: string, most = 100): string {
  return text.length <= most ? text.toWellFormed() : `${text.slice(0, most).toWellFormed()}…`;
}

/** Characters of a column's title in a heading, a list or a sentence. A longer one is cut. */
const MOST_TITLE = 60;

/** A column's title as it stands in a heading or beside others. */
export function shortTitle(title: string): string {
  if (title.length <= MOST_TITLE) return title;
  // Behind a whole word, if there is one.
  return `${title
    .slice(0, MOST_TITLE - 1)
    .toWellFormed()
    .replace(/(?<=.{20})\s\S*$/, '')}…`;
}

/** Letters that are written from the right. */
export const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A text with letters from the right, set apart from what is beside it (UAX 9); others as they are. */
export function setApart(text: string): string {
  return FROM_RIGHT.test(text) ? `\u2068${text}\u2069` : text;
}

/** Joins the first `most` texts. `rest` says how many more there are. */
export function firstFew(
  texts: readonly string[],
  most: number,
  rest = (more: number) => ` and ${numberText(more)} more`,
  between = ', ',
): string {
  const more = texts.length - most;
  const first = texts.slice(0, most).join(between);
  return more > 0 ? first + rest(more) : first;
}

/** Joins all texts as in a sentence: `a`, `a or b`, `a, b or c`. */
export function listInWords(texts: readonly string[], word: 'and' | 'or'): string {
  const [last = '', ...before] = texts.toReversed();
  return before.length === 0 ? last : `${before.toReversed().join(', ')} ${word} ${last}`;
}

/** The first entries that have at most `most` characters together, but at least `least` entries. */
export function fitting<T>(
  all: readonly T[],
  lengthOf: (one: T) => number,
  most: number,
  least = 0,
): T[] {
  let left = most;
  const end = all.findIndex((one, i) => {
    left -= lengthOf(one);
    return left < 0 && i >= least;
  });
  return all.slice(0, end < 0 ? all.length : end);
}

/**
 * Shows a cell of somebody's file in a terminal: in quotes, at most `most` characters of it, with
 * escapes for characters that are invisible, change the direction of text, or control a terminal.
 */
export function showCell(cell: string, most = 60): string {
  return JSON.stringify(shorten(cell, most)).replace(UNSEEN, escapedCharacter);
}

/** Controls, formats, line separators, and spaces that only look like one. */
export const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/**
 * Controls, line separators, and characters that change the direction of text: a terminal would
 * obey them. Tags (U+E0000 to U+E007F) are invisible to people, but a program may read them.
 */
export const OBEYED = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u{e0000}-\u{e007f}]/gu;

/** Writes other people's text in one line, without characters that a terminal would obey. */
export function inOneLine(text: string): string {
  return text.replace(OBEYED, ' ').toWellFormed();
}

/** Writes a sentence with other people's names in one line: what would be obeyed is escaped. */
export function escapeObeyed(text: string): string {
  return text.replace(OBEYED, escapedCharacter);
}

function escapedCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
}

/**
 * Makes a text of any length safe for a terminal. Its line breaks and tabs stay. Other characters
 * that a terminal would obey are shown, such as ␛ for ESC and `\u{202e}` for a change of direction.
 */
export function visible(text: string): string {
  return text.replace(KEPT_OR_OBEYED, (found) =>
    KEPT.has(found) ? found : visibleCharacter(found),
  );
}

const KEPT = new Set(['\n', '\t', '\r\n']);
const KEPT_OR_OBEYED = new RegExp(`\\r\\n|${OBEYED.source}`, OBEYED.flags);

/** Unicode has pictures of the controls of ASCII, from U+2400. */
function visibleCharacter(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '␡' : `\\u{${code.toString(16)}}`;
}

/** How a description begins that lists the columns: the one that `add` writes. */
export const COLUMNS_ARE = 'Each row has: ';
