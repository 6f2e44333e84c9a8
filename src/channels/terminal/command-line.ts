import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearName } from '../../text/near-name.ts';

/**
 * The options of a command, by their names. A flag has no value, and is also known by one dash and
 * its first letter. An option that may be given several times has a function, which takes each of
 * its values and returns what is wrong with it.
 */
export type Options = Readonly<Record<string, 'flag' | 'text' | TakeValue>>;

type TakeValue = (value: string) => string | undefined;

/** How the lines of a command are read. */
type LineRules = {
  /**
   * Whether a word may begin with a dash, as `-76.5`. Then `-h` alone is an option with one dash,
   * and no option takes another one as its value.
   */
  readonly hasDashedWords?: boolean;
  /** Which values are none; most likely from an unset variable of a script. */
  readonly isBlank?: (value: string) => boolean;
  /** What to say of an option that is like none of these. */
  readonly orElse?: (options: readonly string[]) => string;
};

/** A command's line. */
export type Line = {
  readonly words: readonly string[];
  /** The flags that are given. */
  readonly flags: ReadonlySet<string>;
  /** The options with a text that are given. */
  readonly texts: Readonly<Record<string, string>>;
  /** What is wrong with the line, a sentence each. */
  readonly faults: readonly string[];
};

/** Reads options anywhere in a line; what stands behind `--` are words. */
export function readLine(
  args: readonly string[],
  options: Options,
  { hasDashedWords = false, isBlank = (value) => value.trim() === '', orElse }: LineRules = {},
): Line {
  const names = Object.keys(options);
  const declared: ParseArgsConfig['options'] = {};
  for (const name of names) {
    if (options[name] === 'flag') declared[name] = { type: 'boolean', short: name[0] as string };
    // One that takes no option as its value is not declared to take any.
    else if (!hasDashedWords) declared[name] = { type: 'string' };
  }
  const { tokens } = parseArgs({
    options: declared,
    // A word with a dash is hidden here, and taken from `args` later.
    args: args.map((arg) => (hasDashedWords && /^-[^-]/.test(arg) && arg !== '-h' ? '-' : arg)),
    strict: false,
    tokens: true,
  });
  const words: string[] = [];
  const flags = new Set<string>();
  const texts = new Map<string, string>();
  const faults: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as (typeof tokens)[number];
    if (token.kind === 'positional') words.push(args[token.index] as string);
    if (token.kind !== 'option') continue;
    const { name, rawName, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    // Whether an unknown option takes a value is unknown too, so what follows stays in the line.
    if (option === undefined) faults.push(unknownOption(rawName, names, orElse));
    else if (option === 'flag') flags.add(name);
    else {
      const takesNext = hasDashedWords && !inlineValue && tokens[i + 1]?.kind === 'positional';
      if (takesNext) i++;
      const value = takesNext ? args[token.index + 1] : token.value;
      const isMissing = value === undefined || isBlank(value);
      if (texts.has(name) && (hasDashedWords || !isMissing)) {
        faults.push(`--${name} is given twice.`);
      } else if (isMissing) faults.push(`--${name} needs a value.`);
      else if (option === 'text') texts.set(name, value);
      else faults.push(...[option(value)].filter((fault) => fault !== undefined));
    }
  }
  return { words, flags, texts: Object.fromEntries(texts), faults };
}

/** A sentence about an option that is none of these. */
function unknownOption(
  option: string,
  names: readonly string[],
  orElse: LineRules['orElse'] = (options) => `The options are ${options.join(' ')}`,
): string {
  const options = names.map((name) => `--${name}`);
  const near = nearName(option, options);
  return `There is no option ${option}. ${near === undefined ? orElse(options) : `Did you mean ${near}?`}`;
}

/**
 * Takes an option with its value out of a command's words; the first one, if it is given twice.
 * Throws a one-line Error if it has no value.
 */
export function takeOption(name: string, words: readonly string[], example: string) {
  const options = { [name]: { type: 'string' as const } };
  const { tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true });
  const args = [...words];
  let value: string | undefined;
  for (const token of tokens.toReversed()) {
    if (token.kind !== 'option' || token.name !== name) continue;
    if (!token.value) throw new Error(`--${name} needs a value: ${example}`);
    args.splice(token.index, token.inlineValue ? 1 : 2);
    value = token.value;
  }
  return { value, args };
}
