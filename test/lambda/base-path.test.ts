import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { block } from '../../functions/rgb-to-color-name/block.ts';
import { createRun } from '../../functions/rgb-to-color-name/run.ts';
import { buildAssets } from '../../src/assets/build-assets.ts';
import { openapiFile } from '../../src/channels/openapi/openapi-document.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { catalogRoutes } from '../../src/http/catalog-routes.ts';
import { serveValue } from '../../src/http/served-block.ts';
import {
  apiGatewayHandler,
  type LambdaHandler,
  requestOf,
} from '../../src/lambda/api-gateway-handler.ts';
import type { LambdaEnv } from '../../src/lambda/function-settings.ts';
import { textsOf } from '../../src/portals/block-index.ts';
import { listBlock } from '../../src/portals/listed-block.ts';
import { recordOf } from '../../src/portals/record.ts';
import { functionSettings, SETTINGS } from '../support/ample.ts';
import { ROOT } from '../support/service.ts';

const recorded: APIGatewayProxyEvent = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'events/get-description.json'), 'utf8'),
);

const BLOCK = '/api_v2/blocks/rgb-to-color-name';

/** The stack's routes, as `lib/blocks-api.ts` makes them: those of no wildcard, and the folders. */
const EXACT = ['/', '/api_v2', '/api_v2/blocks', BLOCK, '/mcp', '/integrations/slack'];
const FOLDERS = [`${BLOCK}/`, '/api_v2/blocks/', '/api_v2/', '/integrations/', '/'];

/** Where a service may be: a domain's base path, or its own address, whose stage is taken off. */
const PLACES = [
  { name: "a domain's base path", base: '/v1', stage: '' },
  { name: 'a base path of two parts', base: '/open/data', stage: '' },
  { name: 'a base path that an address ends with', base: '/blocks/mcp', stage: '' },
  { name: 'a domain without a base path', base: '', stage: '' },
  { name: "a stage's address", base: '', stage: '/prod' },
];
type Place = (typeof PLACES)[number];

/** The event that API Gateway makes of a request for an address of the service. */
function eventAt(place: Place, address: string, accept = '*/*'): APIGatewayProxyEvent {
  const bare = address.replace(/(.)\/+$/, '$1');
  const exact = EXACT.find((route) => route === (bare || '/'));
  const folder = FOLDERS.find((start) => bare.startsWith(start)) ?? '/';
  const proxy = decodeURIComponent(bare.slice(folder.length));
  const seen = `${place.base}${address}`;
  return {
    ...recorded,
    resource: exact ?? `${folder}{proxy+}`,
    path: seen || '/',
    pathParameters: exact === undefined ? { proxy } : null,
    headers: { Accept: accept },
    multiValueHeaders: { Accept: [accept] },
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    requestContext: {
      ...recorded.requestContext,
      domainName: 'data.example.org',
      stage: 'prod',
      path: `${place.stage}${seen}`,
    },
  };
}

const ADDRESSES = [
  '',
  '/',
  '/api_v2',
  '/api_v2/blocks',
  '/api_v2/blocks/',
  BLOCK,
  `${BLOCK}/`,
  `${BLOCK}/more`,
  `${BLOCK}/a/datapackage.json`,
  '/api_v2/blocks/no-such-block',
  '/api_v2/blocks/a%2Fb',
  '/api_v2/nothing/here',
  '/assets/page.css',
  '/client.js',
  '/openapi.json',
  '/mcp',
  '/integrations/slack',
  '/integrations/else',
  '/v1/v1',
  '/mcp/mcp',
];

test.each(
  PLACES.flatMap((place) => ADDRESSES.map((address) => [place.name, address, place] as const)),
)('at %s, %s is asked for by its own path', (_, address, place) => {
  expect(requestOf(eventAt(place, address)).path).toBe(address || '/');
});

describe.each(PLACES)('at $name', (place) => {
  let functions: { readonly block: LambdaHandler; readonly catalog: LambdaHandler };
  beforeAll(async () => {
    const settings = SETTINGS;
    const served = serveValue(block, createRun(path.join(ROOT, 'seed-data')));
    const files = { ...(await buildAssets(ROOT)), ...openapiFile([{ block }]) };
    const records = [recordOf(block)];
    const catalog = catalogRoutes({
      ...{ blocks: [listBlock(block)], files, records },
      texts: () => [textsOf({ block })],
    });
    functions = {
      block: apiGatewayHandler(blockRoutes(served), settings),
      catalog: apiGatewayHandler(catalog, settings),
    };
  });

  const shown = (address: string) =>
    `https://data.example.org${place.stage}${place.base}${address}`;

  async function get(address: string, accept?: string) {
    const event = eventAt(place, address, accept);
    const { statusCode, body, isBase64Encoded } =
      await functions[event.resource === BLOCK ? 'block' : 'catalog'](event);
    const text = isBase64Encoded ? gunzipSync(Buffer.from(body, 'base64')).toString() : body;
    return { status: statusCode, text };
  }

  test.each(['', '/', '/api_v2/blocks', BLOCK, '/api_v2/blocks/no-such-block'])(
    'every link of the page %s is answered',
    async (address) => {
      const { text } = await get(address, 'text/html');
      const links = [...text.matchAll(/(?:href|src)="([^"#]+)/g)].map(
        ([, link = '']) => new URL(link.replaceAll('&amp;', '&'), shown(address)),
      );
      const ours = links.filter(({ host }) => host === 'data.example.org');
      expect(ours.length).toBeGreaterThan(5);
      for (const { pathname } of ours) {
        expect(pathname.startsWith(`${place.stage}${place.base}/`)).toBe(true);
        const { status } = await get(pathname.slice(`${place.stage}${place.base}`.length));
        expect([pathname, status]).toEqual([pathname, 200]);
      }
    },
  );

  test('the documents for portals say where the service is, whatever host is asked for', async () => {
    const pages = (await get('/sitemap.xml')).text.match(/(?<=<loc>)[^<]+/g);
    expect(pages).toEqual([shown('/'), shown(BLOCK)]);
    const catalog = JSON.parse((await get('/catalog.jsonld')).text);
    expect(catalog['@id']).toBe(shown('/'));
    expect((await get('/robots.txt')).text).toContain(`Disallow: ${place.stage}${place.base}/*?\n`);
    const event = eventAt(place, '/sitemap.xml');
    const evil = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };
    const { body } = await functions.catalog({
      ...event,
      headers: evil,
      multiValueHeaders: { Host: ['evil.example'] },
    });
    expect(body).toBe((await get('/sitemap.xml')).text);
  });

  test('the OpenAPI document says where the blocks are', async () => {
    const { text } = await get('/openapi.json');
    const { servers, paths } = JSON.parse(text);
    const base = new URL(servers[0].url, shown('/openapi.json')).href;
    expect(Object.keys(paths).map((address) => `${base}${address}`)).toContain(shown(BLOCK));
  });
});

describe('what portals are told of a deployed service', () => {
  const place = { name: '', base: '', stage: '/prod' };
  const told = async (env: LambdaEnv, address: string, event = eventAt(place, address)) => {
    const routes = catalogRoutes({
      ...{ blocks: [], files: {}, records: [recordOf(block)] },
      texts: () => [],
    });
    return apiGatewayHandler(routes, functionSettings(env))(event);
  };

  test('is about the public address, if one is set', async () => {
    const PUBLIC_URL = 'https://data.example.net/';
    const { body } = await told({ PUBLIC_URL }, '/sitemap.xml');
    expect(body.match(/(?<=<loc>)[^<]+/g)).toEqual([PUBLIC_URL, `${PUBLIC_URL}${BLOCK.slice(1)}`]);
  });

  test('is who publishes it, and changes the ETag', async () => {
    const silent = await told({ BUILD: 'x' }, '/catalog.jsonld');
    const said = await told({ BUILD: 'x', PUBLISHER: 'Made City' }, '/catalog.jsonld');
    expect(JSON.parse(said.body)['dct:publisher']['foaf:name']).toBe('Made City');
    expect(silent.body).not.toContain('dct:publisher');
    expect(said.headers?.ETag).not.toBe(silent.headers?.ETag);
  });

  test('with keys is to stay away', async () => {
    expect((await told({ ACCESS: 'keys' }, '/robots.txt')).body).toBe(
      'User-agent: *\nDisallow: /\n',
    );
  });

  test('is nothing where nobody knows its address', async () => {
    const event = { ...eventAt(place, '/sitemap.xml'), requestContext: {} as never };
    const { statusCode, body } = await told({}, '/sitemap.xml', event);
    expect([statusCode, JSON.parse(body).detail]).toEqual([
      404,
      'The public address of this service is not known. Set PUBLIC_URL.',
    ]);
  });
});
