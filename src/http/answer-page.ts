import {
  type Arguments,
  isBlank,
  type RawArguments,
  type ReadArguments,
} from '../arguments/given.ts';
import { type KnownNames, namesInQuery } from '../arguments/names.ts';
import { withoutNesting } from '../arguments/nesting.ts';
import type { DatasetBlock } from '../block/block.ts';
import { groupingOf } from '../block/grouping.ts';
import { FORMAT_TYPES } from '../formats/media-types.ts';
import {
  type BlockView,
  countedFields,
  type PageAddress,
  type PageOutcome,
} from '../page/block-view.ts';
import { PROBLEMS, Problem } from '../problem/errors.ts';
import { isGrouped } from '../query/answer-in-words.ts';
import { textsOf } from '../query/row-texts.ts';
import {
  cacheKeyOf,
  type Output,
  type PlannedRun,
  planRun,
  type RowsOutput,
  runPlanned,
} from '../query/run.ts';
import { numberText, shorten } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import { isNumeric, typeOf } from '../values/field-types.ts';
import { Budget } from '../work/budget.ts';
import { type Answered, compressed, etagOf, notModified, type Run } from './answer.ts';
import { checkFormatOptions } from './read-format.ts';
import type { HttpRequest } from './request.ts';
import { belowRoot } from './routes.ts';
import { rowAddresses } from './row-addresses.ts';
import { rowsHeaders } from './rows-body.ts';
import { type Outcome, outcomeOfOutput, outcomeOfProblem } from './run-record.ts';
import type { ServedBlock } from './served-block.ts';
import { asProblem } from './service.ts';

/** Rows on a page when the request has no `_limit`. */
const PAGE_LIMIT = 40;

/** Groups on a page when the request has no `_limit`. */
const GROUPS_LIMIT = 200;

/** The most marks on a map: as many as the most rows of one answer. */
const MOST_MARKS = 1000;

/** A block with what is derived from it once, for all its requests. */
export type BlockAsked = {
  readonly served: ServedBlock;
  readonly readArguments: ReadArguments;
  readonly known: KnownNames;
};

type PageAsked = BlockAsked & { readonly given: RawArguments; readonly budget: Budget };

/** Answers with the block's page: its form, and below it the result or the problem. */
export async function answerPage(run: Run, asked: PageAsked): Promise<Answered> {
  const { request, settings } = run;
  const { served, budget } = asked;
  const began = performance.now();
  const { used, unused } = usedOf(asked.given, asked.known);
  let given = used;
  const pairs = sentPairs(given);
  const tooLong = refusalOfLength(pairs);
  let sent = { given: tooLong === undefined ? pairs : [], address: pageAddress(request) };
  const [, key] = pairs.find(([name]) => name === 'api_key') ?? [];
  const keyed = key === undefined ? '' : `?api_key=${encodeURIComponent(key)}`;
  const linkTo = (row: string) => `${sent.address.toRoot}${belowRoot(row)}${keyed}`;
  const caching: Record<string, string> = { 'Cache-Control': 'no-cache' };
  const applied: Record<string, string> = {};
  let shown: Shown = { outcome: { kind: 'unasked' }, values: {}, record: {}, status: 200 };
  const render = async ({ outcome, values }: Shown, its: Budget) => {
    const { renderBlockPage } = await loadPages();
    return renderBlockPage({
      ...sent,
      block: served.block,
      values,
      unused,
      outcome,
      turn: (steps) => its.turn(steps),
      kept: served.kept,
      ...(served.manifest === undefined ? {} : { manifest: served.manifest }),
      ...(served.profile === undefined ? {} : { profile: served.profile() }),
    } satisfies BlockView);
  };
  let body: string;
  try {
    if (tooLong !== undefined) throw tooLong;
    let read = isUnasked({ ...asked, given }) ? undefined : readForPage({ ...asked, given });
    const sort = read && usualSort(served, read.values);
    if (read !== undefined && sort !== undefined) {
      // As if it were asked for: so the page's links, files and programs have its order too.
      read = { ...read, values: { ...read.values, _sort: sort } };
      given = { ...given, query: { ...given.query, _sort: sort } };
      sent = { ...sent, given: sentPairs(given) };
    }
    if (read !== undefined) checkFormatOptions(read.values, 'html');
    const planned = read === undefined ? undefined : await planPage(served, read, budget);
    if (read?.applied !== undefined) applied['Preference-Applied'] = `handling=${read.applied}`;
    if (!given.isPost && read?.values._explain !== true) {
      const cacheKey = planned === undefined ? 'unasked' : [cacheKeyOf(planned), read?.warnings];
      caching.ETag = etagOf(settings.build, 'page', sent, unused, cacheKey);
      const headers = { ...PAGE_HEADERS, ...caching, ETag: caching.ETag };
      const known = notModified(request, headers);
      if (known !== undefined) return known;
    }
    if (read !== undefined && planned !== undefined) {
      const output = await runPlanned(planned, budget);
      shown = {
        outcome: await outcomeOf(output, read.warnings, { ...asked, given }, read.values, linkTo),
        values: read.values,
        record: outcomeOfOutput(output, budget),
        status: 200,
        headers: rowsHeaders(request, output),
      };
    }
    body = await render(shown, budget);
  } catch (error) {
    shown = refused(run, error);
    // The run's time may be over.
    body = await render(shown, new Budget(run.scheduler));
  }
  const { record, status, headers } = shown;
  // A problem must not be cached, nor answered with 304.
  const kept = status === 200 ? caching : { 'Cache-Control': 'no-store' };
  return compressed(run, {
    status,
    headers: { ...PAGE_HEADERS, ...kept, ...applied, ...headers },
    body,
    outcome: record,
    timings: `page;dur=${(performance.now() - began).toFixed(2)}, `,
  });
}

/** The policy allows nothing from other origins, and no inline script or style. */
export const PAGE_HEADERS = {
  'Content-Type': FORMAT_TYPES.html.contentType,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'",
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  Vary: 'Accept, Accept-Encoding, Prefer',
};

type Shown = {
  readonly outcome: PageOutcome;
  readonly values: Arguments['values'];
  readonly record: Outcome;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
};

async function planPage(
  served: ServedBlock,
  { values }: Arguments,
  budget: Budget,
): Promise<PlannedRun> {
  const { block, source, manifest } = served;
  if (block.answers === 'value') return planRun(source, values, budget);
  const { fields } = block as DatasetBlock;
  const grouping = groupingOf({ fields }, values);
  const counted = manifest === undefined ? [] : countedFields(fields, manifest);
  const _facets = [...new Set([...((values._facets ?? []) as string[]), ...counted])];
  const { columnsOfRows, fieldsOnMap, rowsThatFit } = await loadPages();
  const { length } = columnsOfRows({ block, values }, grouping);
  const { primaryKey = [] } = block as DatasetBlock;
  const limit = (values._limit ?? (grouping === undefined ? PAGE_LIMIT : GROUPS_LIMIT)) as number;
  const shown = {
    _limit: rowsThatFit(limit, length),
    // Rows need more fields than those asked for: of their addresses and of the map.
    ...(grouping === undefined && values._fields !== undefined
      ? {
          _fields: [
            ...(values._fields as string[]),
            ...primaryKey,
            ...fieldsOnMap({ ...served, values }),
          ],
        }
      : {}),
  };
  return planRun(
    source,
    { ...values, ...shown, ...(_facets.length === 0 ? {} : { _facets }) },
    budget,
  );
}

/**
 * Reads a page's arguments. Its form keeps how rows are sorted; once it asks for groups, which have
 * other columns, that is dropped and not refused.
 */
function readForPage({ readArguments, given, budget }: PageAsked): Arguments {
  try {
    return readArguments({ ...given, canWarn: true }, budget);
  } catch (error) {
    const { _sort, _fields, ...query } = given.query;
    const isOfRows = (error as Problem).faults?.every(
      ({ code, parameter = '' }) => code === 'not-a-choice' && ROWS_ALONE.includes(parameter),
    );
    if (!isGrouped(query) || !isOfRows) throw error;
    return readArguments({ ...given, query }, budget);
  }
}

const ROWS_ALONE = ['_sort', '_fields'];

/** The order of groups that have none, neither asked for nor their own: they begin with the largest. */
function usualSort({ block }: ServedBlock, values: Arguments['values']): string | undefined {
  if (block.answers === 'value' || values._sort !== undefined) return undefined;
  const { dimensions = [], measures = [] } = groupingOf(block as DatasetBlock, values) ?? {};
  const [dimension, second] = dimensions;
  const [measure] = measures;
  if (dimension === undefined || measure === undefined || second !== undefined) return undefined;
  const isOrdered = dimension.part !== undefined || typeOf(dimension.field).isOrdered;
  return isOrdered || !isNumeric(measure.column) ? undefined : `-${measure.column.name}`;
}

/**
 * The arguments of a page, which uses what it can and says what it does not: a link to it may have
 * been decorated on its way.
 */
export function usedOf(
  given: RawArguments,
  known: KnownNames,
): { readonly used: RawArguments; readonly unused: readonly string[] } {
  const unused = given.isPost ? [] : namesInQuery(given.query, known, false).strangers;
  if (unused.length === 0) return { used: given, unused };
  const query = Object.assign(Object.create(null), given.query);
  for (const name of unused) delete query[name];
  return { used: { ...given, query }, unused };
}

/** Whether a block that needs arguments was given none, not even a misspelt name. */
function isUnasked({ served, given, known }: PageAsked): boolean {
  if (served.block.answers !== 'value' || given.isPost || given.places !== undefined) return false;
  const names = namesInQuery(given.query, known, false);
  return names.near.length === 0 && names.known.every((name) => name === '_format');
}

function refused({ runId }: Run, error: unknown): Shown {
  const problem = asProblem(error);
  const { status, title } = PROBLEMS[problem.code];
  const { detail, faults, headers } = problem;
  return {
    outcome: { kind: 'refused', title, detail, faults, runId },
    values: {},
    record: outcomeOfProblem(problem),
    status,
    headers,
  };
}

async function outcomeOf(
  output: Output,
  warnings: Arguments['warnings'],
  asked: PageAsked,
  values: Arguments['values'],
  linkTo: (row: string) => string,
): Promise<PageOutcome> {
  const all = [...warnings, ...output.warnings];
  if (output.kind === 'value') return { kind: 'value', value: output.value, warnings: all };
  const { total, next, help, facets } = output;
  const { served, budget } = asked;
  const rows = await rowsOf(output, budget);
  const { columnsOfRows, columnsThatFit, rowsThatFit, writeTableBody } = await loadPages();
  const grouping = groupingOf(served.block as DatasetBlock, values);
  const columns = columnsOfRows({ ...served, values }, grouping);
  const columnsShown = columnsThatFit(columns.length, rows.length);
  const { _limit: limit = 0 } = values as { readonly _limit?: number };
  const isShort = rows.length < limit && rows.length === rowsThatFit(limit, columns.length);
  const groups =
    grouping === undefined ? {} : { groups: { grouping, matching: output.matching ?? 0 } };
  return {
    kind: 'rows',
    ...{ rows, columns, columnsShown, ...groups },
    isShort: isShort && next !== null,
    body: await writeTableBody(
      { ...served, given: sentPairs(asked.given) },
      { rows, columns: columns.slice(0, columnsShown), ...groups },
      (steps) => budget.turn(steps),
      rowAddresses(served, rows, output).map(linkTo),
    ),
    ...(facets === undefined ? {} : { facets }),
    total,
    next,
    warnings: all,
    ...(await marksOf(output, rows, asked, values)),
    ...(help === undefined ? {} : { help }),
  };
}

/** The work of parsing a character of a row, in steps. */
const STEPS_PER_CHARACTER = 3;

async function rowsOf({ rows }: RowsOutput, budget: Budget): Promise<Row[]> {
  const parsed: Row[] = [];
  for (const text of textsOf(rows)) {
    parsed.push(JSON.parse(text));
    await budget.turn(text.length * STEPS_PER_CHARACTER);
  }
  return parsed;
}

/** All rows for the map, or only the page's where they are too many. */
async function marksOf(
  { next }: RowsOutput,
  rows: readonly Row[],
  { served, budget }: PageAsked,
  values: Arguments['values'],
): Promise<{ marks: readonly Row[]; marksAreAll: boolean }> {
  const isWhole = next === null && values._cursor === undefined;
  const { geometry } = served.block as DatasetBlock;
  if (isGrouped(values)) {
    return { marks: [], marksAreAll: true };
  }
  if (geometry === undefined || isWhole) {
    return { marks: rows, marksAreAll: isWhole };
  }
  const { fieldsOnMap } = await loadPages();
  const _fields = fieldsOnMap({ ...served, values });
  const all = { ...values, _fields, _cursor: undefined, _limit: MOST_MARKS };
  const output = await runPlanned(planRun(served.source, all, budget), budget);
  if (output.kind === 'value') return { marks: rows, marksAreAll: false };
  const marks = await rowsOf(output, budget);
  return { marks, marksAreAll: output.next === null };
}

/** The most characters of arguments as a query: every link of a page repeats them. */
const MOST_STATE_LENGTH = 8192;

function refusalOfLength(pairs: readonly [string, string][]): Problem | undefined {
  const lengths = new Map<string, number>();
  let all = 0;
  for (const [name, value] of pairs) {
    const length = new URLSearchParams([[name, value]]).toString().length + 1;
    lengths.set(name, (lengths.get(name) ?? 0) + length);
    all += length;
  }
  if (all <= MOST_STATE_LENGTH) return undefined;
  const [longest = ''] = [...lengths].sort(([, a], [, b]) => b - a)[0] ?? [];
  const parameter = shorten(longest);
  const detail = `The arguments are too long for a page, whose address they are: ${numberText(all)} characters, and at most ${numberText(MOST_STATE_LENGTH)} are taken. ${parameter} has the most. Send fewer, or ask for another format.`;
  return new Problem('too-much-work', detail, {
    faults: [{ code: 'too-much-work', detail, parameter }],
  });
}

/**
 * What was sent, as name-value pairs for the page's links and form. A query value that is not blank
 * wins over the body's. A key in a body has no effect, and must not get into addresses.
 */
export function sentPairs({ query, body }: RawArguments): [string, string][] {
  const inQuery = Object.entries(query).filter(([, value]) => !isBlank(value));
  const inBody = Object.entries(withoutNesting(body)).filter(([name]) => name !== 'api_key');
  const sent = new Map([...inBody, ...inQuery]);
  return [...sent].flatMap(([name, value]) =>
    [value].flat().flatMap((member): [string, string][] => {
      if (member === null || member === undefined || typeof member === 'object') return [];
      return [[name, String(member)]];
    }),
  );
}

/**
 * Loads the code that renders pages at the first request for one, since most requests want none.
 * A function has it in a separate file (`src/build/bundle-handler.ts`).
 */
export const loadPages = () => import('../page/pages.ts');

/**
 * The address of the request's page, as the caller sees it, by what its channel says: headers that
 * anybody may send count nowhere here. Links are relative, so they need only the path.
 */
export function pageAddress({ origin, path, seenPath = path }: HttpRequest): PageAddress {
  return { url: `${origin}${seenPath}`, toRoot: toRoot(path, seenPath) };
}

/** The relative link from a page to the service's root: `../` for each folder above the page. */
function toRoot(path: string, visible: string): string {
  const depth = path.split('/').length - 2;
  if (depth > 0) return '../'.repeat(depth);
  // A stage's address without its trailing slash: a link must repeat the last part of the path.
  const last = visible.split('/').at(-1) ?? '';
  return last === '' ? './' : `./${last}/`;
}
