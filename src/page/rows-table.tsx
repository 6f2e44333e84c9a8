import { isNumeric } from '../fields/field-types.ts';
import { numberText } from '../words/number-text.ts';
import type { BlockView, PageOutcome } from './block-view.ts';
import { trusted } from './page-shell.tsx';
import { changed, FOUND, hrefOf, type PageState } from './page-state.ts';

/** Rows as a scrollable table; a column's head links to sorting by it, ascending first. */
export function RowsTable(props: {
  view: BlockView;
  state: PageState;
  found: PageOutcome & { kind: 'rows' };
}) {
  const { view, state, found } = props;
  const { columns, body } = found;
  const sort = view.values._sort as string | undefined;
  return (
    <>
      <Printed found={found} />
      {/* Focusable, so that the keyboard can scroll it. */}
      <section class="table" aria-label="Rows" tabindex={0}>
        <table class={found.groups === undefined ? undefined : 'groups'}>
          <thead>
            <tr>
              {columns.map((field, i) => {
                const { name, title, unit = '' } = field;
                const isUp = sort === name;
                const isDown = sort === `-${name}`;
                return (
                  <th
                    scope="col"
                    class={i > 0 && isNumeric(field) ? 'n' : undefined}
                    aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
                  >
                    <span class="head">
                      <a
                        href={hrefOf(
                          changed(state, { _sort: isUp ? `-${name}` : name, _cursor: null }),
                          FOUND,
                        )}
                        title={title.length > MOST_SHOWN_TITLE ? title : undefined}
                      >
                        {title}
                      </a>
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

/** As many columns as fit a sheet of paper; the style leaves the others out. */
const MOST_PRINTED = 8;

/** What a printed table leaves out; a screen does not show it. */
function Printed({ found }: { found: PageOutcome & { kind: 'rows' } }) {
  const { rows, total, groups, columns } = found;
  const parts = [
    ...(rows.length < total ? [`${rows.length} of ${numberText(total)} rows`] : []),
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
