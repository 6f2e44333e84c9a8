import { shorten } from '../words/shorten.ts';

/**
 * An answer whose errors are sentences. The protocol's package answers some malformed messages with
 * what its validator printed, and as an error of its own (-32603); the fault is the message's.
 */
export function plainErrors(answer: string): string {
  if (!/"code":-3260[23]\b/.test(answer)) return answer;
  // One line of JSON, by itself or as an event's data.
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

/** What the validator (zod) found, as it prints it: a list of JSON, perhaps behind a title. */
type Issue = { readonly path: readonly (string | number)[]; readonly expected?: string };

function issuesIn(message: string): Issue[] | undefined {
  try {
    const issues: Issue[] = JSON.parse(message.slice(message.indexOf('[')));
    return issues.every(({ path }) => Array.isArray(path)) ? issues : undefined;
  } catch {
    return undefined;
  }
}

/** A message can be wrong in as many places as it has. */
const MOST_ISSUES = 5;

function sentence(issues: readonly Issue[]): string {
  const parts = issues.slice(0, MOST_ISSUES).map(({ path, expected }) => {
    return `${shorten(path.join('.'))} ${asExpected(expected)}`;
  });
  const more = issues.length > MOST_ISSUES ? ', and more' : '';
  return `The message is not as the protocol has it: ${parts.join(', ')}${more}.`;
}

/** The same within a sentence. */
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
