import fc from 'fast-check';
import { oneOf, seededRandom } from '../../bench/data/seeded-random.ts';
import { MOST_GROUPS } from '../../src/block/grouping.ts';
import { isBlankText } from '../../src/text/fold.ts';
import type { Row } from '../../src/values/field-type.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { randomDimension, randomQuestion } from '../support/random-questions.ts';
import type { Values } from './trust-service.ts';
import type { TrustSet } from './trust-set.ts';

/** Rows whose values queries ask for; of others, the same kinds of values are asked for anyway. */
const SAMPLED = 400;

/** Some of the rows, whose values are asked for. */
function sampleOf({ rows }: TrustSet): readonly Row[] {
  const step = Math.max(1, Math.floor(rows.length / SAMPLED));
  return rows.filter((_, i) => i % step === 0).map(({ values }) => values);
}

/** Queries that some rows match, most as JSON, some as a page in another format. */
export function randomQueries(set: TrustSet, seed: number, count: number): readonly Values[] {
  const random = seededRandom(seed);
  return fc
    .sample(randomArguments(set.block, sampleOf(set)), { seed, numRuns: count })
    .map((values): Values => {
      const format = random() < 0.15 ? oneOf(random, ['csv', 'ndjson']) : undefined;
      // Without a limit these formats are whole results, which are no page.
      return format === undefined ? values : { _limit: 20, ...values, _format: format };
    });
}

/** A list of more values than are listed in sentences: some of rows, some of none. */
function longList(set: TrustSet, random: () => number): Values {
  const names = set.block.fields.flatMap(({ name, type, filterable }) =>
    filterable !== false && ['text', 'integer'].includes(type) ? [name] : [],
  );
  const name = oneOf(random, names);
  const found = sampleOf(set).flatMap((row) => {
    const value = row[name] ?? null;
    return value === null || /[*\\]/.test(String(value)) || isBlankText(String(value))
      ? []
      : [value];
  });
  const isNumber = set.block.fields.some((one) => one.name === name && one.type === 'integer');
  const strange = Array.from({ length: 110 }, (_, i) => (isNumber ? 900_000 + i : `strange ${i}`));
  const some = found.filter((value) => random() < 0.5 && String(value).length < 200);
  return { [name]: [...strange, ...some.slice(0, 200)] };
}

/** A field of a list cannot have no value at the same time, which would be refused. */
function withLongList({ _empty, ...filters }: Values, list: Values): Values {
  const isEmptied = ((_empty ?? []) as string[]).some((name) => Object.hasOwn(list, name));
  return { ...filters, ...(_empty === undefined || isEmptied ? {} : { _empty }), ...list };
}

/** Questions about groups and facets of filtered rows: some as a page, some whole as NDJSON. */
export function randomQuestions(set: TrustSet, seed: number, count: number): readonly Values[] {
  const dimension = randomDimension(set.block);
  const random = seededRandom(seed);
  return fc
    .sample(
      fc.tuple(
        randomArguments(set.block, sampleOf(set)),
        fc.option(randomQuestion(set.block), { freq: 4 }),
        fc.uniqueArray(dimension, { minLength: 1, maxLength: 3 }),
      ),
      { seed, numRuns: count },
    )
    .map(([{ _sort, _limit, _fields, ...given }, question, facets]): Values => {
      const filters = random() < 0.1 ? withLongList(given, longList(set, random)) : given;
      const asksFacets = question === null || random() < 0.15;
      if (question === null) return { ...filters, _limit: _limit ?? 5, _facets: facets };
      if (asksFacets) return { ...filters, ...question, _facets: facets };
      const { _limit: most, ...whole } = question;
      return random() < 0.2
        ? { ...filters, ...whole, _format: 'ndjson' }
        : { ...filters, ...question };
    });
}

/** Questions that search by words, places or alternatives: for rows, for groups, for facets. */
export function randomSearchQuestions(
  set: TrustSet,
  seed: number,
  count: number,
): readonly Values[] {
  const filters = randomArguments(set.block, sampleOf(set)).filter((values) =>
    Object.keys(values).some((name) => /^_(?:q$|near$|bbox$|or\.)/.test(name)),
  );
  const facets = fc.uniqueArray(randomDimension(set.block), { minLength: 1, maxLength: 2 });
  return fc
    .sample(
      fc.tuple(
        filters,
        fc.option(randomQuestion(set.block), { freq: 2 }),
        fc.option(facets, { freq: 2 }),
        fc.boolean(),
      ),
      { seed, numRuns: count },
    )
    .map(([{ _sort, _limit, _fields, ...searched }, question, asked, isWhole]): Values => {
      const own = { _sort, _fields, _limit: isWhole ? undefined : _limit };
      const options = question ?? { ...own, ...(isWhole ? { _format: 'ndjson' } : {}) };
      // Facets are in JSON alone.
      const counted = asked === null || '_format' in options ? {} : { _facets: asked };
      const given = Object.entries({ ...searched, ...options, ...counted });
      return Object.fromEntries(given.filter(([, value]) => value !== undefined));
    });
}

/** The distinct values of a field up to which there are as many groups as an answer may have, or one more. */
export function questionsAtTheBound({ rows }: TrustSet): readonly Values[] {
  const scores = new Set(rows.map(({ keys }) => keys.score as number | undefined));
  scores.delete(undefined);
  const ascending = [...scores].sort((a, b) => Number(a) - Number(b));
  return [MOST_GROUPS, MOST_GROUPS + 1].flatMap((groups) => {
    const last = ascending[groups - 1];
    if (last === undefined) return [];
    const filters = { score_max: last };
    return [
      { ...filters, _group: ['score'], _measure: ['count', 'avg:seats'], _sort: '-count' },
      { ...filters, _group: ['score'], _measure: ['max:seen'], _limit: 7 },
      { seats_min: -3, _limit: 1, _facets: ['score'], ...filters },
      { _group: ['score', 'seats.500'], ...filters },
    ];
  });
}
