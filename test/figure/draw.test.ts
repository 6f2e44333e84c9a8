import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MARK_NAMES } from '../../src/block/views.ts';
import { LIGHT, SERIES, SHADES } from '../../src/figure/colours.ts';
import { drawNumbers, drawPicture, drawWords } from '../../src/figure/draw.ts';
import { drawFile, wrapped } from '../../src/figure/draw-file.ts';
import { escaped } from '../../src/figure/draw-shapes.ts';
import type { Figure } from '../../src/figure/figure.ts';
import { marksFor } from '../../src/figure/figure.ts';
import { dayText, figure, pairsOf, placesOf, questionOf, rowOf } from './questions.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=y>',
  "' onload='z",
  '&amp;',
  ']]>',
  '\u0000\u0008\ud800x\udfff\uffff',
  '<!--',
  'style="a"',
];

/** A figure of every mark, whose names and titles are these. */
function figuresOf(names: readonly string[]): Figure[] {
  const rows = names.flatMap((kind, i) =>
    [0, 1, 2, 40].map((day) =>
      rowOf({ kind, area: kind, day: dayText(day), load: i + day, lon: i, lat: day / 9 }),
    ),
  );
  const map = {
    ...{ kind: 'regions' as const, width: 9, height: 9, west: 0, east: 9, south: 0, north: 9 },
    shapes: Object.fromEntries(names.map((name) => [name, 'M0 0h9v9z'])),
  };
  const two = { _group: 'day.month,kind', _measure: 'sum:load' };
  return [
    figure(questionOf(rows, { _group: 'day.day', _measure: 'avg:load' })),
    figure(questionOf(rows, { _group: 'day.day', _measure: 'min:load,max:load' })),
    figure(questionOf(rows, two), 'line'),
    figure(questionOf(rows, { _group: 'day.month_of_year,day.year', _measure: 'sum:load' })),
    figure(questionOf(rows, two), 'plots'),
    figure(questionOf(rows, two), 'heat'),
    figure(questionOf(rows, two), 'parts'),
    figure(questionOf(rows, two), 'areas'),
    figure(questionOf(rows.slice(0, 12), { _group: 'kind,area' }), 'grouped'),
    figure(questionOf(rows, { _group: 'load.5' })),
    figure(questionOf(rows, { _group: 'kind' })),
    figure(questionOf(rows, { _group: 'area', map }), 'regions'),
    figure(questionOf(rows, { _group: 'place.100km' })),
    figure(placesOf(rows)),
    figure(pairsOf(rows.map((row, i) => ({ ...row, year: i })))),
    figure(
      pairsOf(
        [{ load_from: 0, load_to: 5, year_from: 1, year_to: 2, count: 1200 }],
        { of: 'squares', rows: 1200 },
        { named: rows.map((row) => ({ ...row, year: 1 })) },
      ),
    ),
  ].map((one) => ({ ...one, plate: { ...one.plate, source: { title: names[0] ?? '' } } }));
}

const markupOf = (one: Figure) =>
  `${drawPicture(one)}<figcaption>${drawWords(one.caption)}</figcaption>${drawNumbers(one)}`;

test('each mark of the list is tried here', () => {
  expect(new Set(figuresOf(['a', 'b']).map(({ mark }) => mark))).toEqual(new Set(MARK_NAMES));
});

test('each number of each mark is in the table', () => {
  const numberOf = (cell: string) => Number(cell.replace('−', '-').replace(/,| k?m$/g, ''));
  for (const { marks, numbers, mark } of figuresOf(['a', 'b', 'c'])) {
    const all = new Set(numbers.rows.flatMap(({ cells }) => cells.slice(1).map(numberOf)));
    expect(marks.length).toBeGreaterThan(0);
    for (const number of marks.flatMap((one) => one.numbers)) {
      if (number !== null) expect([mark, number, all.has(number)]).toEqual([mark, number, true]);
    }
  }
});

describe('a hostile cell', () => {
  test('comes out escaped, on a page and in a file', () => {
    for (const one of figuresOf(HOSTILE)) {
      for (const markup of [markupOf(one), drawFile(one)]) {
        expect(markup).not.toMatch(/<(?:script|img|!--)|\s(?:style|on\w+)=["']/);
        expect(markup.isWellFormed()).toBe(true);
      }
    }
  });

  test('leaves no markup behind, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }), {
          minLength: 2,
          maxLength: 5,
        }),
        (names) => {
          for (const one of figuresOf([...new Set(names)])) {
            for (const markup of [markupOf(one), drawFile(one)])
              expect(unexpectedIn(markup)).toEqual([]);
          }
        },
      ),
      { seed: 41, numRuns: 15 },
    );
  });

  test('has none of the characters that XML forbids', () => {
    expect(escaped('a\u0000\u0008\u000b\u001f\ufffe\uffff\ud800b\udfffc\t\n😀')).toBe('abc\t\n😀');
    expect(escaped(`<a b="c" d='e'>&`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;');
  });
});

/** Tags and attributes that no figure has, and tags that are not closed in their order. */
function unexpectedIn(markup: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  const NAMES =
    /^(?:svg|g|a|path|rect|circle|line|text|tspan|title|div|table|thead|tbody|tr|th|td|bdi|span|ul|li|b|small|symbol|use|defs|p|figcaption)$/;
  const rest = markup.replace(
    /<(\/?)([a-z]+)((?: [\w:-]+="[^"<>]*")*)(\/?)>/g,
    (_, end, name, __, closed) => {
      if (!NAMES.test(name)) wrong.push(name);
      if (end === '/') {
        if (open.pop() !== name) wrong.push(`/${name}`);
      } else if (closed === '') open.push(name);
      return '';
    },
  );
  // Whatever is left is text.
  return [...wrong, ...open, ...(rest.match(/[<>]/g) ?? [])];
}

describe('on a page', () => {
  test('a plot has no viewBox, no style and no colour, and one stop of the keyboard', () => {
    for (const one of figuresOf(['a', 'b'])) {
      const picture = drawPicture(one);
      expect(picture).not.toMatch(/\sstyle=|#[0-9a-f]{6}/);
      expect(picture.match(/tabindex="0"/g)?.length ?? 0).toBe(
        one.picture?.layout === 'list' ? 0 : 1,
      );
      if (one.picture?.layout === 'plot')
        expect(picture).toMatch(
          /^(?:<ul class="key(?: narrow)?">.*<\/ul>)?<div class="plot [^"]*" tabindex="0" role="group" aria-label="[^"]+" aria-describedby="caption"><svg aria-hidden="true">/,
        );
    }
  });

  test('curves are stretched; what has a size of its own is not', () => {
    const picture = drawPicture(figuresOf(['a'])[0] as Figure);
    expect(picture).toContain(
      '<svg class="ink" viewBox="0 0 1000 1000" preserveAspectRatio="none"',
    );
    expect(picture).toMatch(
      /<rect class="on" x="[\d.]+%" y="[\d.]+%" width="7" height="7" transform="translate\(-3.5 -3.5\)"\/>/,
    );
  });

  test('a figure that is labelled has its name as its label, and its sentences as its description', () => {
    const [one] = figuresOf(['a', 'b']) as [Figure];
    expect(one.sentence).toMatch(/^Line: Average of Load, by day of Day\. From /);
    expect(drawPicture(one)).toContain(`aria-label="${escaped(one.name)}"`);
    expect(one.sentence.startsWith(`${one.name}. `)).toBe(true);
  });
});

describe('in a file', () => {
  test('there are attributes in place of classes, and no percentages', () => {
    for (const one of figuresOf(['a', 'b'])) {
      const file = drawFile(one);
      expect(file).toMatch(
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="800" height="\d+" viewBox="0 0 800 \d+"/,
      );
      expect(file).not.toMatch(
        /\sclass=|\shref="(?!#)|(?:x|y|width|height|x1|y1)="[\d.]+%"|NaN|undefined/,
      );
      expect(unexpectedIn(file)).toEqual([]);
    }
  });

  test('texts are broken into lines, and a word that is too long is cut', () => {
    expect(wrapped('aa bb ccc', 5)).toEqual(['aa bb', 'ccc']);
    expect(wrapped('abcdefghij', 5)).toEqual(['abcd…']);
    expect(wrapped('', 5)).toEqual([]);
  });
});

describe('colours', () => {
  /** Contrast as WCAG 2.2 defines it. */
  const luminance = (hex: string) => {
    const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
    const [r = 0, g = 0, b = 0] = channels.map((c) =>
      c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: string, b: string) => {
    const [high = 1, low = 1] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };

  test('shades begin at 3:1 on the ground and on the panel of a map, and get darker', () => {
    for (const shade of SHADES) {
      expect(contrast(shade, LIGHT.ground)).toBeGreaterThanOrEqual(3);
      expect(contrast(shade, LIGHT.panel)).toBeGreaterThanOrEqual(3);
    }
    const lights = SHADES.map(luminance);
    expect(lights).toEqual(lights.toSorted((a, b) => b - a));
  });

  test('so do those of the dark page, which get lighter', () => {
    const dark = ['#4270ab', '#1a92a9', '#37b4a0', '#7dd58f', '#eaed78'];
    for (const shade of dark) expect(contrast(shade, '#18201c')).toBeGreaterThanOrEqual(3);
    expect(dark.map(luminance)).toEqual(dark.map(luminance).toSorted((a, b) => a - b));
  });

  test('series are visible on the ground, and letters readable', () => {
    for (const colour of SERIES) expect(contrast(colour, LIGHT.ground)).toBeGreaterThanOrEqual(3);
    expect(contrast(LIGHT.quiet, LIGHT.ground)).toBeGreaterThanOrEqual(4.5);
  });
});

describe('what a figure can be', () => {
  const rows = ['a', 'b'].map((kind, i) => rowOf({ kind, day: dayText(i), load: i }));

  test.each([
    ['day.day', ['line', 'bars']],
    ['kind', ['bars']],
    ['load.1', ['histogram', 'bars']],
    ['day.day,kind', ['line', 'plots', 'grouped', 'heat', 'parts', 'areas']],
    ['place.1km', ['cells']],
    ['day.day,kind,load.1', []],
    ['', []],
  ])('of groups by %s: %j', (_group, marks) => {
    expect(marksFor(questionOf(rows, { _group }))).toEqual(marks);
  });

  test('a mark that does not fit gives way to the usual one', () => {
    expect(figure(questionOf(rows, { _group: 'kind' }), 'heat').mark).toBe('bars');
  });

  test('says how many rows it is of', () => {
    expect(figure(questionOf(rows, { _group: 'kind' })).state).toBe('All 2 loads');
    const some = figure(questionOf(rows, { _group: 'kind', matching: rows.slice(1) }));
    expect([some.state, some.plate.rows]).toEqual(['1 of 2 loads', '1 of 2 loads']);
  });
});
