/** What is wrong, for programs. */
export type FetchErrorCode =
  | 'bad-address'
  | 'not-public'
  | 'no-such-host'
  | 'no-connection'
  | 'bad-certificate'
  | 'too-slow'
  | 'too-large'
  | 'too-many-redirects'
  | 'refused'
  | 'bad-answer'
  | 'broken-off';

/** One line that says what is wrong with a fetch, where, and the likely fix. */
export class FetchError extends Error {
  readonly code: FetchErrorCode;

  constructor(code: FetchErrorCode, place: string, reason: string, cause?: unknown) {
    super(`${place}: ${reason}`, cause === undefined ? {} : { cause });
    this.code = code;
  }
}

/** What helps where a browser may get more than we do: cookies, a login, a proxy. */
export const SAVE_IT = 'save the file with a browser and give that file';

const MOST_SHOWN = 200;

/** An address as errors show it: without user and query, which may hold secrets. */
export function shownAddress({ protocol, host, pathname }: URL): string {
  const address = `${protocol}//${host}${pathname}`;
  return address.length > MOST_SHOWN ? `${address.slice(0, MOST_SHOWN)}…` : address;
}
