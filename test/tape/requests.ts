import vocabulary from './vocabulary.json' with { type: 'json' };

// Nothing here is of the product: its changes must not change what is asked.

/** A request as plain data; `sign` asks for Slack's signature, which has the time in it. */
export type TapeRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly sign?: true;
};

type Scalar = string | number | boolean;
type Asked = Record<string, Scalar | Scalar[]>;
type Words = {
  readonly name: string;
  readonly id: string;
  readonly fields: readonly { name: string; type: string; filterable?: boolean }[];
  readonly values: Readonly<Record<string, readonly Scalar[]>>;
  readonly keys: readonly string[];
  readonly hasPlaces: boolean;
};

const DATASETS = vocabulary as unknown as readonly Words[];
const BLOCKS = '/api_v2/blocks';
const COLOR = `${BLOCKS}/rgb-to-color-name`;

/** The request of a number: the same for ever. */
export function tapeRequest(number: number): TapeRequest {
  const random = randomOf(number);
  return random.one(DRAWN).make(random);
}

/** The kind of the request of a number. */
export function kindOf(number: number): string {
  return randomOf(number).one(DRAWN).kind;
}

/** How often a request is of a kind, and what makes it. */
const MADE: readonly (readonly [string, number, (random: Random) => TapeRequest])[] = [
  ['rows-by-post', 5, rowsByPost],
  ['rows-by-get', 5, rowsByGet],
  ['groups', 5, groupsOrFacets],
  ['searches', 3, searches],
  ['files', 4, files],
  ['pages', 4, pages],
  ['row-addresses', 2, rowAddresses],
  ['old-clients', 2, oldClients],
  ['misspelt', 3, misspelt],
  ['wrong-values', 3, wrongValues],
  ['forms', 2, forms],
  ['deliveries', 2, deliveries],
  ['colors', 2, colors],
  ['documents', 1, documents],
  ['tools', 1, tools],
  ['slack', 1, slackLines],
];

const DRAWN = MADE.flatMap(([kind, count, make]) => times(count, { kind, make }));

export const KINDS = MADE.map(([kind]) => kind);

function rowsByPost(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  return post(pathOf(dataset, random), {
    ...filtersOf(dataset, random),
    ...optionsOf(dataset, random),
  });
}

function rowsByGet(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  const asked = { ...filtersOf(dataset, random), ...optionsOf(dataset, random) };
  return get(`${pathOf(dataset, random)}?${queryOf(asked)}`);
}

function groupsOrFacets(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  const filters = random.chance(0.5) ? filtersOf(dataset, random) : {};
  const asked: Asked = random.chance(0.15)
    ? { ...filters, _facets: random.some(dataset.fields, 3).map(({ name }) => name), _limit: 2 }
    : { ...filters, ...groupsOf(dataset, random) };
  return random.chance(0.5)
    ? post(pathOf(dataset, random), asked)
    : get(`${pathOf(dataset, random)}?${queryOf(asked)}`);
}

function searches(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  const asked = { ...searchOf(dataset, random), ...optionsOf(dataset, random) };
  return get(`${pathOf(dataset, random)}?${queryOf(asked)}`);
}

function files(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  const format = random.one(['csv', 'csv', 'ndjson', 'geojson', 'parquet']);
  const asked: Asked = {
    ...(random.chance(0.3) ? groupsOf(dataset, random) : filtersOf(dataset, random)),
    ...(random.chance(0.3) ? { _limit: random.below(30) + 1 } : {}),
    ...(random.chance(0.2) ? { _fields: fieldsOf(dataset, random) } : {}),
    ...(format === 'csv' && random.chance(0.2) ? { _raw: true } : {}),
    _format: format,
  };
  return random.chance(0.2)
    ? post(pathOf(dataset, random), asked)
    : get(`${pathOf(dataset, random)}?${queryOf(asked)}`);
}

function pages(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  const asked = random.one([
    () => ({ ...filtersOf(dataset, random), ...optionsOf(dataset, random) }),
    () => groupsOf(dataset, random),
    () => searchOf(dataset, random),
    () => ({ ...filtersOf(dataset, random), [`${random.one(dataset.fields).name}x`]: 'x' }),
    () => ({ colour: 'red' }),
  ])();
  const path = pathOf(dataset, random);
  const view: Asked = random.chance(0.6) ? { _view: random.one(PAGE_VIEWS) } : {};
  const mark: Asked = random.chance(0.1) ? { _mark: random.one(['line', 'bars', 'heat']) } : {};
  return get(`${path}?${queryOf({ ...asked, ...view, ...mark })}`, BROWSER);
}

const PAGE_VIEWS = ['chart', 'map', 'table', 'columns', 'api'];

function rowAddresses(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  const key = random.chance(0.8)
    ? random.one(dataset.keys)
    : random.one(['nope', '~00', '%2F', 'canton', '0-0']);
  const asked: Asked = random.one([
    () => ({}),
    () => ({ _fields: fieldsOf(dataset, random) }),
    () => ({ _format: 'geojson' }),
    () => ({ _explain: 1 }),
    () => filtersOf(dataset, random),
  ])();
  const path = `${pathOf(dataset, random)}/rows/${key}?${queryOf(asked)}`.replace(/\?$/, '');
  return get(path, random.chance(0.4) ? BROWSER : {});
}

function oldClients(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  const query = random.one([
    '?cache=false',
    '?api_key=&cache=False&expiry=0',
    '?&cache=TRUE',
    '?api_key=k&cache=true&expiry=null',
  ]);
  const asked = random.one([
    () => filtersOf(dataset, random),
    () => [],
    () => ({ [random.one(dataset.fields).name]: { a: 1 } }),
    () =>
      Object.fromEntries(
        Object.entries(filtersOf(dataset, random)).map(([name, value]) => [name, String(value)]),
      ),
  ])();
  if (random.chance(0.2)) return post(`${COLOR}${query}`, colorOf(random));
  return post(`${pathOf(dataset, random)}${query}`, asked);
}

function misspelt(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  const { name } = random.one(dataset.fields);
  const at = random.below(name.length);
  const wrong = random.one([
    name.slice(0, at) + name.slice(at + 1),
    name.toUpperCase(),
    `${name}s`,
    `not_${name}`,
    `${name}__gt`,
    `_not.${name.slice(1)}`,
    '_limt',
    'colour',
    'utm_source',
    'theme',
    '__proto__',
    'x'.repeat(random.below(300) + 1),
  ]);
  const asked = { ...(random.chance(0.5) ? filtersOf(dataset, random) : {}), [wrong]: 'x' };
  const lenient: Record<string, string> = random.chance(0.3) ? { _handling: 'lenient' } : {};
  const path = pathOf(dataset, random);
  return random.chance(0.5)
    ? get(`${path}?${queryOf({ ...asked, ...lenient })}`)
    : post(random.chance(0.3) ? `${path}?${wrong}=1` : path, { ...asked, ...lenient });
}

const WRONG: readonly unknown[] = [
  'abc',
  '5,000',
  '5%',
  '5.',
  '0x10',
  'Infinity',
  1e308,
  '1e999',
  true,
  null,
  '',
  ' ',
  [],
  [[]],
  {},
  ['a', null],
  '2023-02-29',
  '2020-13',
  '2020',
  '2020-05-17T10:30',
  'yes',
  '*',
  '\\*',
  'x'.repeat(300),
  '9007199254740993',
  -1,
  0,
  1001,
  2.5,
  '-business',
  'ten',
  '😀',
  'W/"',
  'json',
  'xml',
  'lenien',
  'maybe',
];

function wrongValues(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  const options = [
    '_limit',
    '_cursor',
    '_sort',
    '_fields',
    '_format',
    '_handling',
    '_explain',
    '_group',
    '_measure',
    '_facets',
    '_q',
    '_near',
    '_within',
    '_bbox',
    '_or',
    '_not',
    '_empty',
    '_filled',
    '_raw',
    '_shade',
  ];
  const names = dataset.fields.flatMap(({ name }) => [
    name,
    `${name}_min`,
    `${name}_max`,
    `_not.${name}`,
  ]);
  const asked = Object.fromEntries(
    Array.from({ length: random.below(3) + 1 }, () => [
      random.one(random.chance(0.5) ? options : names),
      random.one(WRONG),
    ]),
  );
  if (random.chance(0.1)) {
    const body = random.one([
      '{',
      '"x"',
      '[1]',
      '{"a":1,"a":2}',
      '\ufeff{}',
      '{"category":"retail"} x',
    ]);
    return { method: 'POST', path: pathOf(dataset, random), headers: JSON_TYPE, body };
  }
  return random.chance(0.6)
    ? post(pathOf(dataset, random), asked)
    : get(`${pathOf(dataset, random)}?${queryOf(asked as Asked)}`);
}

function forms(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  const asked = { ...filtersOf(dataset, random), ...optionsOf(dataset, random) };
  if (random.chance(0.5)) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { method: 'POST', path: pathOf(dataset, random), headers, body: queryOf(asked) };
  }
  const parts = pairsOf(asked).map(
    ([name, value]) =>
      `--bOuNd\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const headers = { 'content-type': 'multipart/form-data; boundary=bOuNd' };
  return {
    method: 'POST',
    path: pathOf(dataset, random),
    headers,
    body: `${parts.join('')}--bOuNd--\r\n`,
  };
}

function deliveries(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  const data = { ...filtersOf(dataset, random), stranger: 1 };
  const path = pathOf(dataset, random);
  return random.one<() => TapeRequest>([
    () => ({
      ...post(path, { type: 't', timestamp: '2026-11-21T14:45:00Z', data }),
      headers: { ...JSON_TYPE, 'webhook-id': '1' },
    }),
    () => ({
      ...post(path, { specversion: '1.0', type: 't', source: '/s', id: '1', data }),
      headers: { 'content-type': 'application/cloudevents+json' },
    }),
    () => ({
      ...post(path, data),
      headers: { ...JSON_TYPE, 'ce-id': '1', 'ce-specversion': '1.0' },
    }),
    () =>
      post(`${path}?_map.${random.one(dataset.fields).name}=/data/a/0`, {
        data: { a: [random.one(WRONG)] },
      }),
    () => get(`${path}?hub.mode=subscribe&hub.challenge=c${random.below(99)}`),
    () => post(`${path}?validationToken=t${random.below(99)}`, undefined),
    () => ({ ...post(path, { type: 'url_verification', challenge: 'c', token: 't' }) }),
  ])();
}

function colors(random: Random): TapeRequest {
  const asked = colorOf(random);
  return random.one<() => TapeRequest>([
    () => post(COLOR, asked),
    () => get(`${COLOR}?${queryOf(asked)}`),
    () => get(`${COLOR}?${queryOf(asked)}`, BROWSER),
    () =>
      get(
        `${COLOR}?${queryOf({ ...asked, _format: random.one(['csv', 'ndjson', 'parquet', 'html']) })}`,
      ),
    () => get(`${COLOR}?${queryOf({ r: 1, G: 2, B: 300 })}`),
  ])();
}

function documents(random: Random): TapeRequest {
  const { name, id } = random.one([
    ...DATASETS,
    { name: 'rgb-to-color-name', id: 'rgb-to-color-name' },
  ]);
  const path = random.one([
    '/',
    BLOCKS,
    `${BLOCKS}?q=census`,
    `${BLOCKS}?q=${name}`,
    `${BLOCKS}?tag=x`,
    `${BLOCKS}/${name}`,
    `${BLOCKS}/${id}/`,
    `${BLOCKS}/${name}/datapackage.json`,
    `${BLOCKS}/nope`,
    `${BLOCKS}/${name.slice(1)}`,
    '/openapi.json',
    '/nope',
    '/page.css',
    '/client.js',
    `${BLOCKS}/${name}/x`,
  ]);
  const method = random.one(['GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
  return { method, path, ...(random.chance(0.5) ? { headers: BROWSER } : {}) };
}

function tools(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  const call = random.one<() => object>([
    () => ({ method: 'tools/list', params: {} }),
    () => ({
      method: 'tools/call',
      params: {
        name: dataset.name,
        arguments: random.one([
          () => ({ ...filtersOf(dataset, random), ...optionsOf(dataset, random) }),
          () => groupsOf(dataset, random),
          () => ({ [random.one(dataset.fields).name.slice(1)]: 1 }),
        ])(),
      },
    }),
  ])();
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call });
  const headers = {
    ...JSON_TYPE,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  return { method: 'POST', path: '/mcp', headers, body };
}

function slackLines(random: Random): TapeRequest {
  const dataset = random.one(DATASETS);
  const word = dataset.name.split('-')[0];
  const pairs = pairsOf({
    ...filtersOf(dataset, random),
    ...(random.chance(0.3) ? optionsOf(dataset, random) : {}),
  });
  const text = random.one([
    `${word} ${pairs.map(([name, value]) => `${name}:${/\s/.test(value) ? `"${value}"` : value}`).join(' ')}`,
    `${word} ${random.one(Object.values(dataset.values).flat().map(String))}`,
    'help',
    `${word} help`,
    `${word} catgory:x`,
    'color 255 127 80',
  ]);
  const body = new URLSearchParams({
    command: '/block',
    text,
    user_id: 'U1',
    team_id: 'T1',
  }).toString();
  return {
    method: 'POST',
    path: '/integrations/slack',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
    sign: true,
  };
}

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const JSON_TYPE = { 'content-type': 'application/json' };

function get(path: string, headers: Readonly<Record<string, string>> = {}): TapeRequest {
  return { method: 'GET', path, headers };
}

function post(path: string, body: unknown): TapeRequest {
  return {
    method: 'POST',
    path,
    headers: JSON_TYPE,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

function pathOf({ name, id }: Words, random: Random): string {
  return `${BLOCKS}/${random.chance(0.9) ? name : id}`;
}

function pairsOf(asked: Asked): [string, string][] {
  return Object.entries(asked).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
}

function queryOf(asked: Asked): string {
  return new URLSearchParams(pairsOf(asked)).toString();
}

function filtersOf(dataset: Words, random: Random): Asked {
  const asked: Asked = {};
  const filterable = dataset.fields.filter((field) => field.filterable !== false);
  for (const field of random.some(filterable, 2)) {
    const values = dataset.values[field.name] ?? [];
    if (values.length === 0) continue;
    const [value, second] = [random.one(values), random.one(values)];
    const isOrdered = ['number', 'integer', 'date', 'datetime'].includes(field.type);
    const text = String(value);
    random.one([
      () => (asked[field.name] = value),
      () => (asked[field.name] = [value, second]),
      () => (asked[`_not.${field.name}`] = value),
      () => (asked[random.one(['_empty', '_filled'])] = field.name),
      ...(isOrdered
        ? [
            () => (asked[`${field.name}_min`] = value),
            () => (asked[`${field.name}_max`] = text.slice(0, 10)),
            () =>
              Object.assign(asked, { [`${field.name}_min`]: value, [`${field.name}_max`]: second }),
          ]
        : [
            () => (asked[field.name] = `*${text.slice(1, 4)}*`),
            () => (asked[field.name] = text.toLowerCase()),
            () => (asked[field.name] = `${text.slice(0, 3)}*`),
          ]),
    ])();
  }
  return asked;
}

function searchOf(dataset: Words, random: Random): Asked {
  const texts = Object.values(dataset.values)
    .flat()
    .filter((value) => typeof value === 'string');
  const words = () =>
    random
      .one(texts)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
      .slice(0, 2)
      .join(' ');
  const place = () => {
    const [lon, lat] = random.one(PLACES);
    return `${lon},${lat}`;
  };
  const asked: Asked = {};
  if (random.chance(0.6)) asked._q = words().slice(0, random.below(9) + 2);
  if (dataset.hasPlaces && random.chance(0.5)) {
    asked._near = place();
    if (random.chance(0.6))
      asked._within = random.one(['150m', '0.5km', '9mi', '8000km', '1200ft', '0m', '5 miles']);
  }
  if (dataset.hasPlaces && random.chance(0.3)) {
    const [lon, lat] = random.one(PLACES);
    asked._bbox = `${lon - 0.2},${Math.max(-90, lat - 0.1)},${lon + 0.1},${Math.min(90, lat + 0.2)}`;
  }
  if (random.chance(0.3)) {
    for (const [i, one] of [filtersOf(dataset, random), filtersOf(dataset, random)].entries()) {
      for (const [name, value] of Object.entries(one)) asked[`_or.${i + 1}.${name}`] = value;
    }
  }
  return { ...asked, ...(random.chance(0.3) ? filtersOf(dataset, random) : {}) };
}

const PLACES: readonly (readonly [number, number])[] = [
  [-73.99, 40.68],
  [-76.61, 39.29],
  [-76.58, 39.28],
  [179.95, -17.5],
  [-179.99, -17.5],
  [0, 89.9],
  [12.5, 41.9],
  [-73.95, 40.7],
];

function groupsOf(dataset: Words, random: Random): Asked {
  const dimensions = dataset.fields.flatMap(({ name, type }) => [
    name,
    ...(['number', 'integer'].includes(type) ? [`${name}.10`, `${name}.0.5`] : []),
    ...(['date', 'datetime'].includes(type)
      ? [`${name}.year`, `${name}.month`, `${name}.weekday`, `${name}.week`]
      : []),
  ]);
  const measures = dataset.fields.flatMap(({ name, type }) => [
    `distinct:${name}`,
    ...(['number', 'integer'].includes(type)
      ? ['sum', 'avg', 'median', 'min', 'max'].map((of) => `${of}:${name}`)
      : []),
    ...(['date', 'datetime'].includes(type) ? [`min:${name}`, `max:${name}`] : []),
  ]);
  const asked: Asked = { _group: random.some(dimensions, 2) };
  if (random.chance(0.7)) asked._measure = ['count', ...random.some(measures, 3)];
  if (random.chance(0.4))
    asked._sort = random.one([
      '-count',
      'count',
      String([asked._group].flat()[0]).replaceAll('.', '_'),
    ]);
  if (random.chance(0.3)) asked._limit = random.below(20) + 1;
  return asked;
}

function fieldsOf(dataset: Words, random: Random): string {
  return random
    .some(dataset.fields, 4)
    .map(({ name }) => name)
    .join(',');
}

function optionsOf(dataset: Words, random: Random): Asked {
  const asked: Asked = {};
  if (random.chance(0.6)) asked._limit = random.below(30) + 1;
  if (random.chance(0.4))
    asked._sort = `${random.one(['', '-'])}${random.one(dataset.fields).name}`;
  if (random.chance(0.3)) asked._fields = fieldsOf(dataset, random);
  return asked;
}

function colorOf(random: Random): Asked {
  return {
    R: random.below(256),
    G: random.below(256),
    B: random.chance(0.95) ? random.below(256) : 256,
    ...(random.chance(0.3) ? { list: random.one(['full', 'short', 'css', 'BESTOF', 'html']) } : {}),
    ...(random.chance(0.3) ? { alternatives: random.below(12) } : {}),
  };
}

function times<T>(count: number, one: T): T[] {
  return Array.from({ length: count }, () => one);
}

export type Random = {
  below(bound: number): number;
  chance(share: number): boolean;
  one<T>(all: readonly T[]): T;
  /** One to `most` different ones. */
  some<T>(all: readonly T[], most: number): T[];
};

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are enough for a request. */
export function randomOf(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  const one = <T>(all: readonly T[]) => all[below(all.length)] as T;
  const some = <T>(all: readonly T[], most: number) => {
    const count = below(most) + 1;
    return [...new Set(Array.from({ length: count }, () => one(all)))];
  };
  return { below, chance: (share) => next() < share, one, some };
}
