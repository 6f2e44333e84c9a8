/** What is asked, in our words and in SQL; `@rows` stands for the number of rows. */
export type Question = {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** An engine answers with the rows of all of its statements. */
  readonly sqlite: readonly string[];
  /** As SQLite's, if absent; undefined if it has no way of its own. */
  readonly duckdb?: readonly string[];
};

const FACETS = ['category', 'status', 'borough', 'kind', 'agency', 'units'] as const;

/** Each field's counts under the filters of the others. */
function facetStatement(filters: Readonly<Record<string, string>>): string {
  const counts = FACETS.map((field) => {
    const others = Object.entries(filters).filter(([name]) => name !== field);
    const where = others.map(([name, value]) => `${name} = '${value}'`).join(' AND ');
    return `SELECT * FROM (SELECT '${field}', CAST(${field} AS VARCHAR), count(*) AS n FROM data WHERE ${where} GROUP BY ${field} ORDER BY n DESC, ${field} LIMIT 30)`;
  });
  return counts.join(' UNION ALL ');
}

/** The distance in metres as docs/semantics.md defines it. */
const METRES = `2 * 6371008.8 * asin(sqrt(pow(sin(radians(latitude - 40.7) / 2), 2) + cos(radians(40.7)) * cos(radians(latitude)) * pow(sin(radians(longitude + 73.95) / 2), 2)))`;

/** In SQLite, a box that holds some 200 places of the set's half by 0.4 degrees. */
const HALF = 'sqrt(200.0 * 0.2 / @rows) / 2';
const IN_BOX = 'longitude BETWEEN -74.0 AND -73.97 AND latitude BETWEEN 40.7 AND 40.72';
const BY_TREE =
  'data.number IN (SELECT id FROM places WHERE west <= -73.97 AND east >= -74.0 AND south <= 40.72 AND north >= 40.7)';

function grouped(group: string, measure: string, where = ''): readonly string[] {
  return [`SELECT ${group}, ${measure} FROM data ${where} GROUP BY ${group} ORDER BY ${group}`];
}

export const QUESTIONS: readonly Question[] = [
  {
    name: 'count by 5 categories',
    arguments: { _group: 'category' },
    sqlite: grouped('category', 'count(*)'),
  },
  {
    name: 'count by 1,280 districts',
    arguments: { _group: 'district', _limit: 1000 },
    sqlite: grouped('district', 'count(*)').map((sql) => `${sql} LIMIT 1000`),
  },
  {
    name: 'count by month in a zone',
    arguments: { _group: 'created.month' },
    sqlite: [
      'SELECT substr(clock, 1, 7) AS month, count(*) FROM data GROUP BY month ORDER BY month',
    ],
  },
  {
    name: 'count by three fields',
    arguments: { _group: 'category,status,borough' },
    sqlite: grouped('category, status, borough', 'count(*)'),
  },
  {
    name: 'sum and average by 1,280 districts',
    arguments: { _group: 'district', _measure: 'sum:amount,avg:amount', _limit: 1000 },
    sqlite: grouped('district', 'sum(amount), avg(amount)').map((sql) => `${sql} LIMIT 1000`),
  },
  {
    name: 'median by 5 categories',
    arguments: { _group: 'category', _measure: 'median:amount' },
    sqlite: grouped('category', 'median(amount)'),
  },
  {
    name: 'distinct names by 5 categories',
    arguments: { _group: 'category', _measure: 'distinct:name' },
    sqlite: grouped('category', 'count(DISTINCT name)'),
  },
  {
    name: 'sum by borough of a fifth of the rows',
    arguments: {
      category: 'category 0002',
      units_min: 3,
      _group: 'borough',
      _measure: 'sum:amount',
    },
    sqlite: grouped('borough', 'sum(amount)', "WHERE category = 'category 0002' AND units >= 3"),
  },
  {
    name: 'facets of 6 fields, all rows',
    arguments: { _facets: FACETS.join(), _limit: 1, _fields: 'number' },
    sqlite: [facetStatement({ 1: '1' }).replaceAll("1 = '1'", 'true')],
  },
  {
    name: 'facets of 6 fields, two filters',
    arguments: {
      category: 'category 0001',
      status: 'status 0000',
      _facets: FACETS.join(),
      _limit: 1,
      _fields: 'number',
    },
    sqlite: [facetStatement({ category: 'category 0001', status: 'status 0000' })],
  },
  {
    name: 'two words, 20 rows and how many',
    arguments: { _q: 'ab stre', _limit: 20, _fields: 'number' },
    sqlite: [
      "SELECT rowid FROM words WHERE words MATCH 'ab* stre*' ORDER BY rowid LIMIT 20",
      "SELECT count(*) FROM words WHERE words MATCH 'ab* stre*'",
    ],
    duckdb: ['number', 'count(*)'].map(
      (what) =>
        `SELECT ${what} FROM data WHERE regexp_matches(texts, '(^| )ab') AND regexp_matches(texts, '(^| )stre') ${what === 'number' ? 'ORDER BY number LIMIT 20' : ''}`,
    ),
  },
  {
    name: 'the 20 nearest',
    arguments: { _near: '-73.95,40.7', _limit: 20, _fields: 'number' },
    sqlite: [
      `SELECT number FROM data WHERE number IN (SELECT id FROM places WHERE west <= -73.95 + ${HALF} AND east >= -73.95 - ${HALF} AND south <= 40.7 + ${HALF} AND north >= 40.7 - ${HALF}) ORDER BY ${METRES}, number LIMIT 20`,
      'SELECT count(*) FROM data',
    ],
    duckdb: [
      `SELECT number FROM data ORDER BY ${METRES}, number LIMIT 20`,
      'SELECT count(*) FROM data',
    ],
  },
  {
    name: 'a box, 100 rows and how many',
    arguments: { _bbox: '-74.0,40.7,-73.97,40.72', _limit: 100, _fields: 'number' },
    sqlite: [
      `SELECT number FROM data WHERE ${BY_TREE} AND ${IN_BOX} ORDER BY number LIMIT 100`,
      `SELECT count(*) FROM data WHERE ${BY_TREE} AND ${IN_BOX}`,
    ],
    duckdb: [
      `SELECT number FROM data WHERE ${IN_BOX} ORDER BY number LIMIT 100`,
      `SELECT count(*) FROM data WHERE ${IN_BOX}`,
    ],
  },
];

type Facets = Readonly<
  Record<
    string,
    { readonly values: readonly { readonly value: unknown; readonly count: number }[] }
  >
>;

/** Our answer as SQL has it: rows as lists; of rows of the set their numbers, then the total. */
export function rowsOf(asked: Question['arguments'], text: string): unknown[][] {
  const { results, total, facets } = JSON.parse(text).params as {
    results: readonly Record<string, unknown>[];
    total: number;
    facets?: Facets;
  };
  if (facets !== undefined) {
    return Object.entries(facets).flatMap(([field, { values }]) =>
      values.map(({ value, count }) => [field, String(value), count]),
    );
  }
  if ('_group' in asked) return results.map((row) => Object.values(row));
  return [...results.map(({ number }) => [number]), [total]];
}
