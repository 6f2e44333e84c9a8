import {
  type Grouping,
  groupingOf,
  MOST_FACET_VALUES,
  MOST_GROUPS,
} from '../../src/block/grouping.ts';
import type { Query } from '../../src/query/row-store.ts';
import { queryOf } from '../../src/query/run.ts';
import type { Row, Value } from '../../src/values/field-type.ts';
import { ampleBudget } from '../support/ample.ts';
import { asRead, distanceOf } from '../support/naive.ts';
import {
  type NaiveGrouping,
  naiveGroups,
  naiveHaving,
  naiveSorted,
} from '../support/naive-groups.ts';
import { type Counts, count, type Fail, failing, patient } from './checks.ts';
import { NaiveAnswers, naiveLimit } from './naive-answers.ts';
import { compareEngine, type SqlEngine } from './sql-groups.ts';
import { askOf, storeOf, type Values, waysOf } from './trust-service.ts';
import type { TrustSet } from './trust-set.ts';

type Asked = {
  readonly questions: readonly Values[];
  readonly engines?: readonly SqlEngine[];
};

type Group = Record<string, Value>;

/** What a question is answered with, read naively. */
type Expected = {
  /** The answer's rows as JSON: groups, or the rows themselves. */
  readonly lines: readonly string[];
  readonly facets: Record<string, unknown>;
  /** What was grouped, for another reading to group too. */
  readonly grouped: readonly {
    readonly query: Query;
    readonly grouping: Grouping;
    readonly groups: readonly Group[];
    readonly isFacet: boolean;
  }[];
};

/** Pages that are compared of one walk. */
const MOST_PAGES = 3;

/** The answers to questions are the naive groups and facets, in each way; the engines find the same. */
export async function compareGroups(
  set: TrustSet,
  { questions, engines = [] }: Asked,
): Promise<Counts> {
  const counts: Counts = {};
  const ask = patient(askOf(set), counts);
  const naive = new NaiveAnswers(
    set.block,
    set.rows.map((row) => row.values),
  );
  const ways = waysOf(set).map(([name, way]) => ({ name, ...storeOf(set, way) }));
  for (const [i, values] of questions.entries()) {
    const fail = failing({ question: i, values });
    const expected = expectedOf(set, naive, values);
    const { lines, grouped } = expected;
    count(counts, 'questions');
    if (values._group !== undefined || values._measure !== undefined)
      count(counts, 'questions with groups');
    if (values._facets !== undefined) count(counts, 'questions with facets');
    for (const { groups, ...asked } of grouped) {
      for (const engine of engines)
        await compareEngine(engine, { ...asked, fields: set.block.fields }, groups, counts, fail);
    }
    // Facets count so many values at most; of groups, a file of all has so many at most.
    const isRefused = grouped.some(({ isFacet, groups }) => isFacet && groups.length > MOST_GROUPS);
    const isOfGroups = values._group !== undefined || values._measure !== undefined;
    const isFile = values._format === 'ndjson' && values._limit === undefined;
    const isTooLong = isRefused || (isOfGroups && isFile && lines.length > MOST_GROUPS);
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      // The pages of a walk come from stores of different kinds.
      const { name, store } = ways[(i + page) % ways.length] as (typeof ways)[number];
      const answer = await ask(
        store,
        cursor === undefined ? values : { ...values, _cursor: cursor },
      );
      const { status, text, next } = answer;
      count(counts, `answers, ${name}`);
      count(counts, `status ${status}`);
      if (status === 400 && text.includes('"too-much-work"')) break;
      if (isTooLong !== (status === 400 && text.includes('"too-many-groups"'))) {
        fail('wrong about too many groups', text);
      }
      if (isTooLong) count(counts, 'questions with too many groups');
      else if (status !== 200) fail(`refused: ${status}`, text);
      if (status !== 200) break;
      checkGroups({ text, next }, expected, page, values, fail);
      if (page === 0) checkNotFound(text, set, naive, values, fail);
      cursor = next;
      if (cursor === undefined) break;
    }
    if (!isTooLong) count(counts, 'groups and rows expected', lines.length);
  }
  return counts;
}

function expectedOf(set: TrustSet, naive: NaiveAnswers, values: Values): Expected {
  const { block, manifest, rows } = set;
  const grouped: Expected['grouped'][number][] = [];
  const group = (its: Values, asked: Values, isFacet = false) => {
    const values = asRead({ ...its, ...asked });
    const query = queryOf({ block, manifest }, values, ampleBudget());
    const grouping = groupingOf(block, asked) as Grouping;
    // A text is written as in the first row of the dataset, whatever the order of the rows.
    const ascending = [...naive.positions(its)].sort((a, b) => a - b);
    const found = ascending.map((position) => {
      return (rows[position] as TrustSet['rows'][number]).values as Row;
    });
    const groups = naiveGroups(block.fields, found, asked, block.geometry);
    grouped.push({ query, grouping, groups, isFacet });
    return groups;
  };
  const {
    _group,
    _measure,
    _sort,
    _limit,
    _fields,
    _facets = [],
    _format,
    _having,
    ...filters
  } = values;
  const { _near } = filters;
  const isGrouped = _group !== undefined || _measure !== undefined;
  const asked = {
    ...(_group === undefined ? {} : { _group }),
    ...(_measure === undefined ? {} : { _measure }),
    ...(_sort === undefined ? {} : { _sort }),
  };
  const lines = isGrouped
    ? naiveSorted(
        naiveHaving(group(filters, asked), (_having ?? {}) as Values),
        block.fields,
        asked as NaiveGrouping,
        _sort as string | undefined,
      ).map((one) => JSON.stringify(one))
    : [...naive.positions(values)].map((position) => {
        const text = naive.rowText(position, _fields as readonly string[] | undefined);
        if (_near === undefined) return text;
        const row = (rows[position] as TrustSet['rows'][number]).values;
        const far = distanceOf(row, _near, block.geometry) as number;
        return `${text.slice(0, -1)},"_distance":${Math.round(far * 10) / 10}}`;
      });
  const facets = (_facets as string[]).map((text): [string, unknown] => {
    const [name = ''] = text.split('.');
    return [text, facetOf(group(without(filters, name), { _group: [text] }, true))];
  });
  return { lines, facets: Object.fromEntries(facets), grouped };
}

/** The filters of the other fields. */
function without(filters: Values, name: string): Values {
  const own = [name, `${name}_min`, `${name}_max`, `_not.${name}`];
  return Object.fromEntries(
    Object.entries(filters).flatMap(([parameter, value]): [string, unknown][] => {
      if (own.includes(parameter)) return [];
      if (parameter !== '_empty' && parameter !== '_filled') return [[parameter, value]];
      const others = (value as string[]).filter((one) => one !== name);
      return others.length === 0 ? [] : [[parameter, others]];
    }),
  );
}

function facetOf(groups: readonly Group[]): unknown {
  const counted = groups.map(({ count: rows, ...its }) => ({
    value: Object.values(its)[0] ?? null,
    count: Number(rows),
  }));
  const sum = (some: typeof counted) => some.reduce((all, one) => all + one.count, 0);
  const filled = counted.filter(({ value }) => value !== null);
  filled.sort((a, b) => b.count - a.count);
  return {
    values: filled.slice(0, MOST_FACET_VALUES),
    others: sum(filled.slice(MOST_FACET_VALUES)),
    empty: sum(counted.filter(({ value }) => value === null)),
  };
}

function checkGroups(
  { text, next }: { readonly text: string; readonly next: string | undefined },
  { lines, facets }: Expected,
  page: number,
  { _format: format = 'json', _facets, _limit, _group, _measure }: Values,
  fail: Fail,
): void {
  if (format === 'ndjson') {
    const wanted = lines.map((line) => `${line}\n`).join('');
    if (text !== wanted) fail('not the naive groups', ...fromDifference(wanted, text));
    return;
  }
  const limit = naiveLimit(_limit);
  const isOfGroups = _group !== undefined || _measure !== undefined;
  const its = lines.slice(page * limit, (page + 1) * limit);
  const listed = isOfGroups ? Math.min(lines.length, MOST_GROUPS) : lines.length;
  const isLast = (page + 1) * limit >= listed;
  const cursor = isLast ? 'null' : `"${next}"`;
  const wanted = `{"params":{"results":[${its.join()}],"count":${its.length},"total":${lines.length},"next":${cursor}`;
  if (isLast !== (next === undefined)) fail('wrong about more pages', wanted, text);
  if (!text.startsWith(wanted)) fail('not the naive groups', ...fromDifference(wanted, text));
  if (_facets === undefined) return;
  const found = JSON.stringify(JSON.parse(text).params.facets);
  const counted = JSON.stringify(facets);
  if (found !== counted) fail('not the naive facets', ...fromDifference(counted, found));
}

/** The values of lists that no row has, by the naive reading of each alone. Wildcards are not told. */
function checkNotFound(
  text: string,
  { block }: TrustSet,
  naive: NaiveAnswers,
  { _format = 'json', ...values }: Values,
  fail: Fail,
): void {
  if (_format !== 'json') return;
  const keys = [...(block.primaryKey ?? []), block.keyFields[0]];
  const wanted = block.fields.flatMap(({ name }): [string, unknown][] => {
    const given = [values[name] ?? []].flat();
    if (given.length <= 100 && !keys.includes(name)) return [];
    const once = [...new Set(given)];
    if (once.length < 2) return [];
    const missing = once.filter((one) => {
      const isWild = typeof one === 'string' && one.replaceAll('\\*', '').includes('*');
      return !isWild && naive.positions({ [name]: one }).length === 0;
    });
    return missing.length === 0 ? [] : [[name, missing]];
  });
  const found = JSON.stringify(JSON.parse(text).params.notFound ?? {});
  const expected = JSON.stringify(Object.fromEntries(wanted));
  if (found !== expected) fail('not the values that no row has', expected, found);
}

/** Two texts from shortly before they differ. */
function fromDifference(wanted: string, found: string): string[] {
  let at = 0;
  while (at < wanted.length && wanted[at] === found[at]) at++;
  return [wanted, found].map((text) => text.slice(Math.max(0, at - 200), at + 200));
}
