import type { Language } from '../languages/language.ts';
import { ofData } from '../page/block-head.tsx';
import { inTurns } from '../page/in-turns.ts';
import { shareText } from '../page/key-text.ts';
import { changed, FOUND, hrefOf } from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import { trusted } from '../page/page-shell.tsx';
import { Histogram, Parts } from '../page/small-figures.tsx';
import { groupsInWords } from '../query/answer-in-words.ts';
import { FROM_RIGHT } from '../text/wording.ts';
import { ownMember } from '../values/field-type.ts';
import { isNumeric } from '../values/field-types.ts';
import { isUnitInTitle } from '../values/number.ts';
import { DISTANCE } from '../values/places.ts';
import type { ColumnSummary } from './column-summaries.ts';
import { MOST_CELLS } from './table-body.ts';
import { countsOf, type TableColumn } from './table-columns.ts';
import type { TableProps } from './table-read.ts';

/** Rows as a table. Columns that somebody chose may be many: they scroll in a box of their own. */
export function RowsTable({ page, found }: TableProps) {
  const { groups, table, body } = found;
  const kind = groups === undefined ? 'rows' : 'groups';
  const name = page.language.say(groups === undefined ? 'Rows' : 'Groups');
  const written = (
    <table class={kind} aria-label={table.isChosen ? undefined : name}>
      <thead>
        <tr>
          {inTurns(table.columns, page.turn, (column, i) => (
            <Head
              page={page}
              column={column}
              isFirst={i === 0}
              summary={ownMember(found.summaries, column.field.name)}
            />
          ))}
        </tr>
      </thead>
      {trusted(body)}
    </table>
  );
  return (
    <>
      <LeftOut found={found} language={page.language} />
      <Printed found={found} language={page.language} />
      {table.isChosen ? (
        // Focusable, so that the keyboard can scroll it.
        <section class="table" aria-label={name} tabindex={0}>
          {written}
        </section>
      ) : (
        written
      )}
      <Empty page={page} found={found} />
    </>
  );
}

/** A column's head: a link that sorts by it. The first click on a number has the greatest first. */
function Head(props: {
  readonly page: DatasetPage;
  readonly column: TableColumn;
  readonly isFirst: boolean;
  readonly summary: ColumnSummary | undefined;
}) {
  const { page, column, isFirst, summary } = props;
  const { field, width = '', from = '', fits, isFromRight = false } = column;
  const { name, title, unit = '' } = field;
  const [sort] = (page.values._sort ?? []) as readonly string[];
  const isUp = sort === name;
  const isDown = sort === `-${name}`;
  const usual = isNumeric(field) ? `-${name}` : name;
  const other = isNumeric(field) ? name : `-${name}`;
  const hasUnit = unit !== '' && unit.length <= MOST_UNIT && !isUnitInTitle(unit, title);
  const side = isFromRight ? 'rtl' : !isFirst && isNumeric(field) ? 'n' : '';
  const classes = [width, from, side];
  return (
    <th
      scope="col"
      class={classes.filter((one) => one !== '').join(' ') || undefined}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      {name === DISTANCE.name ? (
        // Rows near a place are in the order of their distances, and in no other by them.
        <span>{page.language.say('Distance')}</span>
      ) : (
        <a
          {...ofData(page)}
          href={hrefOf(
            changed(page.links.state, { _sort: sort === usual ? other : usual, _cursor: null }),
            FOUND,
          )}
          title={title.length > fits ? title : undefined}
        >
          {title}
          {hasUnit ? (
            <span class="unit"> {FROM_RIGHT.test(title) ? <bdi>{unit}</bdi> : unit}</span>
          ) : (
            ''
          )}
        </a>
      )}
      {summary === undefined ? '' : <Summary summary={summary} language={page.language} />}
    </th>
  );
}

/** A column of the rows that match in a small figure and a word; its title has the blanks too. */
function Summary({ summary, language }: { summary: ColumnSummary; language: Language }) {
  const { rows, nulls, parts, bins, isLog, text, short = text } = summary;
  const isPartly = nulls > 0 && nulls < rows;
  const share = shareText(nulls, rows);
  const blanks = isPartly ? `, ${language.say('{share} blank', { share })}` : '';
  const scale = isLog ? `, ${language.say('log scale')}` : '';
  return (
    <div title={text + scale + blanks}>
      {parts === undefined ? '' : <Parts counts={parts} rows={rows} nulls={nulls} />}
      {bins === undefined ? '' : <Histogram bins={{ counts: bins }} />}
      {isLog ? <small class="log">{language.say('log scale')}</small> : ''}
      <small>{short}</small>
    </div>
  );
}

/** That the table has fewer rows than are asked for, so that it has at most `MOST_CELLS`. */
function LeftOut({ found, language }: OfTable) {
  const { rows, isShort, groups, limit } = found;
  const { say } = language;
  if (!isShort) return null;
  const count = rows.length;
  const shown =
    groups !== undefined
      ? groupsInWords(count, language)
      : count === 1
        ? say('1 row')
        : say('{count} rows', { count });
  return (
    <p class="left-out">
      {say(
        'This table has {rows}, not the {limit} that were asked for: a page has at most {cells} cells. The next page goes on after them. The files have all.',
        { rows: shown, limit, cells: MOST_CELLS },
      )}
    </p>
  );
}

type OfTable = Pick<TableProps, 'found'> & { readonly language: Language };

/** The columns without any value, stated once. */
function Empty({ page, found }: TableProps) {
  const { empty, isChosen } = found.table;
  if (empty === 0 || isChosen) return null;
  const { noun } = page.block;
  const { say } = page.language;
  return (
    <p class="quiet">
      {empty === 1
        ? say('1 empty column is not shown: none of the {noun} has a value there.', { noun })
        : say('{count} empty columns are not shown: none of the {noun} has a value there.', {
            ...{ count: empty, noun },
          })}
    </p>
  );
}

/** As many columns as fit a sheet of paper; the style leaves the others out. */
const MOST_PRINTED = 8;

/** What a printed table leaves out; a screen does not show it. */
function Printed({ found, language: { say } }: OfTable) {
  const { rows, total, groups, columns, table } = found;
  const [narrowest = 0] = countsOf(table.columns);
  const printed = Math.min(MOST_PRINTED, narrowest);
  const parts = [
    ...(rows.length < total
      ? [say('{count} of {all} rows', { count: rows.length, all: total })]
      : []),
    ...(groups === undefined && columns.length > printed
      ? [say('{count} of {all} columns', { count: printed, all: columns.length })]
      : []),
  ];
  if (parts.length === 0) return null;
  return (
    <p class="printed">
      {say('Printed: {parts}. More rows and other columns are chosen above the table.', {
        parts: parts.join(` ${say('and')} `),
      })}
    </p>
  );
}

/** A longer unit makes a column wide; the form has it. */
const MOST_UNIT = 5;
