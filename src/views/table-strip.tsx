import type { Child } from 'hono/jsx';
import { NEAR } from '../block/parameter.ts';
import type { Language } from '../languages/language.ts';
import { FiltersLink } from '../page/filter-form.tsx';
import { inTurns } from '../page/in-turns.ts';
import { changed, FOUND, hrefOf } from '../page/links.ts';
import { orderInWords } from '../query/answer-in-words.ts';
import { shortTitle } from '../text/wording.ts';
import { isNumeric } from '../values/field-types.ts';
import { DISTANCE } from '../values/places.ts';
import { countsOf } from './table-columns.ts';
import type { TableProps } from './table-read.ts';

/** What a table shows, above it: how many rows match, by which filters; its columns, its pages. */
export function TableStrip(
  props: TableProps & {
    /** The heading as it is read out, without its links. Absent if it has a link of another kind. */
    readonly said?: string;
    readonly children: Child;
  },
) {
  const { page, found, said, children } = props;
  return (
    <div class="strip state">
      <h2 id="found" tabindex={-1} aria-label={said}>
        {children}
      </h2>
      <FiltersLink page={page} />
      {found.rows.length === 0 || found.groups !== undefined ? (
        ''
      ) : (
        <>
          <Sorting page={page} found={found} />
          <Chooser page={page} found={found} />
        </>
      )}
      <Pages page={page} found={found} label="Pages" />
    </div>
  );
}

/** On a phone, where rows are cards without heads: the order, by any of the columns. */
function Sorting({ page, found }: TableProps) {
  const { language } = page;
  const { say } = language;
  const fields = found.table.columns
    .map(({ field }) => field)
    .filter(({ name }) => name !== DISTANCE.name);
  const asked = (page.values._sort ?? []) as readonly string[];
  const [first = ''] = asked;
  const turned = first.startsWith('-') ? first.slice(1) : `-${first}`;
  const usual = fields.map((field) => (isNumeric(field) ? `-${field.name}` : field.name));
  const orders = new Set([asked.join(), turned, ...usual]);
  const kept = page.links.state.filter(([name]) => name !== '_sort' && name !== '_cursor');
  const all = page.block.fields.map((one) => {
    return { ...one, title: shortTitle(one.title) };
  });
  return (
    <div class="narrow">
      <form class="ask" method="get" autocomplete="off" aria-label={say('Order')}>
        {kept.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <div class="asked">
          <label>
            {say('sorted by')}{' '}
            <select name="_sort">
              <option value="">
                {say(page.values[NEAR] === undefined ? 'as in the file' : 'nearest first')}
              </option>
              {[...orders].map((order) => {
                const text = orderInWords(all, order.split(','), language);
                return text === undefined ? (
                  ''
                ) : (
                  <option value={order} selected={order === asked.join()}>
                    {text}
                  </option>
                );
              })}
            </select>
          </label>
          <button type="submit">{say('Sort')}</button>
        </div>
      </form>
    </div>
  );
}

/** The columns as a form: those that are checked are shown, in order of use. */
function Chooser({ page, found }: TableProps) {
  const { inUse, isChosen } = found.table;
  // A distance is there by itself.
  const columns = found.table.columns.filter(({ field }) => field.name !== DISTANCE.name);
  const { language } = page;
  const { say, number } = language;
  const isShown = new Set(columns.map(({ field }) => field.name));
  const kept = page.links.state.filter(([name]) => name !== '_fields');
  return (
    <details class="pop">
      <summary class="plain">
        {say('Columns')}{' '}
        <small>
          {language.parts('{count} of {all}', {
            count: isChosen ? (
              number(columns.length)
            ) : (
              <Counts columns={columns} language={language} />
            ),
            all: number(inUse.length),
          })}
        </small>
      </summary>
      <form method="get" autocomplete="off" aria-label={say('Columns')}>
        {kept.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <small>
          {isChosen ? (
            <a href={hrefOf(changed(page.links.state, { _fields: null }), FOUND)}>
              {say('The usual columns')}
            </a>
          ) : (
            say('A narrow window shows the first that fit.')
          )}
        </small>
        <div class="many">
          {inTurns(inUse, page.turn, ({ name, title }) => (
            <label>
              <input
                type="checkbox"
                name="_fields"
                value={name}
                checked={isShown.has(name)}
                aria-label={say('Column {field}', { field: title })}
              />{' '}
              <span dir="auto" title={title.length > shortTitle(title).length ? title : undefined}>
                {shortTitle(title)}
              </span>
            </label>
          ))}
        </div>
        <button type="submit">{say('Show these columns')}</button>
      </form>
    </details>
  );
}

/** How many columns a window shows. On a phone a card has the row's name and those below it. */
function Counts(
  props: Pick<TableProps['found']['table'], 'columns'> & { readonly language: Language },
) {
  const { columns, language } = props;
  const onCard = 1 + columns.filter(({ isOnCard }) => isOnCard).length;
  return (
    <>
      {[onCard, ...countsOf(columns)].map((count, i) => (
        <span class={`at${i}`}>{language.number(count)}</span>
      ))}
    </>
  );
}

/** How many rows or groups a page can have. */
const LIMITS = [40, 100, 200];

/** Which of all rows a page has, and the way to the others. */
export function Pages(
  props: TableProps & {
    readonly label: 'Pages' | 'Pages, below the table';
  },
) {
  const { page, label } = props;
  const { language } = page;
  const { state } = page.links;
  const { say, number } = language;
  const { rows, total, next, before, limit, groups } = props.found;
  const isLater = state.some(([name]) => name === '_cursor');
  const [least = 0] = LIMITS;
  if (rows.length === 0 || (next === null && !isLater && total <= least)) return null;
  const from = before === undefined ? undefined : before.rows + 1;
  const to = (before?.rows ?? 0) + rows.length;
  const limits = [...new Set([...LIMITS, limit])].sort((a, b) => a - b);
  return (
    <nav class="pages" aria-label={say(label)}>
      <span>
        {language.parts('{count} of {all}', {
          count: (
            <b>{from === undefined ? number(rows.length) : `${number(from)}–${number(to)}`}</b>
          ),
          all: number(total),
        })}
      </span>{' '}
      {isLater && (
        <a rel="prev" href={hrefOf(changed(state, { _cursor: before?.cursor ?? null }), FOUND)}>
          {before === undefined ? say('First page') : say('Previous')}
        </a>
      )}{' '}
      {next !== null && (
        <a rel="next" href={hrefOf(changed(state, { _cursor: next }), FOUND)}>
          {say('Next')}
        </a>
      )}{' '}
      <span class="limits">
        {groups === undefined ? say('Rows') : say('Groups')}:{' '}
        {limits.map((one) =>
          one === limit ? (
            <b>{number(one)} </b>
          ) : (
            <>
              <a
                href={hrefOf(changed(state, { _limit: String(one) }), FOUND)}
                aria-label={say(groups === undefined ? '{count} rows' : '{count} groups', {
                  count: one,
                })}
              >
                {number(one)}
              </a>{' '}
            </>
          ),
        )}
      </span>
    </nav>
  );
}
