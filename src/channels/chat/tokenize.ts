/** One piece of a line: free text, or a name, a sign and a value. */
export type Token = {
  /** The token as typed, for messages. */
  readonly written: string;
  /** The text before the first sign outside quotes. */
  readonly name?: string;
  /** That sign: `:`, or another that people type instead. */
  readonly sign?: string;
  /** The text after the sign, or all of a free text; without quotes. */
  readonly value: string;
  /** Whether any of it stood in quotes. */
  readonly isQuoted: boolean;
  /** Whether a quote was opened and not closed. */
  readonly isUnclosed: boolean;
};

const SIGN = /[:：=<>≤≥]/;
/** Phones replace straight quotes with curly ones. */
const QUOTE = /["“”„‟]/;
const SPACE = /\s/;

/**
 * Cuts a chat line at the white space outside quotes. A quote may begin anywhere in a token; within
 * quotes, a doubled quote stands for one. Apostrophes and backslashes are plain characters.
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

/** The tokens of a shell's arguments, which the shell has already cut and unquoted. */
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
  // A name has no white space, so this is a text that was in quotes in the shell.
  const isText = signAt < 0 || SPACE.test(arg.slice(0, signAt).trim());
  const parts = partsOf(arg, isText ? undefined : signAt);
  // An unset variable of a script; quotes make the blank visible in messages.
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

/** A value as written on a line: in quotes if it is empty or holds white space or quotes. */
export function quotedIfNeeded(text: string): string {
  if (text !== '' && !/[\s"“”„‟]/.test(text)) return text;
  return inQuotes(text);
}

/** Text in quotes, with its own quotes doubled. Within quotes a sign such as `:` is plain text. */
export function inQuotes(text: string): string {
  return `"${text.replace(/["“”„‟]/g, '$&$&')}"`;
}
