import { datasetBlock } from '../../../src/block/block.ts';
import type { Row } from '../../../src/values/field-type.ts';

/** What a block of each figure is called in, of one language: titles, and the values of texts. */
type Words = {
  readonly title: string;
  readonly noun: string;
  readonly station: string;
  readonly day: string;
  readonly city: string;
  readonly sky: string;
  readonly low: string;
  readonly high: string;
  readonly noon: string;
  readonly rain: string;
  readonly visits: string;
  /** The beginning of the names of stations, and of cities. */
  readonly stationOf: string;
  readonly cityOf: string;
  readonly skies: readonly [string, string, string];
};

const ENGLISH: Words = {
  title: 'Air',
  noun: 'readings',
  station: 'Reading',
  day: 'Day',
  city: 'City',
  sky: 'Sky',
  low: 'Temp min',
  high: 'Temp max',
  noon: 'Noon',
  rain: 'Rain',
  visits: 'Visits',
  stationOf: 'Reading',
  cityOf: 'City',
  skies: ['clear', 'clouds', 'fog'],
};

/** Right to left, with brackets, digits and Latin letters between, as real tables have them. */
const ARABIC: Words = {
  title: 'هواء المدن (2023)',
  noun: 'قراءات',
  station: 'القراءة',
  day: 'اليوم',
  city: 'المدينة',
  sky: 'السماء',
  low: 'أدنى حرارة',
  high: 'أعلى حرارة',
  noon: 'حرارة الظهر',
  rain: 'المطر (mm)',
  visits: 'الزيارات',
  stationOf: 'قراءة',
  cityOf: 'مدينة',
  skies: ['صحو', 'غيوم', 'ضباب (كثيف)'],
};

const CITIES = 10;
const MONTHS = 24;

/** Readings of ten cities, on seven days of each month of two years. */
function madeOf(words: Words) {
  const block = datasetBlock({
    id: 'air',
    name: 'air',
    title: words.title,
    description: words.title,
    noun: words.noun,
    examples: [],
    keyFields: ['station', 'city', 'sky', 'low', 'high', 'day'],
    primaryKey: ['station'],
    fields: [
      { type: 'text', name: 'station', title: words.station },
      { type: 'date', name: 'day', title: words.day },
      { type: 'text', name: 'city', title: words.city },
      { type: 'text', name: 'sky', title: words.sky },
      { type: 'number', name: 'low', title: words.low, unit: '°C' },
      { type: 'number', name: 'high', title: words.high, unit: '°C' },
      { type: 'number', name: 'noon', title: words.noon, unit: '°C' },
      { type: 'number', name: 'rain', title: words.rain, unit: 'mm' },
      { type: 'integer', name: 'visits', title: words.visits },
    ],
  });
  const days = [1, 2, 3, 4, 5, 6, 7];
  const rows = Array.from({ length: MONTHS }, (_, month) =>
    days.flatMap((day, k) =>
      Array.from({ length: CITIES }, (_, city): Row => {
        const at = (month * days.length + k) * CITIES + city;
        const date = new Date(Date.UTC(2023, month, day));
        const isWeekend = date.getUTCDay() % 6 === 0;
        const season = 10 * Math.sin((2 * Math.PI * month) / 12);
        const low = Math.round(10 * (city + season)) / 10;
        return {
          station: `${words.stationOf} ${at + 1}`,
          day: date.toISOString().slice(0, 10),
          city: `${words.cityOf} ${city + 1}`,
          sky: words.skies[(at * 7 + city) % 3] as string,
          low,
          high: low + 4 + (at % 5),
          noon: low + ((at * 3) % 11) - 2,
          rain: (at * 13) % 31,
          visits: (isWeekend ? 0.5 : 1) * 20 * (city + 1) + ((at * 17) % 11),
        };
      }),
    ),
  ).flat();
  return { block, rows };
}

/** Blocks that every mark can draw, each of one language. */
export const MADE = { english: madeOf(ENGLISH), arabic: madeOf(ARABIC) } as const;

/** The first nine cities as a filter. */
function cities(words: Words, count: number): string {
  return Array.from(
    { length: count },
    (_, i) => `&city=${encodeURIComponent(`${words.cityOf} ${i + 1}`)}`,
  ).join('');
}

/** The figures that compare, by what they are: their questions, and where their marks are. */
export function comparing(language: 'english' | 'arabic') {
  const words = language === 'english' ? ENGLISH : ARABIC;
  const month = '?_group=day.month';
  return {
    'picked lines': { query: `${month},city&_measure=avg:low${cities(words, 3)}`, marks: '.plot' },
    'small plots': { query: `${month},city&_measure=avg:low${cities(words, 9)}`, marks: '.plots' },
    'several measures': { query: `${month}&_measure=avg:noon,avg:high`, marks: '.plot' },
    panels: { query: `${month}&_measure=avg:noon,avg:rain`, marks: '.plot' },
    'a band': { query: `${month}&_measure=avg:low,avg:high`, marks: '.plot' },
    seasons: { query: '?_group=day.month_of_year,day.year&_measure=avg:low', marks: '.plot' },
    weekends: { query: `${month},day.weekend&_measure=avg:visits`, marks: '.plot' },
    'an index': {
      query: `${month},city&_measure=avg:visits&_axis=index${cities(words, 3)}`,
      marks: '.plot',
    },
    'a logarithmic axis': {
      query: `${month},city&_measure=avg:visits&_axis=log${cities(words, 3)}`,
      marks: '.plot',
    },
    'stacked areas': { query: `${month},sky&_mark=areas`, marks: '.plot' },
    shares: { query: `${month},sky&_axis=share`, marks: '.plot' },
    'a heat table': { query: '?_group=city,sky&_measure=avg:rain', marks: '.heat' },
    'bars side by side': { query: '?_group=day.year,sky&_mark=grouped', marks: '.grouped' },
    circles: { query: `?_xy=low,high${cities(words, 1)}`, marks: '.pairs' },
    squares: { query: '?_xy=low,high', marks: '.pairs' },
  } as const;
}
