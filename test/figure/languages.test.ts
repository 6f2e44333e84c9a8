import { describe, expect, test } from '@jest/globals';
import type { MapDrawing } from '../../src/block/manifest.ts';
import type { MarkName } from '../../src/block/views.ts';
import { drawNumbers, drawPicture } from '../../src/figure/draw.ts';
import { drawFile } from '../../src/figure/draw-file.ts';
import type { Figure } from '../../src/figure/figure.ts';
import { numberWords, percent } from '../../src/figure/numbers.ts';
import type { Question } from '../../src/figure/question.ts';
import type { Language } from '../../src/languages/language.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';
import {
  captionIn,
  dayText,
  FIELDS,
  figure,
  linksIn,
  pairsOf,
  placesOf,
  questionOf,
  rowOf,
  seenIn,
  shapesIn,
  textsIn,
} from './questions.ts';

const [ENGLISH, GERMAN, SPANISH] = [LANGUAGES.en, LANGUAGES.de, LANGUAGES.es];

const rows = Array.from({ length: 300 }, (_, i) =>
  rowOf({
    day: i % 50 === 7 ? null : dayText(i + 12),
    at: new Date(Date.UTC(2024, 0, 1) + i * 3_700_000).toISOString(),
    ...{ kind: i % 11 === 3 ? null : `k${i % 4}`, area: `a${i % 12}`, year: 1950 + (i % 12) },
    load: i % 29 === 0 ? null : 12_345.678 * (i % 17),
    ...{ lon: i % 20 === 0 ? null : 10 + (i % 9) / 10, lat: 50 + (i % 5) / 10 },
  }),
);
const FEW = rows.slice(0, 30).map((row, i) => ({ ...row, _distance: i * 90 }));
const AREAS: MapDrawing = {
  ...{ kind: 'regions', west: 9, east: 11, south: 49, north: 51, width: 600, height: 900 },
  shapes: { a1: 'M0 0h300v900h-300z', a2: 'M300 0h300v900h-300z', a99: 'M0 0h9v9z' },
};

const histogramOf = (): Question => {
  const all = questionOf(rows, { _group: 'load.20000' });
  const some = questionOf(rows, { _group: 'load.20000', matching: rows.slice(0, 100) });
  return { ...some, all: all.answer.groups, median: 13_543.5 };
};

/** Questions whose figures say something different each. */
const QUESTIONS: Readonly<Record<string, readonly [question: Question, mark?: MarkName]>> = {
  'a line by month': [questionOf(rows, { _group: 'day.month', _measure: 'sum:load' })],
  'a line by week': [questionOf(rows, { _group: 'day.week', _measure: 'avg:load' })],
  'a line by day': [questionOf(rows.slice(0, 20), { _group: 'day.day' })],
  'a line by quarter': [questionOf(rows, { _group: 'day.quarter', _measure: 'p91:load' })],
  'a line by year, not from 0': [questionOf(rows, { _group: 'year', _measure: 'median:load' })],
  lines: [questionOf(rows, { _group: 'day.month,kind', _measure: 'avg:load' })],
  'one point': [questionOf(rows.slice(0, 1), { _group: 'day.month', _measure: 'max:load' })],
  'all equal': [questionOf(rows.slice(0, 6), { _group: 'day.day', _measure: 'distinct:area' })],
  'instead of days': [questionOf(rows, { _group: 'day.month', instead: 'day' })],
  'too many points': [
    questionOf(
      Array.from({ length: 2100 }, (_, i) => rowOf({ day: dayText(i), load: i })),
      { _group: 'day.day', _measure: 'avg:load' },
    ),
  ],
  bars: [questionOf(rows, { _group: 'area', sort: 'count', bars: 3 })],
  'bars of averages': [
    questionOf(rows, { _group: 'kind', _measure: 'avg:load', sort: 'avg_load' }),
  ],
  'bars of shares': [questionOf(rows, { _group: 'kind', _measure: 'share:count' })],
  'bars by weekday': [questionOf(rows, { _group: 'day.weekday' })],
  'bars by month of year': [
    questionOf(rows, { _group: 'day.month_of_year', _measure: 'min:load' }),
  ],
  'bars by week of year': [questionOf(rows, { _group: 'day.week_of_year' })],
  'bars by hour': [questionOf(rows, { _group: 'at.hour', _measure: 'share:sum:load' })],
  'a histogram': [histogramOf()],
  'a heat table': [questionOf(rows, { _group: 'day.weekday,area', _measure: 'avg:load' }), 'heat'],
  'bars side by side': [questionOf(FEW, { _group: 'kind,area' }), 'grouped'],
  'two numbers': [
    pairsOf(
      FEW.map((row, i) => ({ ...row, year: i })),
      { without: 3, zeros: 2 },
    ),
  ],
  parts: [questionOf(rows, { _group: 'kind,area' }), 'parts'],
  squares: [questionOf(rows, { _group: 'place.20km' })],
  'squares of averages': [questionOf(rows, { _group: 'place.20km', _measure: 'avg:load' })],
  circles: [placesOf(FEW, { here: [10.2, 50.1] })],
  areas: [questionOf(rows, { _group: 'area', map: AREAS, _measure: 'avg:load' }), 'regions'],
  'no rows': [questionOf(rows, { _group: 'kind', matching: [] })],
  'blank values': [
    questionOf(rows, { _group: 'kind', _measure: 'sum:lon', matching: [rowOf({})] }),
  ],
};

function figureIn(language: Language, name: string): Figure {
  const [question, mark] = QUESTIONS[name] as (typeof QUESTIONS)[string];
  return figure({ ...question, known: { ...question.known, language } }, mark);
}

type Said = readonly [title: string, under: string, caption: string];

describe('a title, what stands under it, and a caption are whole sentences of the language', () => {
  test.each<readonly [name: string, german: Said, spanish: Said]>([
    [
      'a line by month',
      [
        'Summe von Load, nach Monat (Day)',
        'Alle 300 loads in 11 Monaten',
        'Von 2,64 Millionen im Februar 2024 (Tiefstwert) auf 3,16 Millionen im Oktober 2024 (Höchstwert von 9 Monaten). Größte Veränderung: +457.000, September 2024 bis Oktober 2024. Januar 2024 hat erst ab dem 13. Januar 2024 Daten. November 2024 hat nur bis zum 7. November 2024 Daten. 6 loads ohne „Day“.',
      ],
      [
        'Suma de Load, por mes (Day)',
        'Total de 300 loads en 11 meses',
        'De 2,64 millones en febrero de 2024 (mínimo) a 3,16 millones en octubre de 2024 (máximo de 9 meses). La mayor variación es +457.000 (septiembre de 2024 – octubre de 2024). Enero de 2024 tiene datos desde el 13 de enero de 2024. Noviembre de 2024 solo tiene datos hasta el 7 de noviembre de 2024. 6 loads sin «Day».',
      ],
    ],
    [
      'lines',
      [
        'Durchschnitt von Load, nach Monat (Day) und Kind',
        'Alle 300 loads in 11 Monaten',
        'Im November 2024 hat k3 mit 98,8 Tsd. den höchsten Wert, k1 mit 74,1 Tsd. den niedrigsten. Niedrigster Wert von allen: 12,3 Tsd., leer im März 2024. leer endet im Oktober 2024. Januar 2024 hat erst ab dem 13. Januar 2024 Daten. November 2024 hat nur bis zum 7. November 2024 Daten. Jeder Wert ist ein Durchschnitt (1 bis 8 loads). 6 loads ohne „Day“.',
      ],
      [
        'Promedio de Load, por mes (Day) y Kind',
        'Total de 300 loads en 11 meses',
        'En noviembre de 2024, k3 tiene el valor más alto, 98,8 mil; k1, el más bajo, 74,1 mil. El valor más bajo de todos: 12,3 mil, vacío en marzo de 2024. vacío termina en octubre de 2024. Enero de 2024 tiene datos desde el 13 de enero de 2024. Noviembre de 2024 solo tiene datos hasta el 7 de noviembre de 2024. Cada valor es un promedio (de 1 a 8 loads). 6 loads sin «Day».',
      ],
    ],
    [
      'bars by weekday',
      [
        'Loads, nach Wochentag (Day)',
        'Alle 300 loads in 8 Gruppen',
        'Montag ist am häufigsten: 42 der 300 loads, 14 %.',
      ],
      [
        'Loads, por día de la semana (Day)',
        'Total de 300 loads en 8 grupos',
        'lunes es el valor más frecuente: 42 de 300 loads, 14 %.',
      ],
    ],
    [
      'a histogram',
      [
        'Loads, nach Load',
        '100 von 300 loads in Schritten von 20 Tsd. t',
        'Der höchste Wert eines Schritts ist 12, in 3 von 10 Schritten. Bei 13,5 Tsd. t liegt der Median. Gefüllt: 100 loads (Auswahl). Umriss: alle 300. 4 loads ohne „Load“.',
      ],
      [
        'Loads, por Load',
        '100 de 300 loads en tramos de 20 mil t',
        'El máximo de un tramo es 12, en 3 de 10 tramos. La mediana es 13,5 mil t. Relleno: 100 loads (selección). Contorno: el total de 300. 4 loads sin «Load».',
      ],
    ],
    [
      'a heat table',
      [
        'Durchschnitt von Load, nach Wochentag (Day) und Area',
        'Alle 300 loads in 90 Zellen',
        'Höchstwert 185 Tsd. t, Mittwoch, a7. Tiefstwert 12,3 Tsd. t, Mittwoch, a5. Zellen ohne Zahl sind leer. Jeder Wert ist ein Durchschnitt (1 bis 4 loads).',
      ],
      [
        'Promedio de Load, por día de la semana (Day) y Area',
        'Total de 300 loads en 90 celdas',
        'Máximo: 185 mil t, miércoles, a7. Mínimo: 12,3 mil t, miércoles, a5. Las celdas sin número están vacías. Cada valor es un promedio (de 1 a 4 loads).',
      ],
    ],
    [
      'parts',
      [
        'Loads, nach Kind und Area, als Teile von 100 %',
        'Alle 300 loads in 5 Balken',
        'a0 hat den größten Anteil bei k0, 33 %, und den kleinsten bei k3, 0 %. Nur die 7 größten haben einen eigenen Teil.',
      ],
      [
        'Loads, por Kind y Area, en partes de 100 %',
        'Total de 300 loads en 5 barras',
        'a0 tiene la mayor parte en k0, el 33 %, y la menor en k3, el 0 %. Solo los 7 mayores tienen una parte propia.',
      ],
    ],
    [
      'squares',
      [
        'Loads, in Quadraten von 20 km',
        'Alle 300 loads in 12 Quadraten von 20 km',
        'Je Quadrat 4 bis 41 loads; je größer, desto mehr. 285 auf der Karte, 0 außerhalb, 15 ohne Ort.',
      ],
      [
        'Loads, en cuadrados de 20 km',
        'Total de 300 loads en 12 cuadrados de 20 km',
        'Cada cuadrado tiene de 4 a 41 loads; cuanto más grande, más. 285 en el mapa, 0 fuera, 15 sin lugar.',
      ],
    ],
    [
      'areas',
      [
        'Durchschnitt von Load, nach Area',
        'Alle 300 loads in 2 Gebieten',
        'a2 hat mit 102.000 den höchsten Wert, a1 mit 93.600 den niedrigsten. a99 hat keine Zahl. 10 Gruppen (250 loads) sind nicht auf der Karte: „a0“, „a10“, „a11“, „a3“, „a4“ und 5 weitere. Jeder Wert ist ein Durchschnitt (25 loads).',
      ],
      [
        'Promedio de Load, por Area',
        'Total de 300 loads en 2 áreas',
        'a2 tiene el valor más alto, 102.000; a1, el más bajo, 93.600. a99 no tiene número. 10 grupos (250 loads) no están en el mapa: «a0», «a10», «a11», «a3», «a4» y 5 más. Cada valor es un promedio (25 loads).',
      ],
    ],
    [
      'circles',
      [
        'Loads auf der Karte',
        'Alle 30 loads an 28 Orten',
        '28 auf der Karte, 0 außerhalb, 2 ohne Ort. Am nächsten: k1, 90 m entfernt.',
      ],
      [
        'Loads en el mapa',
        'Total de 30 loads en 28 lugares',
        '28 en el mapa, 0 fuera, 2 sin lugar. Lo más cercano: k1, a 90 m.',
      ],
    ],
    [
      'no rows',
      ['Loads, nach Kind', '0 von 300 loads ', 'Keine loads gefunden.'],
      ['Loads, por Kind', '0 de 300 loads ', 'No hay loads que coincidan.'],
    ],
  ])('%s', (name, german, spanish) => {
    for (const [language, [title, under, caption]] of [
      [GERMAN, german],
      [SPANISH, spanish],
    ] as const) {
      const drawn = figureIn(language, name);
      expect([drawn.title, `${drawn.state} ${drawn.extent ?? ''}`]).toEqual([title, under]);
      expect(captionIn(drawn)).toBe(caption);
    }
  });
});

/** Every text of a figure that a reader can see or hear. */
function visibleIn(drawn: Figure): string[] {
  const { title, state, extent = '', sentence, plate, key = [], keyUnit = '' } = drawn;
  const { heads, rows } = drawn.numbers;
  const list = drawn.picture?.layout === 'list' ? drawn.picture : undefined;
  return [
    ...[title, state, extent, sentence, captionIn(drawn), plate.rows, keyUnit],
    ...key.map(({ text }) => text),
    ...heads.map((head) => head.title),
    ...rows.flatMap(({ cells }) => cells),
    ...drawn.marks.map((mark) => mark.name),
    ...(list?.heads ?? []),
    ...(list?.rows ?? []).flatMap((row) => [row.name, row.value, row.share ?? '']),
    ...linksIn(drawn).flatMap((link) => link.title ?? []),
    ...textsIn(shapesIn(drawn)),
    // What drawings add.
    ...[drawPicture(drawn), drawNumbers(drawn), drawFile(drawn)].map((markup) =>
      markup.replace(/<[^>]*>|&\w+;/g, ' '),
    ),
  ];
}

const wordsIn = (texts: readonly string[]) =>
  new Set(texts.flatMap((text) => text.match(/\p{L}{2,}/gu) ?? []));

/** Words that both languages have; and what no language changes. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  de: [
    ...['in', 'Median', 'April', 'August', 'September', 'November'],
    ...['Jan', 'Feb', 'Apr', 'Jun', 'Jul', 'Aug', 'Sep', 'Nov', 'km'],
  ],
  es: ['total', 'No', 'no', 'mar', 'km'],
};

/** The words of the data: titles of fields, the noun, the source. */
const DATA = wordsIn([...FIELDS.map(({ title }) => title), 'loads', 'Loads', 'A test']);

describe('no word of a figure is left in English', () => {
  test.each(Object.keys(QUESTIONS))('%s', (name) => {
    const english = wordsIn(visibleIn(figureIn(ENGLISH, name)));
    for (const language of [GERMAN, SPANISH]) {
      const left = [...wordsIn(visibleIn(figureIn(language, name)))].filter((word) => {
        return english.has(word) && !DATA.has(word) && !SHARED[language.name]?.includes(word);
      });
      expect([language.name, left]).toEqual([language.name, []]);
    }
  });
});

describe('numbers are written as the language does', () => {
  test.each([
    [3_658_850, '3,66 Mio.', '3,66 M', '3,66 Millionen', '3,66 millones'],
    [1_000_000, '1 Mio.', '1 M', '1 Million', '1 millón'],
    [391_016, '391 Tsd.', '391 mil', '391.000', '391.000'],
    [-2.5e9, '−2,5 Mrd.', '−2,5 mil M', '−2,5 Milliarden', '−2,5 mil millones'],
    [1e9, '1 Mrd.', '1 mil M', '1 Milliarde', '1 mil millones'],
    // Spanish does not divide four digits.
    [9_999, '9.999', '9999', '9.999', '9999'],
    [12.345, '12,3', '12,3', '12,3', '12,3'],
    [2e12, '2 Bio.', '2 B', '2 Billionen', '2 billones'],
    [9.364e17, '9,36 × 10¹⁷', '9,36 × 10¹⁷', '936 Billiarden', '936 mil billones'],
    [1.5e21, '1,5 × 10²¹', '1,5 × 10²¹', '1,5 × 10²¹', '1,5 × 10²¹'],
  ])('%d', (value, ...texts) => {
    const field = { name: 'load', type: 'number' as const };
    const [german, spanish] = [GERMAN, SPANISH].map((language) =>
      numberWords({ language, field, values: [value] }),
    );
    const said = [german?.short(value), spanish?.short(value)];
    expect([...said, german?.spoken(value), spanish?.spoken(value)]).toEqual(texts);
  });

  test('a table has the whole number, and its decimals', () => {
    const field = { name: 'load', type: 'number' as const };
    const whole = (values: number[]) =>
      values.map(numberWords({ language: GERMAN, field, values }).whole);
    expect(whole([1_234_567, 4])).toEqual(['1.234.567', '4']);
    expect(whole([12.345, 7])).toEqual(['12,3', '7,0']);
    expect([percent(0.013, GERMAN, true), percent(0.004, GERMAN)]).toEqual(['1,3 %', '<1 %']);
  });

  test('a unit that is a word stands once on an axis, on its top line', () => {
    const texts = (language: Language) => textsIn(seenIn(figureIn(language, 'a line by month')));
    expect(texts(ENGLISH).slice(0, 5)).toEqual(['0', '1M', '2M', '3M', 't']);
    expect(texts(GERMAN).slice(0, 5)).toEqual(['0', '1', '2', '3', 'Mio. t']);
    expect(texts(SPANISH).slice(0, 5)).toEqual(['0', '1', '2', '3', 'M t']);
    expect(texts(GERMAN)).toContain('Höchstwert 3,16 Mio. Okt 2024');
    expect(textsIn(seenIn(figureIn(GERMAN, 'a histogram')))).toContain('200 Tsd. t');
  });
});

test('years, days and weeks have no character between their digits', () => {
  const names = (name: string) => figureIn(SPANISH, name).marks.map((mark) => mark.name);
  expect(names('a line by day')[0]).toBe('13 ene 2024');
  expect(names('a line by week')[0]).toBe('S02 2024');
  expect(names('a line by quarter')[0]).toBe('T1 2024');
  expect(names('a line by year, not from 0')[0]).toBe('1950');
  expect(figureIn(GERMAN, 'a line by week').marks[0]?.name).toBe('KW 02/2024');
});
