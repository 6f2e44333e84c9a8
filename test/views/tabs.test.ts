import { expect, test } from '@jest/globals';
import type { ViewName } from '../../src/block/views.ts';
import { hrefOf, type Links, type PageState } from '../../src/page/links.ts';
import { call } from '../../src/views/call.tsx';
import { chart } from '../../src/views/chart.tsx';
import { columns } from '../../src/views/columns.tsx';
import { map } from '../../src/views/map.tsx';
import { table } from '../../src/views/table.tsx';
import { stateOf } from '../../src/views/view.ts';

const KINDS = { chart, map, table, columns, api: call };

const QUESTION: PageState = [
  ['category', 'retail'],
  ['_group', 'kind'],
  ['_mark', 'bars'],
  ['_limit', '5'],
];

const linksFrom = (view: ViewName, added: PageState = []): Links => ({
  ...{ address: { url: 'https://a.example/x', toRoot: './' }, mayBeFramed: true },
  ...{ sent: QUESTION, state: QUESTION, added, view, key: undefined, canonical: '' },
});

test.each<[from: ViewName, to: keyof typeof KINDS, href: string]>([
  ['chart', 'chart', '?category=retail&_group=kind&_mark=bars&_view=chart'],
  ['table', 'chart', '?category=retail&_group=kind&_mark=bars&_view=chart'],
  ['map', 'chart', '?category=retail&_view=chart'],
  ['map', 'map', '?category=retail&_group=kind&_mark=bars&_view=map'],
  ['chart', 'map', '?category=retail&_view=map'],
  ['chart', 'table', '?category=retail&_limit=5&_view=table'],
  ['chart', 'columns', '?category=retail&_group=kind&_mark=bars&_limit=5&_view=columns'],
  ['chart', 'api', '?category=retail&_group=kind&_limit=5&_view=api'],
])(
  'a tab keeps the filters, and the question if it has a place there: %s to %s',
  (from, to, href) => {
    expect(hrefOf(stateOf(KINDS[to], linksFrom(from)))).toBe(href);
  },
);

test('the call has the question too that was not sent', () => {
  const added: PageState = [['_group', 'month']];
  const links = { ...linksFrom('chart', added), state: [['category', 'retail']] as PageState };
  expect(hrefOf(stateOf(call, links))).toBe('?category=retail&_view=api&_group=month');
  expect(hrefOf(stateOf(table, links))).toBe('?category=retail&_view=table');
});
