import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkExamples } from '../../src/arguments/check-examples.ts';
import { type DatasetDeclaration, datasetBlock } from '../../src/block/block.ts';
import { type BlockFigure, FIGURES_OF_BLOCK } from '../../src/block/block-figure.ts';
import type { HttpRequest } from '../../src/http/request.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { localService } from '../../src/local/local-server.ts';
import { sendMessage } from '../mcp/send-message.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { type Service, startService } from '../support/service.ts';

const FIGURES: readonly BlockFigure[] = [
  {
    title: 'Oaks are <b>the</b> most',
    text: 'Half of all.',
    ask: '_view=chart&_group=kind&_measure=count',
  },
  { title: 'Tall ones', ask: '_group=kind&_measure=avg:height&height_min=20' },
  { title: 'As old as they are', ask: '_group=planted.year&_measure=count&kind=oak&kind=elm' },
];
const TREES = Array.from({ length: 120 }, (_, i) => ({
  kind: ['oak', 'oak', 'elm', 'lime'][i % 4] as string,
  height: i % 40,
  planted: `${1990 + (i % 12)}-05-0${1 + (i % 9)}`,
}));
const DECLARED: DatasetDeclaration = {
  ...{ id: 'trees', name: 'trees', title: 'Trees', description: 'Trees.', noun: 'trees' },
  fields: [
    { type: 'text', name: 'kind', title: 'Kind' },
    { type: 'integer', name: 'height', title: 'Height' },
    { type: 'date', name: 'planted', title: 'Planted' },
  ],
  ...{ examples: [], figures: FIGURES },
};
const block = datasetBlock(DECLARED);
const dataset = makeDataset(block, TREES, { title: 'T', publisher: 'City' });
const store = memoryRows(block.fields, dataset.rows);
const service = localService(
  [serveDataset({ block, manifest: dataset.manifest, store })],
  SETTINGS,
);

async function page(
  query: string,
  accept = 'text/html',
  of = service,
): Promise<{ status: number; text: string }> {
  const request: HttpRequest = {
    ...{ method: 'GET', origin: 'http://localhost', path: '/api_v2/blocks/trees', query },
    ...{ headers: { accept }, body: async () => new Uint8Array(), canStream: true },
  };
  const { status, body } = await of(request);
  return { status, text: String(body) };
}

/** The figures of a page, in order. */
function figuresIn(html: string): string[] {
  return html
    .split('<figure')
    .slice(1)
    .map((one) => one.split('</figure>')[0] as string);
}
const unescaped = (text: string) => text.replaceAll('&amp;', '&');
const linkIn = (figure: string) => unescaped(/<h2[^>]*><a href="([^"]*)"/.exec(figure)?.[1] ?? '');
/** The numbers that a figure's marks say, whatever they lead to. */
const marksIn = (figure: string) =>
  [...figure.matchAll(/<(?:th scope="row"|td class="n")[^>]*>(.*?)<\/t[hd]>/g)]
    .map(([, cell = '']) => cell.replace(/<[^>]*>/g, ''))
    .join(' ');

describe('a block with figures of its own', () => {
  test('opens with them: titles and texts as the publisher wrote them, never as HTML', async () => {
    const { status, text } = await page('');
    expect(status).toBe(200);
    const figures = figuresIn(text);
    expect(figures).toHaveLength(3);
    expect(figures[0]).toContain('Oaks are &lt;b&gt;the&lt;/b&gt; most');
    expect(figures[0]).toContain('<p dir="auto">Half of all.</p>');
    expect(figures[0]).toContain('all 120 trees');
    expect(text).toContain('aria-current="page">Figures<small> 3</small>');
    expect(text).toContain('of all 120 trees, chosen by the publisher');
  });

  test('each leads to a page of its own, with the same numbers', async () => {
    for (const figure of figuresIn((await page('')).text).slice(0, 2)) {
      const own = await page(linkIn(figure).slice(1));
      const [alone = ''] = figuresIn(own.text);
      expect(own.status).toBe(200);
      expect(marksIn(figure)).not.toBe('');
      expect(marksIn(alone)).toBe(marksIn(figure));
    }
  });

  test('says by which filters of its own a figure has fewer rows', async () => {
    const [, tall] = figuresIn((await page('')).text);
    const rows = TREES.filter(({ height }) => height >= 20).length;
    expect(tall).toContain(`${rows} of 120 trees where Height is at least 20`);
  });

  test('with a filter has the words of the page alone, since the publisher spoke of all rows', async () => {
    const { text } = await page('kind=elm');
    const figures = figuresIn(text);
    expect(figures).toHaveLength(3);
    for (const { title, text: said = title } of FIGURES) {
      expect(text).not.toContain(`>${title}<`);
      expect(text).not.toContain(`>${said}<`);
    }
    expect(text).toContain('<b>30 of 120 trees</b>');
    expect(figures[0]).toContain('30 of 120 trees');
    expect(marksIn(figures[0] as string)).toBe('elm 30');
    expect(linkIn(figures[0] as string)).toContain('kind=elm');
    expect(figures[1]).toContain('15 of 120 trees where Height is at least 20');
  });

  test("a filter of the page takes the place of a figure's own of the same name", async () => {
    const [, , old] = figuresIn((await page('kind=lime')).text);
    expect(linkIn(old as string)).toBe('?_group=planted.year&_measure=count&kind=lime');
    expect(old).toContain('30 of 120 trees');
  });

  test('whose own filter excludes that of the page says that alone', async () => {
    const { status, text } = await page('height_max=10');
    const [all, tall] = figuresIn(text);
    expect([status, marksIn(all as string)]).toEqual([200, expect.stringMatching(/oak/)]);
    expect(tall).toContain('No figure can show this of these rows.');
    expect((await page(linkIn(tall as string).slice(1))).status).toBe(400);
  });

  test('as SVG says by which filters of its own it has fewer rows', async () => {
    const one = { ...DECLARED, figures: [FIGURES[1] as BlockFigure] };
    const other = localService(
      [serveDataset({ block: datasetBlock(one), manifest: dataset.manifest, store })],
      SETTINGS,
    );
    const svg = await page('_format=svg', '*/*', other);
    expect(svg.text).toContain('where Height is at least 20');
  });

  test('with no rows says so for each, and answers 200', async () => {
    const { status, text } = await page('kind=ook');
    expect([status, figuresIn(text).length]).toEqual([200, 3]);
    expect(text).toContain('<li>Kind is “ook”: 0 of 120');
    expect(unescaped(text)).toMatch(/<a class="button" href="\?kind=oak[^"]*">oak<\/a>/);
  });

  test('has them as one of its views, and keeps the filters', async () => {
    const { text } = await page('_view=table&kind=elm&_sort=height');
    expect(unescaped(text)).toContain('<a href="?kind=elm&_view=figures">Figures');
    expect((await page('_view=figures&kind=elm')).text).toContain('<b>30 of 120 trees</b>');
  });

  test('can be framed in another page as they are, without the head of this one', async () => {
    const { text } = await page('_view=figures&_embed=true');
    expect(figuresIn(text)).toHaveLength(3);
    expect(text).not.toContain('class="tabs"');
  });

  test('as SVG is the first of them, with the filters of the address', async () => {
    const svg = async (query: string) => (await page(`_format=svg${query}`, '*/*')).text;
    expect(await svg('')).toBe(await svg('&_group=kind&_measure=count&_view=chart'));
    expect(await svg('&kind=elm')).toContain('30 of 120 trees');
    expect(await svg('&kind=elm')).not.toContain('Oaks');
  });

  test('describes them, with their addresses', async () => {
    const { figures } = JSON.parse((await page('', 'application/json')).text);
    expect(figures[0]).toEqual({
      ...{ title: FIGURES[0]?.title, text: 'Half of all.' },
      url: '/api_v2/blocks/trees?_view=chart&_group=kind&_measure=count',
    });
    expect(figures).toHaveLength(3);
  });
});

describe('figures that a block may not have', () => {
  const refused = (figure: Partial<BlockFigure>) => () =>
    checkExamples(datasetBlock({ ...DECLARED, figures: [{ title: 'Odd', ask: '', ...figure }] }));
  test.each([
    ['_group=knd', /figure “Odd” is refused: .*Did you mean kind/],
    ['height_min=tall', /figure “Odd” is refused/],
    ['_group=kind&_format=csv', /figure “Odd” has _format in its "ask"/],
    ['_group=kind&_cursor=x', /figure “Odd” has _cursor/],
    ['kind=elm', /figure “Odd” asks for no figure/],
    ['_view=figures', /figure “Odd” asks for no figure/],
  ])('%s', (ask, message) => {
    expect(refused({ ask })).toThrow(message);
  });

  test('a view without figures has no such name: others are refused it', () => {
    const { figures, ...plain } = DECLARED;
    const view = datasetBlock(plain).options.find(({ name }) => name === '_view');
    expect(view?.choices).not.toContain('figures');
    expect(FIGURES_OF_BLOCK).toEqual({ least: 3, most: 6 });
  });
});

describe('the blocks that ship', () => {
  let shipped: Service;
  beforeAll(async () => {
    shipped = await startService();
  });
  afterAll(() => shipped.close());

  test.each(['business-directory', 'census-neighborhoods'])(
    '%s: each of its figures can be drawn, and its Data Package names them',
    async (name) => {
      const path = `/api_v2/blocks/${name}`;
      const { text } = await shipped.get(path, { accept: 'text/html' });
      const figures = figuresIn(text);
      expect(figures.length).toBeGreaterThanOrEqual(3);
      for (const figure of figures) expect(figure).toContain('class="plate"');
      const { body } = await shipped.get(`${path}/datapackage.json`);
      expect(body.figures).toHaveLength(figures.length);
    },
  );

  test('MCP tells a model what the publisher found', async () => {
    const params = { name: 'describe', arguments: { block: 'business-directory' } };
    const sent = { method: 'tools/call', params };
    const said = JSON.stringify(await sendMessage(shipped, '2025-11-25', sent));
    expect(said).toContain('Two streets have two in five of the businesses');
  });
});
