import { FetchError, SAVE_IT } from './fetch-error.ts';

const FAULTS: Readonly<Record<number, string>> = {
  202: 'the server is still making the file; try again in a few minutes',
  401: `the server wants a login; ${SAVE_IT}`,
  403: `the server does not give this file to programs, or wants a login; ${SAVE_IT}`,
  404: 'no file has this address; check it',
  407: `a proxy wants a login; ${SAVE_IT}`,
  410: "the file is gone; look for its new address on the publisher's site",
  429: 'too many requests; try again later',
};

/** The error of an answer that is neither the file nor a redirect. */
export function answerFault(status: number, place: string): FetchError {
  const reason = FAULTS[status] ?? (status >= 500 ? 'a fault of the server; try again later' : '');
  const told = reason === '' ? `not a file; ${SAVE_IT}` : reason;
  return new FetchError('refused', place, `status ${status}: ${told}`);
}
