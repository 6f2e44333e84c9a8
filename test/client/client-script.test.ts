import { createContext, SourceTextModule } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { clientScript } from '../../src/assets/build-assets.ts';
import { ROOT } from '../support/service.ts';

const MOST_BYTES = 1024;

let script: string;
beforeAll(async () => {
  script = await clientScript(ROOT);
});

test(`is at most ${MOST_BYTES} bytes, compressed`, () => {
  const size = gzipSync(script).length;
  expect(size).toBeLessThanOrEqual(MOST_BYTES);
  expect(size).toBeGreaterThan(500);
});

test('is one module, which needs no other', async () => {
  const { client, imports } = await load('https://blocks.test/client.js');
  expect(imports).toEqual([]);
  expect(Object.keys(client).sort()).toEqual(['BlockyardError', 'rows', 'run']);
});

describe('knows where it is from', () => {
  test.each([
    ['https://blocks.test/client.js', 'https://blocks.test/api_v2/blocks/trees'],
    ['http://127.0.0.1:8787/client.js', 'http://127.0.0.1:8787/api_v2/blocks/trees'],
    ['https://blocks.test/prod/client.js?v=2#x', 'https://blocks.test/prod/api_v2/blocks/trees'],
  ])('%s', async (address, expected) => {
    const { client, asked } = await load(address);
    await client.run('trees', {});
    await client.run('trees', {}, { base_url: 'https://other.test' });
    expect(asked).toEqual([expected, 'https://other.test/api_v2/blocks/trees']);
  });

  test.each([
    'file:///node_modules/blockyard-client/dist/client.js',
    'https://page.test/assets/bundle-1a2b.js',
    undefined,
  ])('and that %s is no service', async (address) => {
    const { client, asked } = await load(address);
    await expect(client.run('trees', {})).rejects.toThrow('Say where the blocks are: base_url.');
    await client.run('trees', {}, { base_url: '/prod' });
    expect(asked).toEqual(['/prod/api_v2/blocks/trees']);
  });
});

/** The script as a module from an address, with a `fetch` that writes down what it is asked for. */
async function load(address: string | undefined) {
  const asked: unknown[] = [];
  const fetch = async (url: unknown) => {
    asked.push(url);
    return Response.json({ params: {} });
  };
  const module = new SourceTextModule(script, {
    context: createContext({ fetch }),
    initializeImportMeta: (meta) => Object.assign(meta, { url: address }),
  });
  const imports: string[] = [];
  await module.link((specifier) => {
    imports.push(specifier);
    throw new Error(`It imports ${specifier}.`);
  });
  await module.evaluate();
  return {
    client: module.namespace as typeof import('../../client/src/client.ts'),
    asked,
    imports,
  };
}
