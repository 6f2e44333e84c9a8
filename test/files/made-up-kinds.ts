import type { Random } from '../tape/requests.ts';
import {
  COUNTS,
  type ColumnPlan,
  DAYS,
  days,
  digits,
  figures,
  ids,
  isoOf,
  moment,
  type Right,
  TEXT,
  traps,
} from './made-up-columns.ts';

/** Texts as they are written. */
function texts(headers: readonly string[], draw: ColumnPlan['draw']): ColumnPlan {
  return { ...TEXT, headers, draw, needsHeader: true };
}

/** Numbers; some are unknown, and written as a number far from the others. */
function sentinel(random: Random, written: string, draw: () => number): ColumnPlan {
  return {
    kind: 'absent',
    headers: ['estimate', 'depth', 'temperature', 'score', 'median', 'level'],
    draw: (row) => (row === 2 || row === 4 || random.chance(0.1) ? null : draw()),
    write: (value) => String(value ?? written),
    isTyped: true,
  };
}

/** Two columns whose headers differ within their brackets alone. */
function pair(
  plan: ColumnPlan,
  other: ColumnPlan,
  [base, one, two]: readonly [string, string, string],
) {
  const of = (each: ColumnPlan, brackets: string): ColumnPlan => ({
    ...each,
    headers: [`${base} (${brackets})`],
    inTitle: [base, brackets],
    needsHeader: true,
  });
  return { ...of(plan, one), beside: of(other, two) };
}

/** A column of days, some or all of them in years of another calendar. */
function ofCalendar(random: Random, from: number, yearOf: (iso: string) => string): ColumnPlan {
  const drawn = days(random, (year, month, day) => `${year}-${month}-${day}`);
  const other = new Set<string>();
  return {
    ...drawn,
    draw: (row) => {
      const day = String(drawn.draw());
      // A day is written in one way alone.
      if (row < from) return other.has(day) ? '2001-02-03' : day;
      other.add(day);
      return day;
    },
    write: (value) =>
      value === null ? '' : other.has(`${value}`) ? yearOf(`${value}`) : `${value}`,
  };
}

const buddhist = (iso: string) => `${Number(iso.slice(0, 4)) + 543}${iso.slice(4)}`;

const PERSIAN = new Intl.DateTimeFormat('en-u-ca-persian', {
  ...{ year: 'numeric', month: '2-digit', day: '2-digit', timeZone: 'UTC' },
});

function persian(iso: string): string {
  const parts = PERSIAN.formatToParts(new Date(`${iso}T00:00:00Z`));
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}/${of('month')}/${of('day')}`;
}

/** The year and the day of the year of a date. */
function dayOfYear(iso: string): readonly [string, string] {
  const [year, day] = [iso.slice(0, 4), Date.parse(iso) - Date.parse(`${iso.slice(0, 4)}-01-01`)];
  return [year, String(day / 86_400_000 + 1).padStart(3, '0')];
}

const DEGREES = ['position', 'location', 'coordinates', 'Standort'];

/** Columns of the kinds that people met with other tools: issue 55. */
export const FURTHER = traps({
  '-666666666 for nothing': (random) =>
    sentinel(random, '-666666666', () => 20_000 + random.below(90_000)),
  '-999 for nothing': (random) => sentinel(random, '-999', () => random.below(500) / 10),
  '-9 for nothing': (random) => sentinel(random, '-9', () => 1 + random.below(5)),
  '-999 in every cell': (random) => ({
    ...sentinel(random, '-999', () => 0),
    draw: () => null,
  }),
  'NA in numbers and in texts': (random) => {
    const [least, nothing] = [random.below(3) * 1000, random.one(['NA', 'NA', 'N/A', 'null'])];
    const sizes = figures(
      random,
      { headers: ['mass', 'length', 'wing'], least, most: 9000 },
      String,
    );
    const { decimals: _, ...numbers } = sizes;
    const some = (draw: ColumnPlan['draw']) => (row: number) =>
      row === 3 || random.chance(0.08) ? null : draw(row);
    return {
      ...{ ...numbers, draw: some(numbers.draw), nothing, isTyped: true },
      beside: {
        ...{ ...TEXT, headers: ['sex', 'comment', 'kind'], nothing },
        draw: some(() => random.one(['female', 'male', 'unsexed', 'juvenile'])),
      },
    };
  },
  'ids with exponents': (random) =>
    ids(
      ['part', 'lot', 'serial', 'batch'],
      () => `${digits(random, 3)}E${digits(random, 1 + random.below(3))}`,
    ),
  'ids that lost digits': (random) => {
    const [point, length] = [random.one([',', '.']), 4 + random.below(2)];
    const draw = () =>
      `${1 + random.below(9)}${point}${digits(random, length)}E+${random.one([12, 12, 13])}`;
    return texts(['EAN', 'gtin', 'barcode', 'IMEI'], draw);
  },
  '+358': (random) =>
    texts(['calling code', 'dialling code', 'Vorwahl', 'dial code'], () =>
      random.one(['+1', '+44', '+358', '+49', '+41', '+971', '+7', '+81', '+353', '+20']),
    ),
  'countries NO and NA': (random) => {
    const codes = random.one([
      ['NO', 'SI'],
      ['NO', 'SE', 'DK', 'FI'],
      ['NA', 'ZA', 'BW', 'NO'],
      ['NA', 'EU', 'SA', 'AF', 'AS'],
    ]);
    const draw = (row: number) => (codes[row] ?? random.one(codes)) as string;
    return texts(['country', 'iso2', 'country code', 'continent code', 'Land'], draw);
  },
  'Thai years': (random) => ofCalendar(random, random.one([0, 7]), buddhist),
  'Persian years': (random) => ofCalendar(random, 0, persian),
  'years before 1500': (random) => ({
    ...days(random, (year, month, day) => `${year}-${month}-${day}`),
    // A day that every year has.
    draw: () =>
      `${1000 + random.below(480)}${isoOf(moment(random)).slice(4, 8)}${10 + random.below(19)}`,
  }),
  'days of the year': (random) => {
    const sign = random.one(['-', '', '/']);
    const draw = () => dayOfYear(isoOf(moment(random)).slice(0, 10)).join(sign);
    return ids([...DAYS, 'doy', 'yearday'], draw);
  },
  '- 0.081': (random) =>
    figures(random, { most: 5, decimals: 3, negative: 0.4 }, (value) =>
      value < 0 ? `- ${(-value).toFixed(3)}` : value.toFixed(3),
    ),
  "'0111": (random) => {
    const length = 3 + random.below(4);
    const draw = (row: number) =>
      `${row === 0 || random.chance(0.4) ? 0 : 1 + random.below(9)}${digits(random, length - 1)}`;
    return ids(['item code', 'CPC code', 'M49', 'area code'], draw, (value) => `'${value}`);
  },
  'coordinates in one cell': (random) => {
    const [between, decimals] = [random.one([', ', ',', ' ']), 4 + random.below(3)];
    const draw = () =>
      [47 + random.below(100) / 100, 8 + random.below(100) / 100]
        .map((degrees) => (degrees + random.below(100) / 10_000 + 0.00001).toFixed(decimals))
        .join(between);
    return texts(DEGREES, draw);
  },
  'counts of equal digits': (random) => {
    const length = 3 + random.below(5);
    const [least, most] = [10 ** (length - 1), 10 ** length - 3];
    const headers = ['employment', 'Manufacturing', 'Retail', 'goods', 'nonfarm', 'Construction'];
    return {
      ...figures(random, { headers, least, most }, String),
      ...{ isTyped: true, isMeasure: true, needsHeader: true },
    };
  },
  'units in brackets': (random) => {
    const [base, unit] = random.one([
      ['Temp', '°C'],
      ['Length', 'km'],
      ['Weight', 'kg'],
      ['Price', 'EUR'],
      ['Duration', 'min'],
      ['Area', 'm²'],
    ] as const);
    const written = random.one([`${base} (${unit})`, `${base} [${unit}]`]);
    return {
      ...figures(random, { headers: [written], most: 900, decimals: 1 }, String),
      ...{ isTyped: true, inTitle: [base], inTitleOrUnit: [unit], needsHeader: true },
    };
  },
  'brackets that are no units': (random) => {
    const plan = () => ({
      ...figures(random, { most: 900, decimals: 1 }, String),
      isTyped: true,
    });
    const names = random.one([
      ['Temp', 'min', 'max'],
      ['Students', 'm', 'w'],
      ['Budget', '2019/20', '2020/21'],
      ['Schüler', 'm', 'd'],
      ['Value', 'a', 'b'],
      ['Turnover', 'ohne Soll/Haben-Kz', 'mit Soll/Haben-Kz'],
      ['Share', 'h', 'l'],
    ] as const);
    return pair(plan(), plan(), names);
  },
  'exponents among whole numbers': (random) => ({
    ...figures(random, { headers: COUNTS, most: 1_000_000 }, String),
    draw: (row) => (row === 5 || random.chance(0.03) ? 100_000 : 1 + random.below(900_000)),
    write: (value: Right) => (value === 100_000 ? '1e5' : String(value ?? '')),
  }),
  'below a limit': (random) => ({
    ...texts(['benzene', 'lead', 'E. coli'], (row) =>
      row === 3 || random.chance(0.12)
        ? `<${random.one(['0.1', '0.5', '1'])}`
        : `${random.below(900) / 10}`,
    ),
  }),
  // In a sheet, some days are dates and the others texts.
  'typed dates and texts': (random) => {
    const plan = days(random, (year, month, day) => `${day}.${month}.${year}`);
    const typed = new Set<Right>();
    const draw = (row: number) => {
      const day = plan.draw();
      if (row % 3 === 0) typed.add(day);
      return day;
    };
    const serial = (value: Right) =>
      typed.has(value) ? Date.parse(`${value}`) / 86_400_000 + 25_569 : undefined;
    return { ...plan, draw, serial };
  },
});
