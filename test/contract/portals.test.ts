import { describe, expect, test } from '@jest/globals';
import { suiteService } from '../support/suite-service.ts';

const service = suiteService();

/** The pages of the blocks, by the map of the site. */
async function pages(): Promise<readonly string[]> {
  const { text } = await service.get('/sitemap.xml');
  return text.match(/(?<=<loc>)[^<]+/g) ?? [];
}

describe('what portals and search engines read, wherever the service is', () => {
  test('has each block at one address', async () => {
    const [root = '', ...blocks] = await pages();
    expect(root).toMatch(/^https?:\/\/[^?#]+\/$/);
    const { body } = await service.get('/api_v2/blocks');
    const all = body.blocks.map(({ name }: { name: string }) => `${root}api_v2/blocks/${name}`);
    expect(blocks).toEqual(all);
    const { text: interfaces } = await service.get('/.well-known/api-catalog');
    const [{ item }] = JSON.parse(interfaces).linkset;
    expect(item.map(({ href }: { href: string }) => href)).toEqual(all);
    const { text: catalog } = await service.get('/catalog.jsonld');
    expect(JSON.parse(catalog)['dcat:service']).toHaveLength(all.length);
    const { text: told } = await service.get('/llms.txt');
    for (const address of all) expect(told).toContain(`(${address})`);
    expect((await service.get('/robots.txt')).text).toContain(`Sitemap: ${root}sitemap.xml`);
  });

  test('describes a dataset in its page and at its address', async () => {
    const [root] = await pages();
    const page = '/api_v2/blocks/census-neighborhoods';
    const html = await service.get(page, { accept: 'text/html' });
    const [, script = ''] =
      /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html.text) ?? [];
    const { text } = await service.get(`${page}/croissant.json`);
    for (const described of [JSON.parse(script), JSON.parse(text)]) {
      expect([described['@type'], described['@id']]).toEqual([
        'Dataset',
        `${root}${page.slice(1)}`,
      ]);
    }
    const own = await service.get(`${page}/openapi.json`);
    expect(Object.keys(own.body.paths)).toContain('/blocks/census-neighborhoods');
  });
});
