import type { DatasetBlock } from '../block/block.ts';
import type { Language } from '../languages/language.ts';
import { ANSWER_CUT } from '../problem/errors.ts';
import {
  answerInWords,
  countInWords,
  orderInWords,
  outOfAll,
  type Reason,
} from '../query/answer-in-words.ts';
import { describeFilters, type FilterText, textOfFilter } from '../query/filters-in-words.ts';
import type { Field } from '../values/field-types.ts';
import {
  type BlockView,
  changed,
  hrefOf,
  type PageOutcome,
  type PageState,
  valuesOf,
  without,
} from './block-view.ts';
import { Warnings } from './page-shell.tsx';
import { RowsTable } from './rows-table.tsx';
import { Pages, TableStrip } from './table-strip.tsx';

type RowsAnswerProps = {
  readonly view: BlockView;
  readonly state: PageState;
  readonly found: PageOutcome & { kind: 'rows' };
};

/** How many rows match, by which filters and in which order: the table's heading. */
export function RowsStrip({ view, state, found }: RowsAnswerProps) {
  const { fields } = view.block as DatasetBlock;
  const { headline, filters } = inWords(view, found);
  const { say } = view.language;
  const texts = filters.map(({ text }) => text).join(` ${say('and')} `);
  const order = orderInWords(fields, view.values._sort as readonly string[], view.language);
  const said = [
    headline,
    ...(texts === '' ? [] : [say('where'), texts]),
    ...(order === undefined ? [] : [say('sorted by'), order]),
  ].join(' ');
  return (
    <TableStrip view={view} state={state} found={found} said={said}>
      <b>{headline}</b>
      <Where filters={filters} state={state} language={view.language} />
      <Order fields={fields} view={view} state={state} />
    </TableStrip>
  );
}

/** The rows of an answer: what helps if there are none, the table, and links to its pages. */
export function RowsAnswer({ view, state, found }: RowsAnswerProps) {
  const { reasons } = inWords(view, found);
  return (
    <div>
      {found.help !== undefined && <Reasons reasons={reasons} view={view} state={state} />}
      {/* The warning that the answer is cut is for programs; here the page links show it. */}
      <Warnings warnings={found.warnings.filter(({ title }) => title !== ANSWER_CUT)} />
      <Table view={view} state={state} found={found} />
    </div>
  );
}

/** The answer in words; a page shows its own table, with links, and its form has the facets. */
export function inWords(
  view: BlockView,
  { rows, total, next, help }: Pick<RowsAnswerProps['found'], 'rows' | 'total' | 'next' | 'help'>,
) {
  const block = view.block as DatasetBlock;
  const { language } = view;
  const { noun, keyFields, parameters } = block;
  const filters = describeFilters(block, view.values, language);
  const question = {
    ...{ noun, keyFields, parameters, filters, language },
    rows: rowsOf(view),
    given: view.values,
    writeFilter: (names: readonly string[]) => textOfFilter(filters, names),
  };
  return answerInWords(question, { results: rows, total, next, help });
}

function rowsOf({ manifest }: BlockView): number {
  return manifest?.rows ?? 0;
}

/** A table, and the links to its pages. */
export function Table({ view, state, found }: RowsAnswerProps) {
  if (found.rows.length === 0) return null;
  return (
    <>
      <RowsTable view={view} state={state} found={found} />
      <Pages {...{ state, found }} language={view.language} label="Pages, below the table" />
      <button type="button" class="plain copy">
        {view.language.say('Copy table')}
      </button>
    </>
  );
}

/** The filter as a sentence; each part has a link that drops it. */
export function Where(props: {
  readonly filters: readonly FilterText[];
  readonly state: PageState;
  readonly language: Language;
}) {
  const { filters, state, language } = props;
  return (
    <>
      {filters.map(({ parameters, text }, i) => (
        <>
          {` ${language.say(i === 0 ? 'where' : 'and')} `}
          <Chip text={text} href={hrefOf(without(state, parameters))} language={language} />
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
  const { language } = view;
  const text = orderInWords(fields, sort, language);
  if (text === undefined) return null;
  const instead = by === undefined || by === sort?.join() ? null : by;
  return (
    <>
      {` ${language.say('sorted by')} `}
      <Chip
        text={text}
        href={hrefOf(changed(state, { _sort: instead, _cursor: null }))}
        language={language}
      />
    </>
  );
}

/** A part of what is asked for, with a link to the page without it. */
export function Chip(props: { text: string; href: string; language: Language }) {
  const { text, href, language } = props;
  const { say } = language;
  return (
    <span class="filter">
      <bdi>{text}</bdi>
      <a href={href} aria-label={say('Drop: {filter}', { filter: text })} title={say('Drop this')}>
        {'\u00a0×'}
      </a>
    </span>
  );
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
  const { language } = view;
  const { say } = language;
  return (
    <ul class="help">
      {reasons.map(({ help, filter }) => {
        const { parameters, alone, empties, containing, nearest, elsewhere = [] } = help;
        const [name = ''] = parameters;
        return (
          <li>
            {alone === null
              ? say('{filter}: not counted by itself.', { filter })
              : say('{filter}: {rows} by itself.', {
                  filter,
                  rows: outOfAll(alone, noun, rowsOf(view), language),
                })}{' '}
            {empties === true && alone !== 0
              ? `${say('No row matches it and the others too.')} `
              : ''}
            {containing !== null && containing !== 0 && (
              <>
                <a class="button" href={hrefOf(changed(state, containingOf(state, name)))}>
                  {say('Containing it: {rows}', {
                    rows: countInWords(containing, noun, language),
                  })}
                </a>{' '}
              </>
            )}
            {elsewhere.map(({ parameter, rows }) => (
              <>
                <a class="button" href={hrefOf(changed(state, movedTo(state, name, parameter)))}>
                  {say('In {field}: {rows}', {
                    field: titleOfParameter(view, parameter),
                    rows: countInWords(rows, noun, language),
                  })}
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
                {help.without === null
                  ? say('Drop it')
                  : say('Drop it: {rows}', { rows: countInWords(help.without, noun, language) })}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The title of the field that a parameter filters by. */
function titleOfParameter({ block }: BlockView, name: string): string {
  return block.parameters.find((one) => one.name === name)?.title ?? name;
}
