import type { DatasetBlock } from '../block/block.ts';
import type { Field, Row, Value } from '../fields/field.ts';
import { isNumeric, typeOf } from '../fields/field-types.ts';
import type { BlockView } from './block-view.ts';
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
              const { name, title } = field;
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
                </th>
              );
            })}
          </tr>
        </thead>
        {trusted(bodyOf(fields, rows))}
      </table>
    </section>
  );
}

/** The fields asked for, or else the key fields and then all others. */
function columns({ block, values }: BlockView): Field[] {
  const { fields, keyFields } = block as DatasetBlock;
  const asked = values._fields as readonly string[] | undefined;
  const names = asked ?? [...keyFields, ...fields.map(({ name }) => name)];
  return [...new Set(names)].flatMap((name) => fields.filter((field) => field.name === name));
}

/** Written as text for speed, since cells are most of a page. */
function bodyOf(fields: readonly Field[], rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const cells = fields.map((field, i) => {
      const text = cellOf(row[field.name] ?? null, field);
      if (i === 0) return `<th scope="row">${text}</th>`;
      return isNumeric(field) ? `<td class="n">${text}</td>` : `<td>${text}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<tbody>${lines.join('\n')}</tbody>`;
}

const DECIMALS = 3;

/** A cell's HTML. A number with many decimals is shown with few; `value` has them all. */
function cellOf(value: Value, field: Field): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') {
    const href = typeOf(field).hrefOf?.(value);
    return href === undefined ? escaped(value) : `<a href="${escaped(href)}">${escaped(value)}</a>`;
  }
  const shown = String(Number(value.toFixed(DECIMALS)));
  return shown === String(value) ? shown : `<data value="${value}">${shown}</data>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
