import { gunzipSync } from 'node:zlib';
import { type Answer, type Ask, type Asked, jsonOf } from './ask.ts';

/** What only AWS can tell, as questions: each settled by an answer, and read-only. */

/** A service that is asked, and what is known of it. */
export type Service = {
  readonly ask: Ask;
  readonly isAtAws: boolean;
  readonly hasKeys: boolean;
  /** A block with rows: its path, its rows, and about how long all of them are as NDJSON. */
  readonly data: { readonly path: string; readonly rows: number; readonly ndjsonBytes: number };
  /** A block without rows, which answers in one piece, and arguments of it. */
  readonly value: { readonly path: string; readonly example: object } | undefined;
};

export type Question = {
  readonly what: string;
  /** What is expected, in words; what AWS's documents say, where they say it. */
  readonly expected: string;
  /** Sends its requests, and reports what came. */
  readonly settle: (service: Service) => Promise<Came>;
};

export type Came = {
  /** Whether it is as expected; undefined if it could not be tried here. */
  readonly isExpected: boolean | undefined;
  readonly came: string;
  /** The line for the documents. */
  readonly line: string;
};

/** Lambda streams so much, and the first part of it at full speed ("Response streaming for Lambda functions"). */
export const STREAMED_BYTES = 200e6;
const FAST_BYTES = 6e6;

const ORIGIN = 'https://elsewhere.example';
const PAGE = { Accept: 'text/html' };
const JSON_BODY = { 'Content-Type': 'application/json', Accept: 'application/json' };

const codeOf = (answer: Answer): string => jsonOf(answer)?.code ?? 'no problem of ours';
const hasRunId = ({ headers }: Answer) => headers['x-run-id'] !== undefined;
const number = (value: number) => Math.round(value).toLocaleString('en-US');

/** An answer in a line. */
function told(answer: Answer, ...more: readonly string[]): string {
  const { status, bytes, isWhole, failure, begins } = answer;
  if (status === 0) return `no answer (${failure})`;
  const code = status >= 400 ? [codeOf(answer)] : [];
  const end = isWhole ? [] : [`ended by ${failure ?? 'a cut'}`];
  return [status, ...code, `${number(bytes)} bytes`, `first byte after ${begins.toFixed(2)} s`]
    .concat(end, more)
    .join(', ');
}

/** A question of one request, whose answer is in one of these cases; the first that fits counts. */
function oneOf(
  what: string,
  expected: string,
  asked: (service: Service) => Asked,
  cases: readonly (readonly [
    is: (answer: Answer, service: Service) => boolean,
    isExpected: boolean | ((service: Service) => boolean),
    line: string,
  ])[],
): Question {
  return {
    what,
    expected,
    settle: async (service) => {
      const answer = await service.ask(asked(service));
      const found = cases.find(([is]) => is(answer, service));
      const isExpected = found?.[1] ?? false;
      return {
        isExpected: typeof isExpected === 'function' ? isExpected(service) : isExpected,
        came: told(answer),
        line: found?.[2] ?? `docs/deploying.md: not as expected: ${told(answer)}.`,
      };
    },
  };
}

const refusedAs =
  (status: number, ...codes: readonly string[]) =>
  (answer: Answer) =>
    answer.status === status && codes.includes(codeOf(answer)) && hasRunId(answer);

const untried = (why: string): Came => ({ isExpected: undefined, came: why, line: '–' });

const fileOf = ({ path }: Service['data']) => `${path}/files/current.parquet`;
const NO_FILES = 'this service has no such files';

export const QUESTIONS: readonly Question[] = [
  oneOf(
    'the list of blocks',
    '200, with a run id',
    () => ({ path: '/api_v2/blocks', headers: { Accept: 'application/json' } }),
    [
      [
        (answer) => answer.status === 200 && hasRunId(answer),
        true,
        'docs/deploying.md: the deployed catalogue answers.',
      ],
    ],
  ),
  oneOf(
    'a page that is compressed in a stream (Accept-Encoding: gzip)',
    'a page, once it is unpacked',
    ({ data }) => ({ path: data.path, headers: { ...PAGE, 'Accept-Encoding': 'gzip' } }),
    [
      [
        ({ headers, body }) => headers['content-encoding'] === 'gzip' && isPage(gunzipped(body)),
        true,
        'docs/deploying.md: a compressed page passes through the stream as it is.',
      ],
      [
        ({ headers, body }) => headers['content-encoding'] === undefined && isPage(body),
        true,
        'docs/deploying.md: pages reach the reader uncompressed.',
      ],
      [
        ({ headers, body }) => headers['content-encoding'] === undefined && isPage(gunzipped(body)),
        false,
        'docs/deploying.md: Content-Encoding is lost on the way: pages must be sent plain.',
      ],
    ],
  ),
  oneOf(
    'a page that is not compressed (Accept-Encoding: identity)',
    'a page',
    ({ data }) => ({ path: data.path, headers: { ...PAGE, 'Accept-Encoding': 'identity' } }),
    [[({ body }) => isPage(body), true, 'docs/deploying.md: a plain page passes as it is.']],
  ),
  oneOf(
    'HEAD of a page',
    '200 without a body; AWS: a Content-Length, if there is one, is not 0',
    ({ data }) => ({ path: data.path, method: 'HEAD', headers: PAGE }),
    [
      [
        ({ status, headers }) => status === 200 && headers['content-length'] === '0',
        ({ isAtAws }) => !isAtAws,
        'docs/semantics.md: deployed, HEAD of a page says that it has no byte.',
      ],
      [
        ({ status, bytes, headers }) =>
          status === 200 && bytes === 0 && headers['content-length'] === undefined,
        true,
        'docs/semantics.md: deployed, HEAD of a page has no Content-Length.',
      ],
      [
        ({ status, bytes }) => status === 200 && bytes === 0,
        true,
        'docs/semantics.md: deployed, HEAD of a page has a Content-Length.',
      ],
    ],
  ),
  {
    what: 'the same page again, by its ETag',
    expected: '304 without a body',
    settle: async ({ ask, data }) => {
      const first = await ask({ path: data.path, headers: PAGE });
      const etag = { 'If-None-Match': first.headers.etag ?? '' };
      const answer = await ask({ path: data.path, headers: { ...PAGE, ...etag } });
      return {
        isExpected: answer.status === 304 && answer.bytes === 0,
        came: told(answer),
        line: `docs/semantics.md: deployed, a version that the client has is answered with ${answer.status}.`,
      };
    },
  },
  {
    what: 'HEAD of a file that programs open in place',
    expected: '200 with the length of the file, Accept-Ranges and a strong ETag',
    settle: async ({ ask, data }) => {
      const answer = await ask({ path: fileOf(data), method: 'HEAD' });
      if (answer.status === 404) return untried(NO_FILES);
      const { 'content-length': length, 'accept-ranges': ranges, etag } = answer.headers;
      const isExpected = answer.status === 200 && Number(length) > 0 && ranges === 'bytes';
      return {
        isExpected: isExpected && /^"/.test(etag ?? ''),
        came: told(answer, `Content-Length ${length}`),
        line: `docs/deploying.md: HEAD of a file has the Content-Length ${length === undefined || length === '0' ? 'of none' : 'of the file'}.`,
      };
    },
  },
  {
    what: 'a part of that file, where it is read by its bytes',
    expected: '206 with these bytes, and the ETag of HEAD',
    settle: async ({ ask, data }) => {
      const head = await ask({ path: fileOf(data), method: 'HEAD' });
      if (head.status === 404) return untried(NO_FILES);
      const answer = await ask({ path: fileOf(data), headers: { Range: 'bytes=0-3' } });
      const { status, bytes, body, headers } = answer;
      const isParquet = bytes === 4 && body.toString('latin1') === 'PAR1';
      return {
        isExpected: status === 206 && isParquet && headers.etag === head.headers.etag,
        came: told(answer, `ETag ${headers.etag}`),
        line: `docs/deploying.md: a part of a file reaches the reader ${isParquet ? 'as it is' : 'changed'}.`,
      };
    },
  },
  {
    what: 'that part, by a program that sends no Accept',
    expected: 'the same',
    settle: async ({ ask, data, isAtAws }) => {
      const part = { path: fileOf(data), headers: { Range: 'bytes=0-3' } };
      const answer = await ask({ ...part, hasNoAccept: true });
      if (answer.status === 404) return untried(NO_FILES);
      const isParquet = answer.bytes === 4 && answer.body.toString('latin1') === 'PAR1';
      return {
        // An emulator leaves them in base64, which has more bytes than their Content-Length says.
        isExpected: answer.status === 206 && (isParquet || (!isAtAws && !answer.isWhole)),
        came: told(answer),
        line: `docs/deploying.md: bytes reach a program that sends no Accept ${isParquet ? 'as they are' : 'changed'}.`,
      };
    },
  },
  {
    what: 'all rows as NDJSON',
    expected: 'all of them: the last line is complete',
    settle: async ({ ask, data }) => {
      if (data.ndjsonBytes > STREAMED_BYTES) return untried('the next question asks for it');
      const answer = await ask({ path: `${data.path}?_format=ndjson` });
      const isAll = answer.isWhole && answer.status === 200 && answer.end.at(-1) === 10;
      const speed = speedOf(answer);
      return {
        isExpected: isAll,
        came: told(answer, speed),
        line:
          answer.bytes < FAST_BYTES
            ? `docs/deploying.md: a download of ${number(answer.bytes)} bytes is whole; one over 6 MB was not tried.`
            : `docs/deploying.md: a download of ${number(answer.bytes)} bytes is ${isAll ? 'whole' : 'cut'}, ${speed}.`,
      };
    },
  },
  {
    what: 'more than 200 MB as NDJSON',
    expected: 'AWS: refused before its first byte, with ways on; elsewhere: all of them',
    settle: async ({ ask, data, isAtAws }) => {
      if (data.ndjsonBytes <= STREAMED_BYTES) {
        const most = number(data.ndjsonBytes);
        return untried(`the largest block has about ${most} bytes; deploy one of 250 MB to try it`);
      }
      const answer = await ask({ path: `${data.path}?_format=ndjson` });
      const isRefused = answer.status >= 400 && answer.status < 500 && hasRunId(answer);
      const isCut = !answer.isWhole && answer.failure !== 'we hung up';
      return {
        isExpected: isAtAws ? isRefused : !isRefused && !isCut,
        came: told(answer, speedOf(answer)),
        line: isRefused
          ? `docs/deploying.md: a download over 200 MB is refused (${codeOf(answer)}).`
          : `docs/deploying.md: a download over 200 MB ends after ${number(answer.bytes)} bytes${isCut ? ', as a broken transfer' : ''}.`,
      };
    },
  },
  {
    what: 'Parquet, as bytes',
    expected: 'PAR1 at both ends',
    settle: async ({ ask, data }) => {
      const answer = await ask({ path: `${data.path}?_format=parquet` });
      const ends = [answer.body.subarray(0, 4), answer.end].map((bytes) => bytes.toString());
      const isExpected = answer.isWhole && ends.every((text) => text === 'PAR1');
      return {
        isExpected,
        came: told(answer, `begins ${JSON.stringify(ends[0])}, ends ${JSON.stringify(ends[1])}`),
        line: `docs/deploying.md: bytes that are no text pass the stream ${isExpected ? 'unchanged' : 'changed'}.`,
      };
    },
  },
  {
    what: 'a reader who hangs up after the first bytes of a download',
    expected: 'the next request is answered',
    settle: async ({ ask, data }) => {
      const cut = await ask({ path: `${data.path}?_format=ndjson`, hangUpAfter: 1 });
      const next = await ask({ path: data.path, headers: { Accept: 'application/json' } });
      const runId = cut.headers['x-run-id'];
      return {
        isExpected: next.status === 200,
        came: `${told(cut)}; then ${told(next)}`,
        line: `docs/deploying.md: how long the function ran on is in the log of its block: filter @message like "${runId}" or requestId = "${runId}".`,
      };
    },
  },
  oneOf(
    'a raw ; in a query',
    'AWS: it separates parameters; elsewhere: so, or it is part of the value',
    ({ data }) => ({ path: `${data.path}?_limit=1;no_such_name=1` }),
    [
      [
        (answer) => faultsOf(answer).includes('no_such_name'),
        true,
        'docs/semantics.md: deployed, a raw ; separates parameters: write %3B.',
      ],
      [
        (answer) => faultsOf(answer).includes('_limit'),
        ({ isAtAws }) => !isAtAws,
        'docs/semantics.md: a raw ; is part of the value.',
      ],
      [
        (answer) => answer.status === 400,
        true,
        'docs/semantics.md: deployed, a raw ; is refused: write %3B.',
      ],
    ],
  ),
  ...(['|', '{'] as const).map((raw) =>
    oneOf(
      `a raw ${raw} in a query`,
      'AWS: refused with 400; elsewhere: so, or it is part of the value',
      ({ data }) => ({ path: `${data.path}?_q=a${raw}b` }),
      [
        [
          (answer) => answer.status === 200,
          ({ isAtAws }) => !isAtAws,
          `docs/semantics.md: a raw ${raw} is part of the value.`,
        ],
        [
          refusedAs(400, 'bad-request'),
          true,
          `docs/semantics.md: deployed, a raw ${raw} is refused by API Gateway: encode it.`,
        ],
        [
          (answer) => answer.status === 400,
          true,
          `docs/semantics.md: deployed, a raw ${raw} is refused before the API is known, in another form than ours: encode it.`,
        ],
      ],
    ),
  ),
  {
    what: 'the same characters encoded, and + for a blank',
    expected: 'values like any others: the same answer for + and %20',
    settle: async ({ ask, data }) => {
      const encoded = await ask({ path: `${data.path}?_q=${encodeURIComponent('a|{};')}` });
      const [plus, blank] = await Promise.all(
        ['a+b', 'a%20b'].map((text) => ask({ path: `${data.path}?_q=${text}` })),
      );
      const isSame = plus?.headers.etag !== undefined && plus.headers.etag === blank?.headers.etag;
      return {
        isExpected: encoded.status === 200 && isSame,
        came: `${told(encoded)}; + and %20 are ${isSame ? 'the same' : 'different'}`,
        line: `docs/semantics.md: encoded characters reach the function; + is ${isSame ? '' : 'not '}a blank.`,
      };
    },
  },
  oneOf(
    'an encoded / in an address (%2F)',
    '404, as a problem of ours',
    () => ({ path: '/api_v2/blocks/x%2Fy' }),
    [
      [
        refusedAs(404, 'unknown-block', 'not-found'),
        true,
        'docs/semantics.md: deployed, %2F stays one segment of an address.',
      ],
    ],
  ),
  oneOf(
    'a / at the end of an address',
    '200, as without it',
    ({ data }) => ({ path: `${data.path}/`, headers: { Accept: 'application/json' } }),
    [
      [
        (answer) => answer.status === 200,
        true,
        'docs/semantics.md: deployed, a / at the end of an address makes no difference.',
      ],
    ],
  ),
  oneOf(
    'an address that nothing is at',
    '404, as a problem of ours',
    () => ({ path: '/nothing-is-here' }),
    [
      [
        refusedAs(404, 'not-found'),
        true,
        "docs/errors.md: deployed, API Gateway's own 404 is a problem of ours.",
      ],
    ],
  ),
  oneOf(
    'a method that no address has (DELETE)',
    '405, as a problem of ours',
    ({ data }) => ({ path: data.path, method: 'DELETE' }),
    [
      [
        refusedAs(405, 'method-not-allowed'),
        true,
        'docs/errors.md: deployed, the function refuses other methods.',
      ],
    ],
  ),
  oneOf(
    'an address of 12,000 characters',
    'refused with a 4xx',
    ({ data }) => ({ path: `${data.path}?_q=${'a'.repeat(12_000)}` }),
    [
      [
        ({ status }) => status >= 400 && status < 500,
        true,
        'docs/deploying.md: an address over 10,240 characters is refused.',
      ],
    ],
  ),
  ...[5, 11].map((megabytes) =>
    oneOf(
      `a body of ${megabytes} MB`,
      '413, as a problem of ours',
      ({ data }) => ({
        ...{ path: data.path, method: 'POST', headers: JSON_BODY },
        body: JSON.stringify({ _q: 'a'.repeat(megabytes * 1e6) }),
      }),
      [
        [
          refusedAs(413, 'body-too-large'),
          true,
          `docs/deploying.md: a body of ${megabytes} MB gets the 413 of the table.`,
        ],
        [
          ({ status, failure }) =>
            status === 413 || failure === 'EPIPE' || failure === 'ECONNRESET',
          ({ isAtAws }) => isAtAws,
          `docs/deploying.md: a body of ${megabytes} MB gets a 413 that is not ours, or a cut connection.`,
        ],
      ],
    ),
  ),
  {
    what: 'a POST to a block that answers in one piece',
    expected: '200, with a run id',
    settle: async ({ ask, value }) => {
      if (value === undefined) return untried('there is no block without rows');
      const { path, example } = value;
      const body = JSON.stringify(example);
      const answer = await ask({ path, method: 'POST', headers: JSON_BODY, body });
      return {
        isExpected: answer.status === 200 && hasRunId(answer),
        came: told(answer),
        line: 'docs/deploying.md: a body reaches a function that answers in one piece, and its answer comes back.',
      };
    },
  },
  oneOf(
    'a request without a key, by a page of another origin',
    'with keys: 401, and the page may read why; open: 200',
    ({ data }) => ({
      ...{ path: data.path, isKeyless: true },
      headers: { Accept: 'application/json', Origin: ORIGIN },
    }),
    [
      [
        (answer, { hasKeys }) =>
          hasKeys && refusedAs(401, 'key-missing')(answer) && mayBeRead(answer),
        true,
        'docs/deploying.md: a request without a key gets key-missing, and its page may read it.',
      ],
      [
        (answer, { hasKeys }) => !hasKeys && answer.status === 200,
        true,
        'docs/deploying.md: an open service asks for no key.',
      ],
    ],
  ),
  oneOf(
    'a request with a wrong key',
    'with keys: 403, as a problem of ours; open: 200',
    ({ data }) => ({
      ...{ path: data.path, isKeyless: true },
      headers: { Accept: 'application/json', 'x-api-key': 'no-key-of-anyone-0123456789' },
    }),
    [
      [
        (answer, { hasKeys }) => hasKeys && refusedAs(403, 'key-refused')(answer),
        true,
        'docs/deploying.md: a wrong key gets key-refused.',
      ],
      [
        (answer, { hasKeys }) => !hasKeys && answer.status === 200,
        true,
        'docs/deploying.md: an open service reads no key.',
      ],
    ],
  ),
  ...[true, false].map((isKeyless) =>
    oneOf(
      `a browser's OPTIONS ${isKeyless ? 'without' : 'with'} a key`,
      '204 or 200, with the methods that are allowed',
      ({ data }) => ({
        ...{ path: data.path, method: 'OPTIONS', isKeyless },
        headers: {
          Origin: ORIGIN,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'x-api-key',
        },
      }),
      [
        [
          ({ status, headers }) =>
            [200, 204].includes(status) &&
            (headers['access-control-allow-methods'] ?? '').includes('POST'),
          true,
          `docs/deploying.md: OPTIONS ${isKeyless ? 'without' : 'with'} a key is answered.`,
        ],
      ],
    ),
  ),
  {
    what: 'a run id that the caller chooses (x-amzn-RequestId)',
    expected: "an answer with a run id; AWS may take the caller's",
    settle: async ({ ask, data }) => {
      const chosen = crypto.randomUUID();
      const headers = { Accept: 'application/json', 'x-amzn-RequestId': chosen };
      const answer = await ask({ path: data.path, headers });
      const isTaken = answer.headers['x-run-id'] === chosen;
      return {
        isExpected: answer.status === 200 && hasRunId(answer),
        came: told(answer, `X-Run-Id is ${isTaken ? "the caller's" : 'another'}`),
        line: `docs/deploying.md: a caller ${isTaken ? 'can' : 'cannot'} choose the run id by x-amzn-RequestId.`,
      };
    },
  },
  {
    what: '150 requests at once',
    expected:
      '200; or 429, or 503 where Lambda has no call left, with Retry-After, readable by any page',
    settle: async ({ ask, data }) => {
      const asked = { path: `${data.path}?_limit=1`, headers: { Origin: ORIGIN } };
      const answers = await Promise.all(Array.from({ length: 150 }, () => ask(asked)));
      const isAnswered = ({ status }: Answer) => status === 200;
      const refused = answers.filter((answer) => !isAnswered(answer));
      const isWell = (answer: Answer) =>
        (refusedAs(429, 'too-many-requests')(answer) ||
          refusedAs(503, 'service-unavailable', 'store-unavailable')(answer)) &&
        answer.headers['retry-after'] !== undefined &&
        mayBeRead(answer);
      const kinds = [...new Set(refused.map((answer) => `${answer.status} ${codeOf(answer)}`))];
      return {
        isExpected: refused.every(isWell),
        came: `${150 - refused.length} answered, ${refused.length} refused${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`,
        line: `docs/deploying.md: of 150 requests at once, ${refused.length} were refused.`,
      };
    },
  },
];

const isPage = (body: Buffer | undefined) => /^<!doctype html/i.test(body?.toString() ?? '');

function gunzipped(body: Buffer): Buffer | undefined {
  try {
    return gunzipSync(body);
  } catch {
    return undefined;
  }
}

const mayBeRead = ({ headers }: Answer) =>
  ['*', ORIGIN].includes(headers['access-control-allow-origin'] ?? '');

/** The parameters that a refusal names. */
function faultsOf(answer: Answer): string[] {
  const errors: { parameter?: string }[] = jsonOf(answer)?.errors ?? [];
  return errors.flatMap(({ parameter }) => parameter ?? []);
}

function speedOf({ bytes, begins, ends }: Answer): string {
  return `${(bytes / 1e6 / Math.max(ends - begins, 0.001)).toFixed(1)} MB/s`;
}
