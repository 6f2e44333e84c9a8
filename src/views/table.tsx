import { areaDimension, type Dimension, groupColumns, type Measure } from '../block/grouping.ts';
import { Q } from '../block/parameter.ts';
import { type Language, listed } from '../languages/language.ts';
import { measureOfField } from '../measures/measures.ts';
import { wordsOfRows } from '../page/block-head.tsx';
import { Chip, Having, inWords, Order, Reasons, Where } from '../page/filter-words.tsx';
import type { Links } from '../page/links.ts';
import {
  changed,
  hrefOf,
  type PageState,
  TABLE_NAMES,
  UNDRAWN,
  withoutQuestion,
  withQuestion,
} from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import { Warnings } from '../page/page-shell.tsx';
import { HEIGHT_OF_TABLE, type Taken } from '../page/share-menus.tsx';
import { groupsInWords, orderInWords, outOfAll } from '../query/answer-in-words.ts';
import { TIME_PARTS } from '../values/time-part.ts';
import { columnSummaries } from './column-summaries.ts';
import { withoutGroups } from './rows-of-group.ts';
import { RowsTable } from './rows-table.tsx';
import { searchHints } from './search-hints.ts';
import type { Groups } from './table-body.ts';
import { planTable, readRows, type TableProps, type TableRead } from './table-read.ts';
import { Pages, TableStrip } from './table-strip.tsx';
import type { ViewKind } from './view.ts';

export const table: ViewKind<TableRead> = {
  name: 'table',
  title: 'Table',
  skip: 'To rows',
  filters: 'sheet',
  badge: ({ block, language }, { matching }) =>
    matching !== undefined && (
      <small>
        {' '}
        {language.number(matching)}
        <span class="vh"> {block.noun}</span>
      </small>
    ),
  offered: () => true,
  isMeant: (_, { values, grouping }) =>
    grouping === undefined && TABLE_NAMES.some((name) => values[name] !== undefined),
  ask: (_, { values, grouping }, first) => {
    const isImplied = first === undefined && values._view === undefined;
    return { view: table, name: 'table', values, grouping, added: {}, isImplied };
  },
  plan: planTable,
  async read(query, reading) {
    const { page, budget } = reading;
    const { values, grouping } = query;
    const planned = query.planned ?? planTable(query, reading.of, budget);
    const found = await readRows(query, reading, planned);
    // The page is there without what comes before it, which gives way.
    const before = await planned.before?.(budget.part(STEPS_BEFORE));
    const fields = found.table.columns.map(({ field }) => field);
    const summaries =
      grouping === undefined
        ? await columnSummaries(page, planned, fields, found.total, budget)
        : {};
    const hints =
      values[Q] === undefined ? [] : await searchHints(reading.of, values, found.matching, budget);
    return { ...found, before, summaries, hints };
  },
  words: (found, page: DatasetPage) => wordsOfRows(page, found.matching),
  strip: (found, page: DatasetPage) =>
    found.groups === undefined ? (
      <RowsStrip page={page} found={found} />
    ) : (
      <GroupsStrip page={page} found={found} groups={found.groups} />
    ),
  show: (found, page: DatasetPage) => <Answer page={page} found={found} />,
  embed: (found, page: DatasetPage) => <Embedded page={page} found={found} />,
  files: (found, page: DatasetPage) => filesOfTable(found, page),
  state: (links) => tableState(links, false),
};

/**
 * Work for telling which of all rows a page has, in steps. Then the page does not say it, and leads
 * back to the first page alone.
 */
const STEPS_BEFORE = 5_000_000;

/** The arguments of a link to a table: of the rows, or of the groups that are drawn. */
export function tableState(links: Links, isOfGroups: boolean): PageState {
  const state = changed(links.state, { _view: 'table', _cursor: null, ...UNDRAWN });
  return isOfGroups ? withQuestion({ ...links, state }) : withoutQuestion(state);
}

/** Files of the rows or groups of a table. */
export function filesOfTable(found: TableRead, page: DatasetPage): Taken {
  const { rows, columns, total, groups } = found;
  return {
    files: {
      state: withQuestion(page.links),
      total,
      isOfGroups: groups !== undefined,
      areAreas: groups && areaDimension(groups.grouping, page.block) !== undefined,
      shown: { rows, columns },
    },
    frame: { view: 'table', height: HEIGHT_OF_TABLE },
  };
}

/** How many rows match, by which filters and in which order: the table's heading. */
function RowsStrip({ page, found }: TableProps) {
  const { fields } = page.block;
  const { headline, filters } = inWords(page, found);
  const { say } = page.language;
  const texts = filters.map(({ text }) => text).join(` ${say('and')} `);
  const order = orderInWords(fields, page.values._sort as readonly string[], page.language);
  const said = [
    headline,
    ...(texts === '' ? [] : [say('where'), texts]),
    ...(order === undefined ? [] : [say('sorted by'), order]),
  ].join(' ');
  return (
    <TableStrip page={page} found={found} said={said}>
      <b>{headline}</b>
      <Where filters={filters} page={page} />
      <Order fields={fields} page={page} />
    </TableStrip>
  );
}

type GroupsProps = TableProps & { readonly groups: Groups };

/** What was asked of groups, in words: their table's heading. */
function GroupsStrip({ page, found, groups }: GroupsProps) {
  const { noun } = page.block;
  const { grouping, matching } = groups;
  const { state } = page.links;
  const { filters } = inWords(page, found);
  const { language } = page;
  const { say } = language;
  const all = page.manifest.rows;
  const rows = outOfAll(matching, noun, all, language);
  const measures = grouping.measures.filter(({ field }) => field !== undefined);
  return (
    <TableStrip page={page} found={found}>
      <b>
        {measures.length === 0
          ? rows
          : say('{measures} of {rows}', {
              measures: listed(
                measures.map((measure) => titleOfMeasure(measure, language)),
                language,
              ),
              rows: matching === all ? say('all {count} {noun}', { count: all, noun }) : rows,
            })}
      </b>
      {grouping.dimensions.map((dimension, i) => (
        <>
          {i === 0 ? `, ${say('by')} ` : ` ${say('and')} `}
          <Chip
            text={byWhat(dimension, language)}
            href={hrefOf(withoutGroup(state, grouping.dimensions, i))}
            language={language}
          />
        </>
      ))}
      {grouping.dimensions.length === 0 || filters.length === 0 ? '' : ','}
      <Where filters={filters} page={page} />
      <Having grouping={grouping} page={page} after="," />
      <Order fields={groupColumns(grouping)} page={page} by={grouping.dimensions[0]?.column.name} />
    </TableStrip>
  );
}

/** What helps if there are no rows, the table, and links to its pages. */
function Answer({ page, found }: TableProps) {
  const { groups, help, rows } = found;
  const { language } = page;
  return (
    <div>
      {groups !== undefined && (
        <p class="quiet">
          {groups.grouping.dimensions.length === 0
            ? ''
            : `${groupsInWords(found.total, language)}${moreOf(found, language)}. `}
          <a href={hrefOf(withoutGroups(page.links.state))}>{language.say('Show the rows')}</a>
        </p>
      )}
      {help !== undefined && <Reasons reasons={inWords(page, found).reasons} page={page} />}
      <Warnings warnings={found.warnings} />
      {rows.length > 0 && (
        <>
          <RowsTable page={page} found={found} />
          <Pages page={page} found={found} label="Pages, below the table" />
          <button type="button" class="plain copy">
            {language.say('Copy table')}
          </button>
        </>
      )}
    </div>
  );
}

/** A table alone, with how many rows match. */
export function Embedded({ page, found }: TableProps) {
  const { block, manifest, language } = page;
  const { matching, groups, total } = found;
  return (
    <>
      <h1 dir="auto">{block.title}</h1>
      <p class="state">
        <b>{outOfAll(matching, block.noun, manifest.rows, language)}</b>
        <Where filters={inWords(page, found).filters} page={page} />
        {groups === undefined
          ? ''
          : ` ${language.say('in {groups}', { groups: groupsInWords(total, language) })}`}
      </p>
      <RowsTable page={page} found={found} />
    </>
  );
}

/** How many groups there are beside those of a first page. */
function moreOf({ rows, total, next }: TableRead, { say }: Language): string {
  return next === null ? '' : `, ${say('{count} more than these', { count: total - rows.length })}`;
}

/** The page without a group: with those that are left, or with rows. */
export function withoutGroup(
  state: PageState,
  all: readonly Dimension[],
  dropped: number,
): PageState {
  const left = all.filter((_, i) => i !== dropped).map(({ text }) => text);
  return left.length === 0
    ? withoutGroups(state)
    : changed(state, { _sort: null, _cursor: null, _group: left });
}

/** `Category`, `month of Opened`, `Population, in steps of 5000`. */
function byWhat({ field, partName, column }: Dimension, { say }: Language): string {
  if (partName === undefined) return column.title;
  return say('{part} of {field}', { part: say(TIME_PARTS[partName].words), field: field.title });
}

/** `Average of Subways` */
function titleOfMeasure({ of, field, column }: Measure, language: Language): string {
  return field === undefined ? column.title : measureOfField(of, field.title, language);
}
