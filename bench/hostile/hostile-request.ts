import { oneOf, type Random, wholeNumber } from '../data/seeded-random.ts';
import { hostileBlock } from './hostile-set.ts';
import { WORST_QUESTIONS } from './worst-questions.ts';

/** A valid request, or one that is nearly so, as somebody who means harm would write it. */
export type HostileRequest = {
  readonly kind: 'json' | 'form' | 'multipart' | 'query' | 'picked';
  readonly arguments: Readonly<Record<string, unknown>>;
  /** A body that is not made of the arguments. */
  readonly body?: string;
};

const { fields } = hostileBlock;
const TEXTS = fields
  .filter(({ type }) => type === 'text' || type === 'phone')
  .map(({ name }) => name);
const RANGES = fields
  .filter(({ type }) => type === 'number' || type === 'integer')
  .map(({ name }) => name);
const NAMES = fields.map(({ name }) => name);

export function randomRequest(random: Random): HostileRequest {
  const kind = oneOf(random, [
    'json',
    'json',
    'json',
    'form',
    'multipart',
    'query',
    'picked',
  ] as const);
  const genes = Object.keys(GENES) as Gene[];
  const count = wholeNumber(random, 1, 6);
  let request: HostileRequest = { kind, arguments: {} };
  for (let i = 0; i < count; i++) request = GENES[oneOf(random, genes)](request, random);
  return request;
}

/** The same with one thing more or another way of asking. */
export function mutated(request: HostileRequest, random: Random): HostileRequest {
  const genes = Object.keys(GENES) as Gene[];
  if (random() < 0.2) {
    const names = Object.keys(request.arguments);
    const { [oneOf(random, names)]: _, ...rest } = request.arguments;
    return { ...request, arguments: rest };
  }
  return GENES[oneOf(random, genes)](request, random);
}

type Gene = keyof typeof GENES;
type Change = (request: HostileRequest, random: Random) => HostileRequest;

const withArguments =
  (make: (random: Random) => Readonly<Record<string, unknown>>): Change =>
  (request, random) => ({ ...request, arguments: { ...request.arguments, ...make(random) } });

const listOf = (random: Random, make: () => string, most = 100) =>
  Array.from({ length: wholeNumber(random, 1, most) }, make);

const GENES = {
  missingTexts: withArguments((random) => ({
    [oneOf(random, TEXTS)]: listOf(random, () => letters(random, 18)),
  })),
  typo: withArguments((random) => ({
    [oneOf(random, TEXTS)]: `${letters(random, 5)} ${letters(random, 6)}`,
  })),
  wildcards: withArguments((random) => ({
    [oneOf(random, TEXTS)]: listOf(
      random,
      () =>
        `*${Array.from({ length: wholeNumber(random, 1, 12) }, () => letters(random, 1)).join('*')}*`,
      oneOf(random, [1, 5, 30, 100]),
    ),
  })),
  starryText: withArguments((random) => ({ [oneOf(random, TEXTS)]: '*a'.repeat(128) })),
  phoneWildcards: withArguments((random) => ({
    phone: listOf(random, () => `*${wholeNumber(random, 0, 99)}*`, oneOf(random, [1, 30, 100])),
  })),
  dearTexts: withArguments((random) => ({
    [oneOf(random, TEXTS)]: listOf(random, () =>
      oneOf(random, ['ﷺ', 'ﷺ*', 'ß', '\u0390']).repeat(128),
    ),
  })),
  allRanges: withArguments((random) =>
    Object.fromEntries(
      RANGES.flatMap((name) => [
        [`${name}_min`, -1e9],
        [`${name}_max`, 1e9 * random()],
      ]),
    ),
  ),
  emptyRange: withArguments((random) => ({ [`${oneOf(random, RANGES)}_min`]: 1e15 })),
  allTexts: withArguments((random) =>
    Object.fromEntries(TEXTS.map((name) => [name, `*${letters(random, 1)}*`])),
  ),
  sort: withArguments((random) => ({ _sort: oneOf(random, ['', '-']) + oneOf(random, NAMES) })),
  fields: withArguments((random) => ({
    _fields: listOf(random, () => oneOf(random, NAMES), oneOf(random, [1, 40, 100])),
  })),
  limit: withArguments((random) => ({ _limit: oneOf(random, [1, 50, 1000]) })),
  format: withArguments((random) => ({
    _format: oneOf(random, ['csv', 'ndjson', 'geojson', 'html', 'json']),
  })),
  unknownNames: withArguments((random) =>
    Object.fromEntries(
      Array.from({ length: oneOf(random, [5, 60, 3000]) }, () => [
        letters(random, wholeNumber(random, 3, 12)),
        1,
      ]),
    ),
  ),
  lenient: withArguments(() => ({ _handling: 'lenient' })),
  nearNames: withArguments((random) =>
    Object.fromEntries(Array.from({ length: 300 }, () => [`n${letters(random, 2)}_min`, 1])),
  ),
  badValues: withArguments((random) =>
    Object.fromEntries(TEXTS.map((name) => [name, listOf(random, () => 'x'.repeat(300))])),
  ),
  mixedList: withArguments((random) => ({
    [oneOf(random, TEXTS)]: Array.from({ length: 100 }, (_, i) =>
      i % 2 === 0 ? { a: 1 } : 'ﷺ'.repeat(200),
    ),
  })),
  badDigits: withArguments(() => ({
    phone: Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 'ﷺ'.repeat(256) : '1'.repeat(256))),
  })),
  longText: withArguments((random) => ({ [oneOf(random, TEXTS)]: 'ﷺ'.repeat(80_000) })),
  question: withArguments((random) => oneOf(random, WORST_QUESTIONS).arguments),
  deepBody: ((request) => ({
    ...request,
    body: `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  })) as Change,
  wideBody: ((request, random) => ({
    ...request,
    body: JSON.stringify(
      Object.fromEntries(Array.from({ length: 20_000 }, () => [letters(random, 7), 1])),
    ),
  })) as Change,
  kind: ((request, random) => ({
    ...request,
    kind: oneOf(random, ['json', 'form', 'multipart', 'query', 'picked'] as const),
  })) as Change,
} satisfies Record<string, Change>;

function letters(random: Random, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(97 + wholeNumber(random, 0, 25))).join(
    '',
  );
}

const MOST_BODY_BYTES = 262_144;

/** As it goes over the wire; within what a request may be, where that can be. */
export function wireOf({ kind, arguments: given, body }: HostileRequest): {
  query: string;
  init: RequestInit;
} {
  if (kind === 'query') {
    const query = new URLSearchParams(pairsOf(given)).toString().slice(0, 9000);
    return { query: `?${query}`, init: {} };
  }
  const json = body ?? JSON.stringify(given);
  const headers = { 'content-type': 'application/json' };
  if (kind === 'picked') {
    const pointers = Array.from({ length: 500 }, (_, i) => `_map.name=/x${i}`).join('&');
    return { query: `?${pointers.slice(0, 9000)}`, init: { method: 'POST', headers, body: json } };
  }
  if (kind === 'json') return { query: '', init: { method: 'POST', headers, body: json } };
  if (kind === 'form') {
    const form = new URLSearchParams(pairsOf(given)).toString().slice(0, MOST_BODY_BYTES);
    const formType = { 'content-type': 'application/x-www-form-urlencoded' };
    return { query: '', init: { method: 'POST', headers: formType, body: form } };
  }
  const type = { 'content-type': 'multipart/form-data; boundary=b' };
  return { query: '', init: { method: 'POST', headers: type, body: multipartOf(given) } };
}

/** By hand, since a client's own would be timed too; as many parts as a body may hold. */
function multipartOf(given: HostileRequest['arguments']): string {
  let text = '';
  for (const [name, value] of pairsOf(given)) {
    const part = `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    if (Buffer.byteLength(text) + Buffer.byteLength(part) > MOST_BODY_BYTES - 10) break;
    text += part;
  }
  return `${text}--b--\r\n`;
}

function pairsOf(given: HostileRequest['arguments']): [string, string][] {
  return Object.entries(given).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
}

/** In a line, for a table. */
export function describeRequest({ kind, arguments: given, body }: HostileRequest): string {
  const parts = Object.entries(given).map(([name, value]) => {
    if (!Array.isArray(value)) return `${name}=${shortened(String(value))}`;
    return `${name}=[${value.length} × ${shortened(String(value[0]))}]`;
  });
  const shown = parts.length > 6 ? [...parts.slice(0, 6), `… ${parts.length - 6} more`] : parts;
  return [kind, ...(body === undefined ? [] : [`body of ${body.length}`]), ...shown].join(' ');
}

function shortened(text: string): string {
  return text.length <= 24 ? text : `${text.slice(0, 20)}… (${text.length})`;
}
