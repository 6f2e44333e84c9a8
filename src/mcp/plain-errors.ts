import { shorten } from '../values/wording.ts';

/**
 * An answer with its errors as sentences. The protocol's package answers some malformed messages
 * with its validator's output, and as an internal error (-32603), but the message is at fault.
 */
export function plainErrors(answer: string): string {
  if (!/"code":-3260[23]\b/.test(answer)) return answer;
  // The JSON is on one line, by itself or as an event's data.
  return answer.replace(/^(data: )?(\{.*\})$/m, (line, prefix = '', json) => {
    const message = JSON.parse(json);
    const error = message.error === undefined ? undefined : plainError(message.error);
    return error === undefined ? line : `${prefix}${JSON.stringify({ ...message, error })}`;
  });
}

type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown };

const INVALID_PARAMS = -32602;

function plainError({ code, message, data }: RpcError): RpcError | undefined {
  const issues = issuesIn(message);
  if (issues !== undefined) return { code: INVALID_PARAMS, message: sentence(issues) };
  const told = { code, message: plain(message) };
  if (told.message === message) return undefined;
  return data === undefined ? told : { ...told, data: JSON.parse(plain(JSON.stringify(data))) };
}

/** What the validator (zod) found; it prints a JSON list of these, perhaps after a title. */
type Issue = { readonly path: readonly (string | number)[]; readonly expected?: string };

function issuesIn(message: string): Issue[] | undefined {
  try {
    const issues: Issue[] = JSON.parse(message.slice(message.indexOf('[')));
    return issues.every(({ path }) => Array.isArray(path)) ? issues : undefined;
  } catch {
    return undefined;
  }
}

/** Bounds the error's text, since a message can be wrong in very many places. */
const MOST_ISSUES = 5;

function sentence(issues: readonly Issue[]): string {
  const parts = issues.slice(0, MOST_ISSUES).map(({ path, expected }) => {
    return `${shorten(path.join('.'))} ${asExpected(expected)}`;
  });
  const more = issues.length > MOST_ISSUES ? ', and more' : '';
  return `The message is not as the protocol has it: ${parts.join(', ')}${more}.`;
}

/** The validator's output within a sentence. */
const INVALID_INPUT = /(: )?Invalid input: expected (\w+), received \w+/g;

function plain(text: string): string {
  return text.replace(INVALID_INPUT, (_, colon, expected) => {
    return `${colon === undefined ? '' : ' '}${asExpected(expected)}`;
  });
}

const NOUNS: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

function asExpected(expected = ''): string {
  const noun = NOUNS[expected];
  return noun === undefined ? 'is not valid' : `is to be ${noun}`;
}
