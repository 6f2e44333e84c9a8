import { shorten } from '../text/wording.ts';
import { type CatalogTitle, dcatCatalog } from './dcat.ts';
import { addressesOf, type Publication } from './publication.ts';
import type { PortalRecord } from './record.ts';

/** A document about the whole service, for portals, search engines and models. */
type SiteFile = {
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: (site: Site) => string;
};

/** A service as these documents tell of it; `root` is its public address. */
export type Site = {
  readonly catalog: CatalogTitle;
  readonly records: readonly PortalRecord[];
  readonly publication: Publication;
  readonly root: string;
};

/** The documents, by their paths below the service's root. */
export const SITE_FILES: Readonly<Record<string, SiteFile>> = {
  'catalog.jsonld': {
    type: 'application/ld+json',
    text: ({ catalog, records, publication, root }) =>
      JSON.stringify(dcatCatalog(catalog, records, publication, root)),
  },
  '.well-known/api-catalog': {
    type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    headers: { Link: '<>; rel="api-catalog"' },
    text: (site) => JSON.stringify(apiCatalog(site)),
  },
  'llms.txt': { type: 'text/markdown; charset=utf-8', text: llmsText },
  'sitemap.xml': { type: 'application/xml; charset=utf-8', text: sitemap },
};

/** The file that says where search engines may go. It must stand at the root of a domain. */
export const ROBOTS = 'robots.txt';

/**
 * Forbids addresses with a query, of which there is no end; with keys, all. `root` is undefined if
 * nobody knows the public address.
 */
export function robotsText({ isKeyed }: Publication, root: string | undefined): string {
  if (isKeyed) return 'User-agent: *\nDisallow: /\n';
  const { pathname = '/' } = root === undefined ? {} : new URL(root);
  const map = root === undefined ? '' : `\nSitemap: ${root}sitemap.xml\n`;
  return `User-agent: *\nDisallow: ${pathname}*?\n${map}`;
}

/** A linkset (RFC 9264) of all blocks as interfaces (RFC 9727). */
function apiCatalog({ records, root }: Site): object {
  return {
    linkset: [
      {
        anchor: `${root}.well-known/api-catalog`,
        item: records.map(({ name }) => ({ href: addressesOf(root, name).page })),
      },
      ...records.map(({ name, title, version }) => {
        const { page, openapi, croissant, dataPackage } = addressesOf(root, name);
        const ofDataset = [
          { href: dataPackage, type: 'application/json' },
          { href: croissant, type: 'application/ld+json' },
        ];
        return {
          anchor: page,
          'service-desc': [{ href: openapi, type: 'application/json', title }],
          'service-doc': [{ href: page, type: 'text/html', title }],
          'service-meta': version === undefined ? undefined : ofDataset,
        };
      }),
    ],
  };
}

/** Characters of a description in a list of all blocks. */
const MOST_OF_DESCRIPTION = 200;

/** The service for models that read pages (llmstxt.org). */
function llmsText({ catalog, records, root }: Site): string {
  const blocks = records.map(({ name, title, description }) => {
    const told = plain(shorten(description, MOST_OF_DESCRIPTION));
    return `- [${plain(title)}](${addressesOf(root, name).page}): ${told}`;
  });
  return `# ${plain(catalog.title)}

> ${plain(catalog.description)}. Each block answers a GET or a POST with rows or a value, as JSON, CSV, NDJSON or a page. Without arguments a GET describes it: parameters, types, ranges, examples.

- [All blocks as JSON](${root}api_v2/blocks): \`?q=\` finds some by words
- [OpenAPI](${root}openapi.json): of all blocks; each block has its own, \`openapi.json\` below its address
- [MCP](${root}mcp): the blocks as tools
- [DCAT](${root}catalog.jsonld): the catalogue for portals

## Blocks

${blocks.join('\n')}
`;
}

/** A text in a line of Markdown, where it is nothing but text. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|]/g, '\\$&');
}

/** The pages without a query (sitemaps.org); a service has far fewer than the 50,000 of a file. */
function sitemap({ records, root }: Site): string {
  const pages = [root, ...records.map(({ name }) => addressesOf(root, name).page)];
  const urls = pages.map((page) => `<url><loc>${escaped(page)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
