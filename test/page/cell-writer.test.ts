import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { type CellContext, cellWriter } from '../../src/page/cells.ts';
import type { Value } from '../../src/values/field-type.ts';
import type { FieldTypeName } from '../../src/values/field-types.ts';

const shown = (
  type: FieldTypeName,
  values: readonly Value[],
  context: CellContext = {},
  name = 'x',
) => values.map(cellWriter({ type, name, title: 'X' }, values, LANGUAGES.en, context));

test('numbers that may name things are shown without separators', () => {
  const field = { type: 'integer', name: 'buses', title: 'Buses' } as const;
  expect(cellWriter({ ...field, label: true }, [234_567], LANGUAGES.en, {})(234_567)).toBe(
    '234567',
  );
  expect(cellWriter(field, [234_567], LANGUAGES.en, {})(234_567)).toBe('234,567');
});

test('a page writes a column with the decimals that all of its values have', () => {
  expect(shown('number', [5], { decimals: 2, min: 0, max: 9 })).toEqual(['5.00']);
  expect(shown('number', [5], { decimals: 14, min: 0, max: 1462.9 })).toEqual(['5.0']);
});

describe('a column of a page shows', () => {
  test.each<[string, FieldTypeName, readonly Value[], readonly string[], CellContext?, string?]>([
    [
      'money with two decimals throughout',
      'number',
      [1866.8, 1037.39, 5],
      ['1,866.80', '1,037.39', '5.00'],
    ],
    ['whole numbers with separators', 'integer', [42557, 913, null], ['42,557', '913', '']],
    ['whole numbers as such among decimals of none', 'number', [17, 2000], ['17', '2,000']],
    [
      'years without separators',
      'integer',
      [1900, 2019],
      ['1900', '2019'],
      { min: 1850, max: 2024 },
    ],
    [
      'counts that look like years, among others',
      'integer',
      [1900, 2019],
      ['1,900', '2,019'],
      { min: 3, max: 2024 },
    ],
    ['a key without separators', 'integer', [5000, 4999], ['5000', '4999'], { isKey: true }],
    ['ids without separators', 'integer', [5000], ['5000'], {}, 'ward_id'],
    [
      'few of the decimals of a computation',
      'number',
      [1462.9117967296233, 11.5],
      ['<data value="1462.9117967296233" title="1462.9117967296233">1,462.9</data>', '11.5'],
    ],
    ...(
      [
        [
          [0.123456789, 0.5],
          ['0.123', '0.500'],
        ],
        [
          [2.4104641, 1],
          ['2.410', '1.000'],
        ],
        [
          [22.75123456, 135.765],
          ['22.8', '135.8'],
        ],
        [
          [-853.2857142857, 4],
          ['−853.3', '4.0'],
        ],
        [
          [9999.9999999, 0.02],
          ['10,000.0', '0.02'],
        ],
        [
          [123456.7890123, 7],
          ['123,457', '7'],
        ],
      ] as const
    ).map(([values, texts]): [string, FieldTypeName, readonly Value[], readonly string[]] => [
      `averages with about four digits, such as ${texts[0]}`,
      'number',
      values,
      values.map((value, i) => {
        const text = texts[i] as string;
        const isExact = Number(text.replaceAll(',', '')) === value;
        return isExact ? text : `<data value="${value}" title="${value}">${text}</data>`;
      }),
    ]),
    [
      'degrees to a metre',
      'number',
      [39.31886821116],
      ['<data value="39.31886821116" title="39.31886821116">39.31887</data>'],
      { isPlace: true },
    ],
    [
      'a tiny number as more than nothing',
      'number',
      [0.00000012345, 2],
      ['<data value="1.2345e-7" title="1.2345e-7">0.000000123</data>', '2.000'],
    ],
    [
      'times to the minute',
      'datetime',
      ['2026-05-01T10:11:00Z'],
      ['<time datetime="2026-05-01T10:11:00Z">2026-05-01 10:11 UTC</time>'],
    ],
    [
      'seconds where one has some',
      'datetime',
      ['2026-05-01T10:11:00', '2026-05-01T10:11:07'],
      [
        '<time datetime="2026-05-01T10:11:00">2026-05-01 10:11:00</time>',
        '<time datetime="2026-05-01T10:11:07">2026-05-01 10:11:07</time>',
      ],
    ],
    [
      'an offset beside its time',
      'datetime',
      ['2026-05-01T10:11:00+02:00'],
      ['<time datetime="2026-05-01T10:11:00+02:00">2026-05-01 10:11 +02:00</time>'],
    ],
    [
      'links without https',
      'link',
      ['https://www.example.org/'],
      ['<a href="https://www.example.org/">example.org</a>'],
    ],
    ['text as text', 'text', ['<b>"1" & 2'], ['&lt;b&gt;&quot;1&quot; &amp; 2']],
  ])('%s', (_, ...[type, values, expected, context, name]) => {
    expect(shown(type, values, context, name)).toEqual(expected);
  });

  test('long links cut, and whole where they lead', () => {
    const address = `https://example.org/${'a'.repeat(200)}`;
    const [link = ''] = shown('link', [address]);
    expect(link).toContain(`href="${address}"`);
    expect(link.replace(/<[^>]*>/g, '')).toHaveLength(40);
  });

  test('any number so that its digits are there', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
        (values) => {
          const cells = shown('number', values);
          const read = cells.map((cell) =>
            Number(
              (/data value="([^"]*)"/.exec(cell)?.[1] ?? cell)
                .replaceAll(',', '')
                .replace('−', '-'),
            ),
          );
          expect(read.map((value) => value + 0)).toEqual(values.map((value) => value + 0));
        },
      ),
      { seed: 14 },
    );
  });
});
