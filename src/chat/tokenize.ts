import { inQuotes } from './quoted.ts';

/** One piece of a line: free text, or what stands on both sides of a sign. */
export type Token = {
  /** As it was typed, for messages. */
  readonly written: string;
  /** What stands before the first sign outside quotes. */
  readonly name?: string;
  /** That sign: `:`, or one that people type instead. */
  readonly sign?: string;
  /** The rest, or all of a free text; quotes taken off. */
  readonly value: string;
  /** Whether any of it stood in quotes. */
  readonly isQuoted: boolean;
  /** Whether a quote was opened and not closed. */
  readonly isUnclosed: boolean;
};

const SIGN = /[:：=<>≤≥]/;
/** A phone writes curly quotes where straight ones were typed. */
const QUOTE = /["“”„‟]/;
const SPACE = /\s/;

/**
 * A line of chat, cut at the white space outside quotes. A quote may begin anywhere in a token;
 * within, a doubled quote is a quote. An apostrophe and a backslash are themselves.
 */
export function tokenize(line: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < line.length) {
    if (SPACE.test(line[at] as string)) at++;
    else {
      const token = tokenAt(line, at);
      tokens.push(token);
      at += token.written.length;
    }
  }
  return tokens;
}

/** The arguments that a shell hands over: it has cut them, and taken the quotes off. */
export function tokensOf(args: readonly string[]): Token[] {
  return args.map(tokenOfArgument);
}

function tokenAt(line: string, start: number): Token {
  let text = '';
  let signAt: number | undefined;
  let isQuoted = false;
  let isOpen = false;
  let at = start;
  for (; at < line.length; at++) {
    const character = line[at] as string;
    if (QUOTE.test(character)) {
      isQuoted = true;
      if (isOpen && QUOTE.test(line[at + 1] ?? '')) {
        text += character;
        at++;
      } else isOpen = !isOpen;
    } else if (isOpen) text += character;
    else if (SPACE.test(character)) break;
    else {
      if (signAt === undefined && SIGN.test(character)) signAt = text.length;
      text += character;
    }
  }
  return { ...partsOf(text, signAt), written: line.slice(start, at), isQuoted, isUnclosed: isOpen };
}

function tokenOfArgument(arg: string): Token {
  const signAt = arg.search(SIGN);
  // A name has no white space in it: that is a text that a shell's quotes kept together.
  const isText = signAt < 0 || SPACE.test(arg.slice(0, signAt).trim());
  const parts = partsOf(arg, isText ? undefined : signAt);
  // A variable that is not set.
  const written = arg.trim() === '' ? inQuotes(arg) : arg;
  return { ...parts, written, isQuoted: false, isUnclosed: false };
}

function partsOf(text: string, signAt: number | undefined): Pick<Token, 'name' | 'sign' | 'value'> {
  if (signAt === undefined) return { value: text };
  const [sign = ''] = /^(?:[<>]=|.)/.exec(text.slice(signAt, signAt + 2)) ?? [];
  return {
    name: text.slice(0, signAt).trim(),
    sign,
    value: text.slice(signAt + sign.length),
  };
}
