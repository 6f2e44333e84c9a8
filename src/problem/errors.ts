import { escapeObeyed, numberText } from '../text/wording.ts';

/**
 * Every problem and every fault. A problem is the status and title of an answer; a fault is one
 * thing that is wrong with a request. A test compares `docs/errors.md` with these tables.
 */
export const PROBLEMS = {
  'invalid-arguments': { status: 400, title: 'The arguments are not valid' },
  'invalid-json': { status: 400, title: 'The body is not valid JSON' },
  'invalid-form': { status: 400, title: 'The form in the body cannot be read' },
  'invalid-encoding': { status: 400, title: 'The request is not UTF-8' },
  'too-much-work': { status: 400, title: 'The request asks for too much work' },
  'result-too-large': { status: 400, title: 'The result is too large for this channel or format' },
  'bad-request': { status: 400, title: 'The request is not valid HTTP' },
  'signature-refused': { status: 401, title: 'The signature is not accepted' },
  'key-missing': { status: 401, title: 'A key is needed' },
  'key-refused': { status: 403, title: 'The key is not accepted' },
  'host-refused': { status: 403, title: 'This host name is not accepted' },
  'origin-refused': { status: 403, title: 'Pages of this origin are not accepted' },
  'not-found': { status: 404, title: 'There is nothing at this address' },
  'unknown-block': { status: 404, title: 'There is no such block' },
  'unknown-row': { status: 404, title: 'There is no such row' },
  'method-not-allowed': { status: 405, title: 'This address does not accept that method' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  'cursor-expired': { status: 410, title: 'The dataset has changed since this cursor was given' },
  'row-expired': { status: 410, title: "The version of the row's address is no longer served" },
  'version-expired': { status: 410, title: "The version of the file's address is not kept" },
  'precondition-failed': { status: 412, title: 'The file is not the one that was asked for' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The type of the body is not supported' },
  'unsupported-content-encoding': { status: 415, title: 'The body is compressed' },
  'range-refused': { status: 416, title: 'The file has no such bytes' },
  'too-many-requests': { status: 429, title: 'Too many requests at once' },
  'quota-exceeded': { status: 429, title: "The key's quota is used up" },
  'headers-too-large': { status: 431, title: 'The request line and headers are too large' },
  'internal-error': { status: 500, title: 'The service failed' },
  'store-unavailable': { status: 503, title: 'The data cannot be read just now' },
  'secret-unavailable': { status: 503, title: 'Signatures cannot be checked just now' },
  'service-unavailable': { status: 503, title: 'The service did not answer' },
} as const satisfies Record<string, { status: number; title: string }>;

export const FAULTS = {
  'unknown-parameter': 'Unknown parameter',
  'missing-parameter': 'Missing parameter',
  'not-a-number': 'Not a number',
  'not-an-integer': 'Not a whole number',
  'not-a-date': 'Not a date',
  'not-a-datetime': 'Not a time',
  'not-a-place': 'Not a place',
  'not-a-distance': 'Not a distance',
  'not-text': 'Not text',
  'not-a-choice': 'Not one of the choices',
  'not-one-value': 'More than one value',
  'out-of-range': 'Out of range',
  'not-an-object': 'Not an object',
  'min-above-max': 'The minimum is above the maximum',
  'no-row-can-match': 'Filters that exclude each other',
  'text-too-long': 'Text too long',
  'list-too-long': 'List too long',
  'no-digits': 'No digits to compare',
  'no-words': 'No words to look for',
  'too-many-groups': 'Too many groups',
  'same-name': 'Two columns of one name',
  'option-of-another-format': 'Option of another format',
  'option-of-another-question': 'Option of another question',
  'no-figure': 'No figure',
  'not-a-pointer': 'Not a JSON Pointer',
  'nothing-at-pointer': 'Nothing at the JSON Pointer',
  'invalid-cursor': 'Damaged cursor',
  'cursor-of-another-query': "Another query's cursor",
} as const satisfies Record<string, string>;

export type ProblemCode = keyof typeof PROBLEMS;
export type ProblemTitle = (typeof PROBLEMS)[ProblemCode]['title'];
export type FaultCode = keyof typeof FAULTS;

/** One thing that is wrong. `pointer` is a JSON Pointer fragment into the body of a POST. */
export type Fault = {
  readonly code: FaultCode | ProblemCode;
  readonly detail: string;
  readonly parameter?: string;
  readonly pointer?: string;
  readonly allowed?: readonly string[];
  readonly suggestion?: string;
};

export type Warning = {
  readonly title: string;
  readonly message: string;
  readonly parameter?: string;
};

/** The title of the warning that an answer does not have all rows. */
export const ANSWER_CUT = 'The answer is cut';

/** The title of the warning that groups count rows which are totals beside the rows that add up to these. */
export const COUNTED_TWICE = 'Counted twice';

/** Faults, and warnings about names, that an answer lists. It counts the rest. */
export const MOST_FAULTS = 50;

/** What each Problem has: a function's pages are a bundle of their own, with its own class of this name. */
const MARK = Symbol.for('blockyard.problem');

/** A refusal. It is thrown, and answered in one place. Its `cause` is only logged. */
export class Problem extends Error {
  /** Also of a Problem that another bundle of the same function made. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && MARK in value;
  }

  readonly [MARK] = true;
  readonly code: ProblemCode;
  readonly detail: string;
  /** The first `MOST_FAULTS`, and how many there are more. */
  readonly faults: readonly Fault[];
  readonly unlisted: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      faults?: readonly Fault[];
      /** What the only fault has beside the code and the detail. */
      fault?: Omit<Fault, 'code' | 'detail'>;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(escapeObeyed(detail), { cause: more.cause });
    this.code = code;
    this.detail = this.message;
    const faults = more.faults ?? [{ code, detail, ...more.fault }];
    // A caller's name may have a line end: each channel writes a detail as one line.
    this.faults = faults
      .slice(0, MOST_FAULTS)
      .map((fault) => ({ ...fault, detail: escapeObeyed(fault.detail) }));
    this.unlisted = faults.length - this.faults.length;
    this.headers = more.headers ?? {};
  }
}

/** Whether an error refuses work that is more than a request may take. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof Problem && error.code === 'too-much-work';
}

/** Whether an error refuses what was asked for. */
export function isInvalid(error: unknown): boolean {
  return error instanceof Problem && error.code === 'invalid-arguments';
}

/**
 * Turns a failure of the store into a 503 that tells callers to try again. DynamoDB's
 * ValidationException is our own mistake, so it is returned unchanged.
 */
export function storeUnavailable(cause: unknown): unknown {
  if (cause instanceof Problem) return cause;
  if (cause instanceof Error && cause.name === 'ValidationException') return cause;
  return new Problem('store-unavailable', 'The data cannot be read just now. Try again soon.', {
    headers: { 'Retry-After': '1' },
    cause,
  });
}

/** Makes the problem that reports all faults of a request's arguments. */
export function invalidArguments(faults: readonly Fault[]): Problem {
  const [first] = faults;
  const more = faults.length - 1;
  const detail =
    more > 0
      ? `${first?.detail} (and ${numberText(more)} more${more < MOST_FAULTS ? ': see errors' : `; errors has ${numberText(MOST_FAULTS - 1)} of them`})`
      : (first?.detail ?? 'Not valid.');
  return new Problem('invalid-arguments', detail, { faults });
}

/** The detail of a fault where its list of allowed names is not shown. */
export function withoutReference(detail: string): string {
  return detail.replace(REFERENCE, '');
}

/** The sentence that refers to that list. */
const REFERENCE = / (?:The|Its) parameters are listed in allowed\.$/;

/**
 * The cause of a problem, for the operator. The problem's own text is public and reveals nothing.
 */
export function causeOf(error: unknown): Error {
  const cause = error instanceof Problem ? error.cause : error;
  return cause instanceof Error ? cause : new Error(String(cause ?? error));
}
