import { numberText } from '../text/wording.ts';
import { isNumeric } from '../values/field-types.ts';
import {
  type BlockView,
  changed,
  FOUND,
  hrefOf,
  type PageOutcome,
  type PageState,
} from './block-view.ts';
import { inTurns } from './in-turns.ts';
import { trusted } from './page-shell.tsx';
import { MOST_CELLS } from './table-body.ts';

/** Rows as a scrollable table; a column's head links to sorting by it, ascending first. */
export function RowsTable(props: {
  view: BlockView;
  state: PageState;
  found: PageOutcome & { kind: 'rows' };
}) {
  const { view, state, found } = props;
  const { columns, columnsShown, body } = found;
  const [sort, second] = (view.values._sort ?? []) as readonly string[];
  return (
    <>
      <LeftOut view={view} found={found} />
      <Printed found={found} />
      {/* Focusable, so that the keyboard can scroll it. */}
      <section class="table" aria-label="Rows" tabindex={0}>
        <table class={found.groups === undefined ? undefined : 'groups'}>
          <thead>
            <tr>
              {inTurns(columns.slice(0, columnsShown), view.turn, (field, i) => {
                const { name, title, unit = '' } = field;
                const isUp = sort === name;
                const isDown = sort === `-${name}`;
                return (
                  <th
                    scope="col"
                    class={i > 0 && isNumeric(field) ? 'n' : undefined}
                    aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
                  >
                    <span class="named">
                      <a
                        href={hrefOf(
                          changed(state, { _sort: isUp ? `-${name}` : name, _cursor: null }),
                          FOUND,
                        )}
                        title={title.length > MOST_SHOWN_TITLE ? title : undefined}
                      >
                        {title}
                      </a>
                      {sort === undefined || second !== undefined || isUp || isDown ? (
                        ''
                      ) : (
                        <a
                          class="tie"
                          href={hrefOf(
                            changed(state, { _sort: `${sort},${name}`, _cursor: null }),
                            FOUND,
                          )}
                          aria-label={`Sort what ties by ${title}`}
                          title="Sort what ties by this"
                        >
                          +
                        </a>
                      )}
                      {unit !== '' && unit.length <= MOST_UNIT ? (
                        <span class="unit"> {unit}</span>
                      ) : (
                        ''
                      )}
                    </span>
                  </th>
                );
              })}
            </tr>
          </thead>
          {trusted(body)}
        </table>
      </section>
    </>
  );
}

/** What the table leaves out so that it has at most `MOST_CELLS`, and where that is. */
function LeftOut({ view, found }: { view: BlockView; found: PageOutcome & { kind: 'rows' } }) {
  const { rows, columns, columnsShown, isShort, groups } = found;
  const isNarrow = columnsShown < columns.length;
  if (!isShort && !isNarrow) return null;
  const noun = groups === undefined ? 'row' : 'group';
  const shown = `${numberText(rows.length)} ${noun}${rows.length === 1 ? '' : 's'}`;
  const asked = numberText(view.values._limit as number);
  const first = `the first ${numberText(columnsShown)} of ${numberText(columns.length)} columns`;
  return (
    <p class="left-out">
      This table has {shown}
      {isShort ? `, not the ${asked} that _limit asks for` : ''}
      {isNarrow ? `${isShort ? ', and' : ' and'} ${first}` : ''}: a page has at most{' '}
      {numberText(MOST_CELLS)} cells. {isShort ? 'The next page goes on after them. ' : ''}
      {isNarrow
        ? `For other columns, name them in _fields in the page’s address, or open ${noun === 'row' ? 'a row’s own page or ' : ''}a file.`
        : 'The files have all.'}
    </p>
  );
}

/** As many columns as fit a sheet of paper; the style leaves the others out. */
const MOST_PRINTED = 8;

/** What a printed table leaves out; a screen does not show it. */
function Printed({ found }: { found: PageOutcome & { kind: 'rows' } }) {
  const { rows, total, groups, columns } = found;
  const parts = [
    ...(rows.length < total ? [`${numberText(rows.length)} of ${numberText(total)} rows`] : []),
    ...(groups === undefined && columns.length > MOST_PRINTED
      ? [`${MOST_PRINTED} of ${numberText(columns.length)} columns`]
      : []),
  ];
  if (parts.length === 0) return null;
  return (
    <p class="printed">
      Printed: {parts.join(' and ')}. _limit and _fields in the page’s address print others.
    </p>
  );
}

/** A longer title may be cut by the style, which shows two lines of it. */
const MOST_SHOWN_TITLE = 40;

/** A longer unit makes a column wide; the form has it. */
const MOST_UNIT = 5;
