import type { DatasetBlock } from '../block/block.ts';
import type { Field, Row } from '../fields/field.ts';
import { isNumeric } from '../fields/field-types.ts';
import type { BlockView } from './block-view.ts';
import { cellWriter } from './cell-writer.ts';
import { trusted } from './page-shell.tsx';
import { changed, FOUND, hrefOf, type PageState } from './page-state.ts';

/** Rows as a scrollable table; a column's head links to sorting by it, ascending first. */
export function RowsTable(props: { view: BlockView; state: PageState; rows: readonly Row[] }) {
  const { view, state, rows } = props;
  const fields = columns(view);
  const sort = view.values._sort as string | undefined;
  return (
    // Focusable, so that the keyboard can scroll it.
    <section class="table" aria-label="Rows" tabindex={0}>
      <table>
        <thead>
          <tr>
            {fields.map((field) => {
              const { name, title, unit = '' } = field;
              const isUp = sort === name;
              const isDown = sort === `-${name}`;
              return (
                <th
                  scope="col"
                  class={isNumeric(field) ? 'n' : undefined}
                  aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
                >
                  <a
                    href={hrefOf(
                      changed(state, { _sort: isUp ? `-${name}` : name, _cursor: null }),
                      FOUND,
                    )}
                  >
                    {title}
                  </a>
                  {unit !== '' && unit.length <= MOST_UNIT ? <span class="unit"> {unit}</span> : ''}
                </th>
              );
            })}
          </tr>
        </thead>
        {trusted(bodyOf(view, fields, rows))}
      </table>
    </section>
  );
}

/** A longer unit makes a column wide; the form has it. */
const MOST_UNIT = 5;

/** The fields asked for, or else the key fields and then all others. */
function columns({ block, values }: BlockView): Field[] {
  const { fields, keyFields } = block as DatasetBlock;
  const asked = values._fields as readonly string[] | undefined;
  const names = asked ?? [...keyFields, ...fields.map(({ name }) => name)];
  return [...new Set(names)].flatMap((name) => fields.filter((field) => field.name === name));
}

/** Written as text for speed, since cells are most of a page. */
function bodyOf({ block, manifest }: BlockView, fields: readonly Field[], rows: readonly Row[]) {
  const { primaryKey = [], geometry } = block as DatasetBlock;
  const writers = fields.map((field) => {
    const { name } = field;
    const { min, max } = manifest?.fields[name] ?? {};
    const write = cellWriter(
      field,
      rows.map((row) => row[name] ?? null),
      {
        ...(min === undefined || max === undefined ? {} : { min, max }),
        isKey: primaryKey.includes(name),
        isPlace: name === geometry?.latitude || name === geometry?.longitude,
      },
    );
    return { name, write, open: openingOf(field) };
  });
  const lines = rows.map((row) => {
    const cells = writers.map(({ name, write, open }, i) => {
      const text = write(row[name] ?? null);
      return i === 0 ? `<th scope="row">${text}</th>` : `${open}${text}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<tbody>${lines.join('\n')}</tbody>`;
}

/** Dates are not broken between lines. */
function openingOf(field: Field): string {
  if (isNumeric(field)) return '<td class="n">';
  return field.type === 'date' || field.type === 'datetime' ? '<td class="t">' : '<td>';
}
