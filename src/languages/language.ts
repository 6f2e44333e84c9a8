import { numberText, ordinalEnding, setApart } from '../text/wording.ts';
import type { Message, Translation } from './german.ts';
import { type LanguageName, ROWS_NOUN } from './names.ts';

/** The names in braces of a message: `count` of `{count} columns`. */
export type Slot<M extends string> = M extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Slot<Rest>
  : never;

export type Values<M extends string, T> = [Slot<M>] extends [never]
  ? []
  : [values: Readonly<Record<Slot<M>, T>>];

/** How a page speaks: its own words, and how it writes numbers and dates. */
export type Language = {
  readonly name: LanguageName;
  /** The character before decimals. */
  readonly decimal: string;
  /** A message in this language. Texts are put in as they are, numbers as `number` writes them. */
  say<M extends Message>(message: M, ...values: Values<M, string | number>): string;
  /** A message in pieces, for values that are more than texts. */
  parts<M extends Message, T>(message: M, values: Readonly<Record<Slot<M>, T>>): (string | T)[];
  /** `1,234.5` or `1.234,5`. */
  number(value: number, decimals?: number): string;
  /** `17th` or `17.` */
  ordinal(number: number): string;
  /** The name of a month of the year, from 1 on. */
  month(month: number, length: 'short' | 'long'): string;
  /** The name of a weekday; 1 is Monday. */
  weekday(weekday: number): string;
};

/** How a language is made, beside its table of messages; English needs none. */
type Making = {
  readonly translation?: Translation;
  /**
   * Whether texts from right to left stand apart from the words around them, as browsers order them
   * (Unicode Standard Annex 9), and numbers have a true minus. Other channels write no characters of
   * their own into texts, and numbers as they are sent.
   */
  readonly isOfPages?: boolean;
};

export function languageWith(name: LanguageName, making: Making = {}): Language {
  const { translation, isOfPages = false } = making;
  const number = (value: number, decimals?: number) => {
    const text = numberText(value, decimals, name);
    return isOfPages ? text.replace('-', '−') : text;
  };
  const put = <T>(value: T): T | string =>
    isOfPages && typeof value === 'string' ? setApart(value) : value;
  const pieces = <T>(message: Message, values: Readonly<Record<string, T>>): (string | T)[] => {
    const text = translation?.[message] ?? message.replace(CONTEXT, '');
    return text
      .split(SLOT)
      .map((piece, i) => (i % 2 === 0 ? piece : put(values[piece] as T)))
      .filter((piece) => piece !== '');
  };
  const say: Language['say'] = (message, ...[values]) =>
    pieces<string | number>(message, values ?? {})
      .map((piece) => (typeof piece === 'number' ? number(piece) : piece))
      .join('');
  return {
    name,
    // A function that never asks does not load the formats of a language.
    get decimal() {
      return number(1.5, 1).slice(1, -1);
    },
    say,
    ordinal: (one) => say(ORDINALS[ordinalEnding(one)], { number: one }),
    parts: pieces,
    number,
    month: (month, length) => monthNames(name, length)[month - 1] ?? '',
    weekday: (weekday) => weekdayNames(name)[weekday - 1] ?? '',
  };
}

const ORDINALS = {
  th: '{number}th',
  st: '{number}st',
  nd: '{number}nd',
  rd: '{number}rd',
} as const satisfies Readonly<Record<string, Message>>;

/** A name in braces. */
const SLOT = /\{(\w+)\}/;

/** What a message is about, if English has one text where others have several: `Show #rows`. */
const CONTEXT = / #\w+$/;

const namesOf = new Map<string, readonly string[]>();

/** Names are kept because Intl takes long to make a format. */
function kept(key: string, make: () => readonly string[]): readonly string[] {
  const names = namesOf.get(key) ?? make();
  namesOf.set(key, names);
  return names;
}

function monthNames(name: LanguageName, length: 'short' | 'long') {
  return kept(`${name} ${length}`, () => {
    const format = new Intl.DateTimeFormat(name, { month: length, timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, i) => format.format(Date.UTC(2000, i)));
  });
}

function weekdayNames(name: LanguageName) {
  return kept(name, () => {
    const format = new Intl.DateTimeFormat(name, { weekday: 'long', timeZone: 'UTC' });
    // This was a Monday.
    return Array.from({ length: 7 }, (_, i) => format.format(Date.UTC(2024, 0, 1 + i)));
  });
}

/** A block whose rows have no noun of their own has one of the language. */
export function inLanguage<T extends object>(block: T, { say }: Language): T {
  return 'noun' in block && block.noun === ROWS_NOUN ? { ...block, noun: say('rows') } : block;
}

/** Joins texts as in a sentence: `a`, `a and b`, `a, b and c`. */
export function listed(texts: readonly string[], { say }: Language): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2
    ? last
    : say('{list} and {last}', { list: texts.slice(0, -1).join(', '), last });
}
