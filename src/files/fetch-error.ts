/** What is wrong, for programs. */
type FetchErrorCode =
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

type Failure = readonly [FetchErrorCode, reason: string];

const LOOK_UP = 'check the name, and that this machine is online';
const TELL = 'tell who runs the server';
const UNKNOWN_ISSUER: Failure = [
  'bad-certificate',
  "no authority known here has signed the server's certificate, or the server leaves out one " +
    "between; one's own authority goes into NODE_EXTRA_CA_CERTS",
];

/** By the codes of node:dns, node:net, node:tls (OpenSSL's X509_V_ERR_…), node:http, node:zlib. */
const FAILURES: Readonly<Record<string, Failure>> = {
  ENOTFOUND: ['no-such-host', `there is no host of this name; ${LOOK_UP}`],
  EAI_AGAIN: ['no-such-host', `the host's name cannot be looked up now; ${LOOK_UP}`],
  ECONNREFUSED: ['no-connection', 'the host takes no connection; try again later'],
  ETIMEDOUT: ['no-connection', 'the host does not answer; try again later'],
  ECONNRESET: ['broken-off', 'the connection broke off; try again'],
  Z_BUF_ERROR: ['broken-off', 'the gzip data end too early; try again'],
  CERT_HAS_EXPIRED: ['bad-certificate', `the server's certificate has expired; ${TELL}`],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'bad-certificate',
    `the server's certificate is for another name; check the name, or ${TELL}`,
  ],
  CERT_NOT_YET_VALID: [
    'bad-certificate',
    "the server's certificate is not valid yet; check this machine's clock",
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  HPE_HEADER_OVERFLOW: ['bad-answer', `the answer's headers are too long; ${SAVE_IT}`],
};

/** A failure of Node's network code as a FetchError; any other error stays as it is. */
export function networkFailure(error: unknown, place: string): unknown {
  if (error instanceof FetchError) return error;
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code !== 'string') return error;
  const [kind, reason] = FAILURES[code] ?? failureLike(code);
  return new FetchError(kind, place, reason, error);
}

function failureLike(code: string): Failure {
  if (/^HPE_/.test(code)) return ['bad-answer', `what answers does not speak HTTP (${code})`];
  if (/^Z_/.test(code)) return ['bad-answer', `the answer is not gzip, as it says (${code})`];
  if (/^(?:CERT_|CRL_|HOSTNAME_|INVALID_CA$|UNABLE_TO_)/.test(code)) {
    return ['bad-certificate', `the server's certificate is not valid (${code}); ${TELL}`];
  }
  if (/^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/.test(code)) {
    return ['bad-answer', `no encrypted connection can be made (${code}); ${SAVE_IT}`];
  }
  return ['no-connection', `the connection failed (${code}); try again later`];
}
