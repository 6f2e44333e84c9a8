import { isHaving } from '../block/grouping.ts';
import type { ViewName } from '../block/views.ts';
import {
  type BlockView,
  changed,
  hrefOf,
  type PageState,
  TABLE_NAMES,
  valuesOf,
} from './block-view.ts';

/** A page's state with the question that it shows, even if nobody asked it. */
export function withQuestion(
  { added = [] }: Pick<BlockView, 'added'>,
  state: PageState,
): PageState {
  const names = new Set(added.map(([name]) => name));
  const ofRows = names.has('_group') ? TABLE_NAMES : [];
  return [...state.filter(([name]) => !names.has(name) && !ofRows.includes(name)), ...added];
}

/** The address of another view of a page's state. */
export function linkToView(
  view: Pick<BlockView, 'added' | 'opened'>,
  state: PageState,
  to: ViewName,
): string {
  if (to === 'table') return tableOf(view, state, false);
  const other = changed(state, { _view: to, _cursor: null });
  if (to === 'api')
    return hrefOf(withQuestion(view, changed(other, { _mark: null, _as_one: null })));
  if (to === 'columns') return hrefOf(other);
  // A question stays in its own view, and comes back to the chart from where it has no figure.
  const hasFigure = view.opened === 'chart' || view.opened === 'map';
  const isKept = hasFigure ? to === view.opened : to === 'chart';
  const kept = isKept ? other : withoutQuestion(other);
  return hrefOf(changed(kept, { _sort: null, _fields: null, _limit: null }));
}

/** The address of a table: of the rows, or of the groups that are drawn. */
export function tableOf(
  view: Pick<BlockView, 'added'>,
  state: PageState,
  isOfGroups: boolean,
): string {
  const table = changed(state, { _view: 'table', _mark: null, _as_one: null, _cursor: null });
  return hrefOf(isOfGroups ? withQuestion(view, table) : withoutQuestion(table));
}

/** Drops what is about groups alone. */
export function withoutQuestion(state: PageState): PageState {
  const isGrouped = state.some(([name]) => name === '_group' || name === '_measure');
  const dropped = { _group: null, _measure: null, _mark: null, _as_one: null };
  const rows = changed(state, isGrouped ? { ...dropped, _sort: null, _fields: null } : dropped);
  return rows.filter(([name]) => !isHaving(name));
}

/** The address of something else of the service, with the key that the page has. */
export function linkTo(
  { address }: Pick<BlockView, 'address'>,
  state: PageState,
  path: string,
): string {
  const [key] = valuesOf(state, 'api_key');
  return `${address.toRoot}${path}${key === undefined ? '' : hrefOf([['api_key', key]])}`;
}
