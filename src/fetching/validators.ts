import type { IncomingHttpHeaders } from 'node:http';

/** What an answer says of its version, to be given back at the next fetch (RFC 9110, 8.8). */
export type Validators = {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
};

const SENDABLE = /^[\x21-\x7e][\x20-\x7e]{0,1023}$/;

/** An answer's validators. */
export function validatorsOf(headers: IncomingHttpHeaders): Validators {
  return sendable({ etag: headers.etag, lastModified: headers['last-modified'] });
}

/** The same without those that no header can hold: they may come from an edited file. */
export function sendable({ etag, lastModified }: Validators): Validators {
  const only = (text: string | undefined) => (SENDABLE.test(text ?? '') ? text : undefined);
  return { etag: only(etag), lastModified: only(lastModified) };
}
