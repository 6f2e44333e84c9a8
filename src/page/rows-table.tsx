import type { DatasetBlock } from '../block/block.ts';
import type { Field, Row, Value } from '../fields/field.ts';
import { isNumeric, typeOf } from '../fields/field-types.ts';
import type { BlockView } from './block-view.ts';
import { trusted } from './page-shell.tsx';
import { changed, FOUND, hrefOf, type PageState } from './page-state.ts';

/** Rows as a table that scrolls within itself; a column's head sorts by it, up then down. */
export function RowsTable(props: { view: BlockView; state: PageState; rows: readonly Row[] }) {
  const { view, state, rows } = props;
  const fields = columns(view);
  const sort = view.values._sort as string | undefined;
  return (
    // It scrolls, so the keyboard must reach it.
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

/** The fields asked for, or the key ones and then all others. */
function columns({ block, values }: BlockView): Field[] {
  const { fields, keyFields } = block as DatasetBlock;
  const asked = values._fields as readonly string[] | undefined;
  const names = asked ?? [...keyFields, ...fields.map(({ name }) => name)];
  return [...new Set(names)].flatMap((name) => fields.filter((field) => field.name === name));
}

/** Joined by hand: of all that a page has, the cells are most. */
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

/** A number of many decimals is shown with few, and carries itself. */
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
