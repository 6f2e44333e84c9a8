import {
  type Arguments,
  isBlank,
  isGrouped,
  type RawArguments,
  withoutNesting,
} from '../arguments/given.ts';
import { type KnownNames, namesInQuery } from '../arguments/names.ts';
import type { DatasetBlock } from '../block/block.ts';
import type { Grouping } from '../block/grouping.ts';
import { html } from '../formats/html.ts';
import {
  type BlockView,
  countedFields,
  type PageOutcome,
  type PageState,
} from '../page/block-view.ts';
import { PROBLEMS, Problem } from '../problem/errors.ts';
import type { Output, PlannedRun, RowsOutput } from '../query/run.ts';
import { numberText, shorten } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import { isNumeric, typeOf } from '../values/field-types.ts';
import { Budget, RUN_STEPS } from '../work/budget.ts';
import { compressed, etagOf, type Run } from './answer.ts';
import type { Asked, Presentation } from './line.ts';
import { rowsHeaders } from './present-data.ts';
import { checkFormatOptions } from './read-format.ts';
import { pageAddress } from './request.ts';
import { parsedRows, rowAddresses } from './row-addresses.ts';
import { type Outcome, outcomeOfOutput, outcomeOfProblem } from './run-record.ts';
import type { ServedBlock } from './served-block.ts';
import { asProblem, belowRoot } from './service.ts';

/** Rows on a page when the request has no `_limit`. */
const PAGE_LIMIT = 40;

/** Groups on a page when the request has no `_limit`. */
const GROUPS_LIMIT = 200;

/** The most marks on a map of points: as many as the most rows of one answer. */
const MOST_MARKS = 1000;

/**
 * Answers that a page reads to colour its map of areas. `add` takes no more areas than their rows.
 */
const MOST_ANSWERS = 5;

type PageRead = {
  /** The arguments that the page uses; as name-value pairs, its links and its form have them. */
  readonly used: RawArguments;
  readonly sent: PageState;
  /** Undefined if the block needs arguments and has none. */
  readonly read: Arguments | undefined;
};

/** A block's page: its form, and below it the result or the problem. */
export function pageOf(asked: Asked): Presentation<PageRead, PlannedRun | undefined, Shown> {
  const { run, served, budget } = asked;
  const { request, settings } = run;
  const began = performance.now();
  const { used, unused } = usedOf(asked.given, asked.served.known);
  const pairs = sentPairs(used);
  const tooLong = refusalOfLength(pairs);
  const address = pageAddress(request);
  const render = async (
    { outcome, values }: Pick<Shown, 'outcome' | 'values'>,
    sent: PageState,
    its: Budget,
  ) => {
    const { renderBlockPage } = await loadPages();
    return renderBlockPage({
      given: sent,
      address,
      block: served.block,
      values,
      unused,
      outcome,
      turn: (steps) => its.checkpoint(steps),
      kept: served.kept,
      manifest: served.manifest,
      profile: served.profile?.(),
    } satisfies BlockView);
  };
  const answered = async (
    shown: Shown,
    page: string,
    { read }: Pick<PageRead, 'read'>,
    headers: Record<string, string>,
  ) => {
    const { applied } = read ?? {};
    return compressed(run, {
      status: shown.status,
      headers: {
        ...headers,
        ...(applied === undefined ? {} : { 'Preference-Applied': `handling=${applied}` }),
        ...shown.headers,
      },
      body: page,
      outcome: shown.record,
      timings: `page;dur=${(performance.now() - began).toFixed(2)}, `,
    });
  };
  return {
    read() {
      if (tooLong !== undefined) throw tooLong;
      const given = { ...asked, given: used };
      if (isUnasked(given)) return { used, sent: pairs, read: undefined };
      return inUsualOrder(served, used, readForPage(given));
    },
    plan({ read }) {
      if (read === undefined) return undefined;
      checkFormatOptions(read.values, 'html');
      return planPage(served, read, budget);
    },
    head({ sent, read }, planned) {
      const headers: Record<string, string> = { ...PAGE_HEADERS, 'Cache-Control': 'no-cache' };
      if (used.isPost || read?.values._explain === true) return { headers };
      const cacheKey = planned === undefined ? 'unasked' : [planned.cacheKey(), read?.warnings];
      const dependsOn = [{ given: sent, address }, unused, cacheKey];
      headers.ETag = etagOf(settings.build, 'page', ...dependsOn);
      return { headers };
    },
    async run(planned, { used, read }) {
      const status = 200;
      if (planned === undefined || read === undefined) {
        return { outcome: { kind: 'unasked' }, values: {}, record: {}, status };
      }
      const { values, warnings } = read;
      const output = await planned.run(budget);
      return {
        outcome: await outcomeOf(
          output,
          warnings,
          { ...asked, given: used },
          values,
          read.grouping,
        ),
        values,
        record: outcomeOfOutput(output, budget),
        status,
        headers: rowsHeaders(request, output),
      };
    },
    async answer(shown, headers, read) {
      return answered(shown, await render(shown, read.sent, budget), read, headers);
    },
    async refuse(error, read) {
      const shown = refused(run, error);
      const sent = read?.sent ?? (tooLong === undefined ? pairs : []);
      // The run's time may be over. A problem must not be cached, nor answered with 304.
      const more = new Budget(run.scheduler, RUN_STEPS, run.settings.runWithinMs);
      const page = await render(shown, sent, more);
      const headers = { ...PAGE_HEADERS, 'Cache-Control': 'no-store' };
      return answered(shown, page, read ?? { read: undefined }, headers);
    },
  };
}

/** The policy allows nothing from other origins, and no inline script or style. */
export const PAGE_HEADERS = {
  'Content-Type': html.contentType,
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
  { values, grouping }: Arguments,
  budget: Budget,
): Promise<PlannedRun> {
  const { block, plan, manifest } = served;
  if (block.answers === 'value') return plan(values, budget);
  const { fields } = block as DatasetBlock;
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
  return plan(
    { ...values, ...shown, ...(_facets.length === 0 ? {} : { _facets }) },
    budget,
    grouping,
  );
}

/**
 * Reads a page's arguments. Its form keeps how rows are sorted; once it asks for groups, which have
 * other columns, that is dropped and not refused.
 */
function readForPage({ served: { readArguments }, given, budget }: Asked): Arguments {
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

/** Groups that are given no order, and have none of their own, begin with the largest. */
function inUsualOrder({ block }: ServedBlock, used: RawArguments, read: Arguments): PageRead {
  const _sort = block.answers === 'value' ? undefined : usualSort(read);
  if (_sort === undefined) return { used, sent: sentPairs(used), read };
  // As if it were asked for: so the page's links, files and programs have its order too.
  const sorted = { ...used, query: { ...used.query, _sort } };
  const values = { ...read.values, _sort: [_sort] };
  return { used: sorted, sent: sentPairs(sorted), read: { ...read, values } };
}

function usualSort({ values, grouping }: Arguments): string | undefined {
  const { dimensions: [dimension, second] = [], measures: [measure] = [] } = grouping ?? {};
  if (values._sort !== undefined || dimension === undefined || measure === undefined) {
    return undefined;
  }
  const isOrdered = dimension.part !== undefined || typeOf(dimension.field).isOrdered;
  const isSortedByItself = second !== undefined || isOrdered || !isNumeric(measure.column);
  return isSortedByItself ? undefined : `-${measure.column.name}`;
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
function isUnasked({ served, given }: Asked): boolean {
  if (served.block.answers !== 'value' || given.isPost || given.locations !== undefined)
    return false;
  const names = namesInQuery(given.query, served.known, false);
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
  asked: Asked,
  values: Arguments['values'],
  grouping: Grouping | undefined,
): Promise<PageOutcome> {
  const all = [...warnings, ...output.warnings];
  if (output.kind === 'value') return { kind: 'value', value: output.value, warnings: all };
  const { total, next, help, facets } = output;
  const { served, budget } = asked;
  const sent = sentPairs(asked.given);
  const [, key] = sent.find(([name]) => name === 'api_key') ?? [];
  const keyed = key === undefined ? '' : `?api_key=${encodeURIComponent(key)}`;
  const { toRoot } = pageAddress(asked.run.request);
  const rows = await parsedRows(output, budget);
  const { columnsOfRows, columnsThatFit, rowsThatFit, writeTableBody } = await loadPages();
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
      { ...served, given: sent },
      { rows, columns: columns.slice(0, columnsShown), ...groups },
      (steps) => budget.checkpoint(steps),
      rowAddresses(served, rows, output).map((row) => toRoot + belowRoot(row) + keyed),
    ),
    ...(facets === undefined ? {} : { facets }),
    total,
    next,
    warnings: all,
    ...(await marksOf(output, rows, asked, values)),
    ...(help === undefined ? {} : { help }),
  };
}

/** All rows for the map, or only the page's where they are too many. */
async function marksOf(
  { next }: RowsOutput,
  rows: readonly Row[],
  { served, budget }: Asked,
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
  const marks: Row[] = [];
  let following: string | null | undefined;
  for (let answer = 0; answer < (geometry.kind === 'regions' ? MOST_ANSWERS : 1); answer++) {
    const all = { ...values, _fields, _cursor: following, _limit: MOST_MARKS };
    const output = await served.plan(all, budget).run(budget);
    if (output.kind === 'value') return { marks: rows, marksAreAll: false };
    marks.push(...(await parsedRows(output, budget)));
    following = output.next;
    if (following === null) break;
  }
  return { marks, marksAreAll: following === null };
}

/** What a page asks for, as an address. Every link of the page repeats it. */
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
