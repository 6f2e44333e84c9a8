import type { DatasetBlock } from '../block/block.ts';
import { MOST_LIMIT } from '../block/options.ts';
import { FORMATS, type Format } from '../formats/formats.ts';
import { ANSWER_CUT } from '../problem/errors.ts';
import {
  answerInWords,
  countInWords,
  describeFilters,
  type FilterText,
  orderInWords,
  outOfAll,
  type Reason,
  textOfFilter,
} from '../query/answer-in-words.ts';
import { numberText } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import {
  type BlockView,
  changed,
  FOUND,
  hrefOf,
  type PageOutcome,
  type PageState,
  valuesOf,
} from './block-view.ts';
import { Warnings } from './page-shell.tsx';
import { RowsTable } from './rows-table.tsx';

type RowsAnswerProps = {
  readonly view: BlockView;
  readonly state: PageState;
  readonly found: PageOutcome & { kind: 'rows' };
};

/** The rows of an answer: the filter in words, the table, links to pages and to files. */
export function RowsAnswer({ view, state, found }: RowsAnswerProps) {
  const { fields } = view.block as DatasetBlock;
  const { headline, filters, reasons } = inWords(view, found);
  return (
    <section aria-labelledby="found">
      <h2 id="found" tabindex={-1}>
        {headline}
        <Where filters={filters} state={state} />
        <Order fields={fields} view={view} state={state} />
      </h2>
      {found.help !== undefined && <Reasons reasons={reasons} view={view} state={state} />}
      {/* The warning that the answer is cut is for programs; here the page links show it. */}
      <Warnings warnings={found.warnings.filter(({ title }) => title !== ANSWER_CUT)} />
      <Table view={view} state={state} found={found} />
    </section>
  );
}

/** The answer in words; a page shows its own table, with links, and its form has the facets. */
export function inWords(
  view: BlockView,
  { rows, total, next, help }: Pick<RowsAnswerProps['found'], 'rows' | 'total' | 'next' | 'help'>,
) {
  const block = view.block as DatasetBlock;
  const { noun, keyFields, parameters } = block;
  const filters = describeFilters(block, view.values);
  const question = {
    ...{ noun, keyFields, parameters, filters },
    rows: rowsOf(view),
    given: view.values,
    writeFilter: (names: readonly string[]) => textOfFilter(filters, names),
  };
  return answerInWords(question, { results: rows, total, next, help });
}

function rowsOf({ manifest }: BlockView): number {
  return manifest?.rows ?? 0;
}

/** A table, and the links to its pages and its files. */
export function Table({ view, state, found }: RowsAnswerProps) {
  if (found.rows.length === 0) return <Pages state={state} found={found} />;
  return (
    <>
      <RowsTable view={view} state={state} found={found} />
      <Pages state={state} found={found} />
      <Files view={view} state={state} found={found} />
    </>
  );
}

/** The filter as a sentence; each part has a link that drops it. */
export function Where({ filters, state }: { filters: readonly FilterText[]; state: PageState }) {
  return (
    <>
      {filters.map(({ parameters, text }, i) => (
        <>
          {i === 0 ? ' where ' : ' and '}
          <Chip text={text} href={hrefOf(without(state, parameters))} />
        </>
      ))}
    </>
  );
}

/**
 * The order that was asked for, whose column may lie beyond the table's edge. Without it, the rows
 * are in the order of `by`.
 */
export function Order(props: {
  readonly fields: readonly Field[];
  readonly view: BlockView;
  readonly state: PageState;
  readonly by?: string | undefined;
}) {
  const { fields, view, state, by } = props;
  const sort = view.values._sort as readonly string[] | undefined;
  const text = orderInWords(fields, sort);
  if (text === undefined) return null;
  const instead = by === undefined || by === sort?.join() ? null : by;
  return (
    <>
      {' sorted by '}
      <Chip text={text} href={hrefOf(changed(state, { _sort: instead, _cursor: null }))} />
    </>
  );
}

/** A part of what is asked for, with a link to the page without it. */
export function Chip({ text, href }: { text: string; href: string }) {
  return (
    <span class="filter">
      {text}
      <a href={href} aria-label={`Drop: ${text}`} title="Drop this">
        {'\u00a0×'}
      </a>
    </span>
  );
}

function without(state: PageState, parameters: readonly string[]): PageState {
  const dropped = Object.fromEntries(parameters.map((name) => [name, null]));
  return changed(state, { ...dropped, _cursor: null });
}

/** A text filter's values with a star on both sides. */
function containingOf(state: PageState, name: string) {
  return { [name]: valuesOf(state, name).map((value) => `*${value.trim()}*`), _cursor: null };
}

/** A text filter's values as another parameter's. */
function movedTo(state: PageState, name: string, parameter: string) {
  return { [name]: null, [parameter]: valuesOf(state, name), _cursor: null };
}

/** Why no row matches: how many rows each filter matches by itself, and likely corrections. */
export function Reasons(props: {
  readonly reasons: readonly Reason[];
  readonly view: BlockView;
  readonly state: PageState;
}) {
  const { reasons, view, state } = props;
  const { noun } = view.block as DatasetBlock;
  return (
    <ul class="help">
      {reasons.map(({ help, filter }) => {
        const { parameters, alone, empties, containing, nearest, elsewhere = [] } = help;
        const [name = ''] = parameters;
        return (
          <li>
            {filter}: {alone === null ? 'not counted' : outOfAll(alone, noun, rowsOf(view))} by
            itself.{' '}
            {empties === true && alone !== 0 ? 'No row matches it and the others too. ' : ''}
            {containing !== null && containing !== 0 && (
              <>
                <a class="button" href={hrefOf(changed(state, containingOf(state, name)))}>
                  Containing it: {countInWords(containing, noun)}
                </a>{' '}
              </>
            )}
            {elsewhere.map(({ parameter, rows }) => (
              <>
                <a class="button" href={hrefOf(changed(state, movedTo(state, name, parameter)))}>
                  In {parameter}: {countInWords(rows, noun)}
                </a>{' '}
              </>
            ))}
            {nearest.map((value) => (
              <>
                <a
                  class="button"
                  href={hrefOf(
                    changed(state, { [name]: value.replaceAll('*', '\\*'), _cursor: null }),
                  )}
                >
                  {value}
                </a>{' '}
              </>
            ))}
            {help.without !== 0 && (
              <a class="button" href={hrefOf(without(state, parameters))}>
                Drop it{help.without === null ? '' : `: ${countInWords(help.without, noun)}`}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Pages({ state, found }: Pick<RowsAnswerProps, 'state' | 'found'>) {
  const isLater = state.some(([name]) => name === '_cursor');
  if (found.next === null && !isLater) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {isLater ? <a href={hrefOf(changed(state, { _cursor: null }), FOUND)}>First page</a> : ''}{' '}
      {found.next !== null && (
        <a rel="next" href={hrefOf(changed(state, { _cursor: found.next }), FOUND)}>
          Next page
        </a>
      )}
    </nav>
  );
}

/** Links to the rows as files: all of them, but for JSON, which has pages. */
export function Files(props: {
  view: BlockView;
  state: PageState;
  found: RowsAnswerProps['found'];
}) {
  const { view, state, found } = props;
  const { total, groups, rows, columns } = found;
  const whole = changed(state, {
    _cursor: null,
    _limit: null,
    _shade: null,
    _view: null,
    _mark: null,
  });
  const isMore = total > MOST_LIMIT;
  const noun = groups === undefined ? 'row' : 'group';
  const sizes = fileSizes(rows, columns, total, MOST_LIMIT);
  return (
    <p class="files">
      Download{' '}
      {total === 1 ? `this ${noun}` : `${isMore ? 'all' : 'these'} ${numberText(total)} ${noun}s`}{' '}
      as{' '}
      {view.block.formats
        .filter((format) => format !== 'html')
        .filter((format) => groups === undefined || FORMATS[format].whyNoGroups === undefined)
        .toSorted((a, b) => Number(a === 'json') - Number(b === 'json'))
        .map((format, i) => (
          <>
            {i === 0 ? '' : ' · '}
            <a href={hrefOf(changed(whole, { _format: format }))}>{FORMATS[format].title}</a>
            {noteOf([
              isMore && format === 'json' ? `the first ${numberText(MOST_LIMIT)}` : undefined,
              sizes[format],
            ])}
          </>
        ))}
    </p>
  );
}

function noteOf(parts: readonly (string | undefined)[]): string {
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? '' : ` (${said.join(', ')})`;
}

/** Rows of a page that stand for all, evenly apart. */
const MOST_SAMPLED = 50;

/** The least share of the rows, or else their least number, that tell how long the others are. */
const LEAST_SAMPLED = 10;

/**
 * How long the files of an answer are about, by format, in words: `about 1.2 MB`. It is told from
 * the rows of a page. Formats of which these do not tell it are absent.
 */
function fileSizes(
  rows: readonly Row[],
  columns: readonly Field[],
  total: number,
  mostAsJson: number,
): Partial<Record<Format, string>> {
  if (rows.length < Math.min(LEAST_SAMPLED, total)) return {};
  const step = Math.ceil(rows.length / MOST_SAMPLED);
  const sample = rows.filter((_, i) => i % step === 0);
  const mean = (bytesOf: (row: Row) => number) =>
    sample.reduce((sum, row) => sum + bytesOf(row), 0) / sample.length;
  const json = mean((row) => bytesAsJson(columns.map(({ name }) => [name, row[name] ?? null])));
  const csv = mean((row) =>
    columns.reduce((sum, { name }) => sum + Buffer.byteLength(String(row[name] ?? '')) + 1, 1),
  );
  const head = columns.reduce((sum, { name }) => sum + name.length + 1, 1);
  return {
    csv: sizeText(head + total * csv),
    ndjson: sizeText(total * json),
    json: sizeText(Math.min(total, mostAsJson) * json),
  };
}

function bytesAsJson(members: readonly (readonly [string, unknown])[]): number {
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(members))) + 1;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Two digits, since more would not be true. */
function sizeText(bytes: number): string {
  const rounded = Number(Math.max(1, bytes).toPrecision(2));
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(rounded) / 3));
  return `about ${numberText(Number((rounded / 1000 ** power).toPrecision(2)))} ${UNITS[power]}`;
}
