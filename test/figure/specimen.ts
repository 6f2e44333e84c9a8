import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { groupingOf } from '../../src/block/grouping.ts';
import type { MapDrawing } from '../../src/block/manifest.ts';
import type { MarkName } from '../../src/block/views.ts';
import { drawNumbers, drawPicture, drawWords } from '../../src/figure/draw.ts';
import { drawFile } from '../../src/figure/draw-file.ts';
import { escaped } from '../../src/figure/draw-shapes.ts';
import { figureOf } from '../../src/figure/figure.ts';
import type { Question } from '../../src/figure/question.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { openBrowser } from '../channels/browser/browser.ts';
import { dayText, linkOf, placesOf, questionOf, rowOf } from './questions.ts';

/**
 * Writes a page of all figures, and one of their files, to a folder, and takes pictures of them:
 *
 *     node --import tsx test/figure/specimen.ts <folder> <design>
 *
 * `design` is the folder of the design, with `mock/page.css` and `mock/data`.
 */

const [folder = '', design = ''] = process.argv.slice(2);
if (folder === '' || design === '') throw new Error('Name a folder, and that of the design.');

/** What the style must have besides that of the mock. */
const MORE = `
.plot .open{stroke-dasharray:4 4}
.mark.open{fill:var(--ground);stroke:var(--mark);stroke-width:2}
.heatgrid{direction:ltr;padding:.25rem 0 1.75rem 9.5rem}
.heatgrid svg{overflow:visible}
.heatgrid text{fill:var(--quiet);font-size:.8125rem}
.heatgrid a:hover rect{stroke:var(--mark);stroke-width:2}
.heatgrid .others{fill:var(--line)}
.key .c1,.key .c2,.key .c3,.key .c4,.key .c5,.key .c6,.key .c7,.key .c8,.part{fill:var(--c,var(--line))}
.key .others{fill:var(--line)}
.land,.area{vector-effect:non-scaling-stroke}
.area.s1{fill:var(--s1)}.area.s2{fill:var(--s2)}.area.s3{fill:var(--s3)}.area.s4{fill:var(--s4)}.area.s5{fill:var(--s5)}
.map .other{stroke:var(--line);stroke-width:6;stroke-linecap:round}
.cells rect{stroke:none}
.map a:hover path{fill:var(--mark)}
@media (max-width:47.99rem){.heatgrid{padding-left:8.5rem}}
`;

type Data = { readonly rows: readonly Row[] } & Record<string, unknown>;
const data = (name: string): Data =>
  JSON.parse(readFileSync(path.join(design, 'mock', 'data', `${name}.json`), 'utf8'));

/** A question about groups that are answered already. */
function answered(
  fields: readonly Field[],
  { _group, _measure }: { readonly _group: string; readonly _measure: string },
  groups: readonly Row[],
  more: Partial<Omit<Question['known'], 'language'>> & { readonly matching?: number } = {},
): Question {
  const asked = { _group: _group.split(','), _measure: _measure.split(',') };
  const grouping = groupingOf({ fields }, asked);
  if (grouping === undefined) throw new TypeError('These are no groups.');
  const matching = more.matching ?? groups.reduce((sum, row) => sum + Number(row.count ?? 0), 0);
  return {
    answer: { grouping, groups, total: groups.length, matching },
    known: {
      ...{
        language: ENGLISH,
        noun: 'days',
        rows: matching,
        fields,
        statistics: {},
        version: 'a6400dea481cbd1ecb19',
      },
      source: { title: 'MTA daily ridership', publisher: 'MTA, data.ny.gov' },
      ...more,
    },
    linkOf,
  };
}

const RIDERSHIP: Field[] = [
  { type: 'date', name: 'date', title: 'Date' },
  ...Object.entries({
    subways_total_estimated_ridership: 'Subway riders',
    subways_of_comparable_pre_pandemic_day: 'Subways',
    buses_of_comparable_pre_pandemic_day: 'Buses',
    lirr_of_comparable_pre_pandemic_day: 'LIRR',
    metro_north_of_comparable_pre_pandemic_day: 'Metro-North',
    access_a_ride_of_comparable_pre_pandemic_day: 'Access-A-Ride',
    bridges_and_tunnels_of_comparable_pre_pandemic_day: 'Bridges and tunnels',
    staten_island_railway_of_comparable_pre_pandemic_d: 'Staten Island Railway',
  }).map(([name, title]): Field => ({ type: 'number', name, title })),
];
const RIDERS = 'subways_total_estimated_ridership';
const PER_MONTH = { _group: 'date.month', _measure: `avg:${RIDERS},count` };

const days = (values: readonly (number | null)[], step = 1): Row[] =>
  values.map((load, i) => rowOf({ day: dayText(i * step), load }));
const months = (values: readonly (number | null)[]): Row[] =>
  values.flatMap((load, i) =>
    load === null ? [] : [rowOf({ day: `2024-${String(i + 1).padStart(2, '0')}-01`, load })],
  );
const AVERAGE = { _group: 'day.month', _measure: 'avg:load' };
const series = (count: number) =>
  Array.from({ length: 12 * count }, (_, i) => {
    const [k, month] = [i % count, Math.floor(i / count)];
    const load = 10 + k * 9 + 5 * Math.sin((month + k) / 1.7);
    return rowOf({ day: dayText(month * 31), kind: `Series ${k + 1}`, load });
  });

const histogram = data('ridership-histogram') as unknown as {
  readonly all: Data;
  readonly filtered: Data;
  readonly median: number;
};
const bins = { _group: `${RIDERS}.250000`, _measure: 'count' };
const fur = (data('squirrels-fur').rows as Row[]).map((row) => ({
  kind: row.combination_of_primary_and_highlight_color ?? null,
  count: row.count ?? null,
}));
const squirrels = (data('squirrels-places').places as [number, number][]).map(([lon, lat]) =>
  rowOf({ lon, lat }),
);
const businesses = (data('businesses').rows as Row[]).map((row) =>
  rowOf({
    ...{ kind: row.business ?? null, lon: row.longitude ?? null, lat: row.latitude ?? null },
    _distance: row._distance ?? null,
  }),
);

type Shapes = {
  readonly features: readonly {
    readonly properties: { readonly neighborhood: string };
    readonly geometry: { readonly type: string; readonly coordinates: unknown };
  }[];
};

/** A drawing of areas, as the importer makes it. */
function drawingOf({ features }: Shapes): MapDrawing {
  const rings = features.map(({ properties, geometry }) => ({
    name: properties.neighborhood,
    rings: (geometry.type === 'Polygon'
      ? (geometry.coordinates as [number, number][][])
      : (geometry.coordinates as [number, number][][][]).flat()) as [number, number][][],
  }));
  const all = rings.flatMap(({ rings }) => rings.flat());
  const [west, east] = [Math.min(...all.map(([x]) => x)), Math.max(...all.map(([x]) => x))];
  const [south, north] = [Math.min(...all.map(([, y]) => y)), Math.max(...all.map(([, y]) => y))];
  const [width, height] = [1000, (1000 * (north - south)) / ((east - west) * 0.775)];
  const at = ([x, y]: [number, number]) =>
    `${Math.round(((x - west) / (east - west)) * width)} ${Math.round(((north - y) / (north - south)) * height)}`;
  const shapes = Object.fromEntries(
    rings.map(({ name, rings }) => [
      name,
      rings.map((ring) => `M${ring.map(at).join('L')}z`).join(''),
    ]),
  );
  return { kind: 'regions', width, height, west, east, south, north, shapes };
}

const baltimore = drawingOf(data('neighborhoods-shapes') as unknown as Shapes);
const hoods = (data('neighborhoods').rows as Row[]).map((row) =>
  rowOf({ area: row.neighborhood_1 ?? null, load: row.persons_per_acre ?? null }),
);
const AREAS: Field[] = [
  { type: 'text', name: 'area', title: 'Neighborhood' },
  { type: 'number', name: 'load', title: 'Persons per acre' },
];

const CHANGES: Row[] = Object.entries({
  ...{ Highlandtown: 12, Canton: 7, 'Fells Point': 0, Madison: -4, 'Harbor East': -15 },
}).map(([kind, load]) => rowOf({ kind, load }));
const LONG = 'Department of Housing and Community Development, Office of Vacant Buildings';

const SHEET: readonly (readonly [name: string, question: Question, mark?: MarkName])[] = [
  ['Line: riders', answered(RIDERSHIP, PER_MONTH, data('ridership-month').rows)],
  [
    'Lines: weekdays',
    answered(
      RIDERSHIP,
      { ...PER_MONTH, _group: 'date.month,date.weekday' },
      data('ridership-weekday').rows,
    ),
  ],
  [
    'Heat table: weekdays',
    answered(
      RIDERSHIP,
      { ...PER_MONTH, _group: 'date.month,date.weekday' },
      data('ridership-weekday').rows,
    ),
    'heat',
  ],
  [
    'Lines: several measures',
    answered(
      RIDERSHIP,
      {
        _group: 'date.month',
        _measure: RIDERSHIP.slice(2)
          .map(({ name }) => `avg:${name}`)
          .concat('count')
          .join(','),
      },
      data('ridership-modes').rows,
    ),
  ],
  [
    'Histogram with all outlined',
    {
      ...answered(RIDERSHIP, bins, histogram.filtered.rows, { rows: 1706 }),
      ...{ all: histogram.all.rows, median: histogram.median },
    },
  ],
  [
    'Bars',
    answered(
      [{ type: 'text', name: 'kind', title: 'Fur, both' }],
      { _group: 'kind', _measure: 'count' },
      fur,
      { noun: 'sightings' },
    ),
  ],
  ['Squares', questionOf(squirrels, { _group: 'place.100m' })],
  ['Circles', placesOf(businesses, { here: [-73.997, 40.68] })],
  ['Circles, without a place asked for', placesOf(businesses)],
  [
    'Areas',
    questionOf(hoods, { _group: 'area', _measure: 'avg:load', fields: AREAS, map: baltimore }),
    'regions',
  ],
  [
    'Parts of 100 %',
    questionOf(
      series(5).filter((_, i) => i % 3 !== 1 || i % 2 === 0),
      { _group: 'day.month,kind' },
    ),
    'parts',
  ],
  ['Gaps', questionOf(months([12, 14, null, null, 19, null, 22, 21, 18, 14, 9, 8]), AVERAGE)],
  [
    'Counts are 0',
    questionOf(months([12, 14, null, null, 19, null, 22, 21, 18, 14, 9, 8]), {
      _group: 'day.month',
    }),
  ],
  ['Negative', questionOf(months([-8, -6, -1, 5, 11, 16, 19, 18, 13, 7, 1, -5]), AVERAGE)],
  ['One point', questionOf(months([14]), AVERAGE)],
  ['All equal', questionOf(months([7, 7, 7, 7, 7, 7]), AVERAGE)],
  ['All blank', questionOf(days([null, null]), AVERAGE)],
  [
    'Not from zero',
    questionOf(
      months([1003, 1008, 1001, 995, 999, 1012, 1017, 1011, 1004, 1002, 1009, 1014]),
      AVERAGE,
    ),
  ],
  [
    'A last month that is not full',
    questionOf(days(Array.from({ length: 260 }, (_, i) => 5 + (i % 7))), {
      _group: 'day.month',
      _measure: 'sum:load',
    }),
  ],
  ['Eight series', questionOf(series(8), { _group: 'day.month,kind', _measure: 'avg:load' })],
  ['Nine series', questionOf(series(9), { _group: 'day.month,kind', _measure: 'avg:load' })],
  [
    'Days, 700',
    questionOf(days(Array.from({ length: 700 }, (_, i) => 50 + 30 * Math.sin(i / 40) + (i % 13))), {
      _group: 'day.day',
      _measure: 'avg:load',
    }),
  ],
  [
    'Bars with negatives',
    questionOf(CHANGES, { _group: 'kind', _measure: 'sum:load', sort: 'sum_load' }),
  ],
  [
    'Long names',
    questionOf([rowOf({ kind: LONG }), rowOf({ kind: LONG }), rowOf({ kind: 'B' }), rowOf({})], {
      _group: 'kind',
      sort: 'count',
    }),
  ],
  [
    'Lines with long names',
    questionOf(
      series(3).map((row) => ({ ...row, kind: `${LONG} ${row.kind}` })),
      { _group: 'day.month,kind', _measure: 'avg:load' },
    ),
  ],
];

const css = readFileSync(path.join(design, 'mock', 'page.css'), 'utf8') + MORE;
const figures = SHEET.map(([name, question, mark]) => ({ name, figure: figureOf(question, mark) }));
const drawn = figures.map(({ name, figure }) => {
  if (figure === undefined) return `<figure><h2>${name}</h2><p>No figure</p></figure>`;
  const { title, state, extent = '', caption, plate } = figure;
  const numbers =
    figure.picture?.layout === 'list'
      ? ''
      : `<details><summary>The numbers</summary><div class="scroll">${drawNumbers(figure, 0, 8)}</div></details>`;
  return `<figure><p class="small quiet">${name}</p><h2>${escaped(title)}</h2><p class="state"><b>${escaped(state)}</b> ${escaped(extent)}</p>${drawPicture(figure)}<figcaption>${drawWords(caption)}</figcaption><div class="plate"><span>${escaped(plate.source.publisher ?? '')} · ${plate.rows} · version ${plate.version.slice(0, 6)}</span></div>${numbers}</figure>`;
});
const page = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Specimen of figures</title><style>${css}</style></head><body><div class="body"><div class="cols"><div class="main">${body}</div></div></div></body></html>`;

mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'specimen.html'), page(drawn.join('\n')));
const files = figures.flatMap(({ figure }) => (figure === undefined ? [] : [drawFile(figure)]));
for (const [i, file] of files.entries()) writeFileSync(path.join(folder, `figure-${i}.svg`), file);
const images = files.map((_, i) => `<img src="figure-${i}.svg" alt="">`).join('\n');
writeFileSync(path.join(folder, 'files.html'), page(images));

const browser = await openBrowser();
for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1280]) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const tab = await context.newPage();
    tab.setDefaultTimeout(0);
    await tab.goto(`file://${path.resolve(folder)}/specimen.html`);
    for (const [i, element] of (await tab.$$('figure')).entries()) {
      await element.screenshot({ path: path.join(folder, `${i}-${width}-${colorScheme}.png`) });
    }
    await context.close();
  }
}
const context = await browser.newContext({ viewport: { width: 860, height: 900 } });
const tab = await context.newPage();
await tab.goto(`file://${path.resolve(folder)}/files.html`);
await tab.screenshot({ path: path.join(folder, 'files.png'), fullPage: true });
await browser.close();
