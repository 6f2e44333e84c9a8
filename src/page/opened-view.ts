import type { Members } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import { type Grouping, groupingOf } from '../block/grouping.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import { type MarkName, VIEWS, type ViewName } from '../block/views.ts';
import { firstOf } from '../figure/first-question.ts';
import { cellWidthIn } from '../values/map-cells.ts';
import { PLACE_NAMES, TABLE_NAMES } from './block-view.ts';
import { shadeField } from './map-fields.ts';

/** What a page shows, and what it asks for that. */
export type OpenedView = {
  readonly view: ViewName;
  /** The arguments, with those of a question that nobody asked. */
  readonly values: Members;
  /** Absent if the page is of rows. */
  readonly grouping?: Grouping | undefined;
  /** The arguments that nobody sent: of the block's first question, or of its map. */
  readonly added: Members;
  /** Set if the arguments imply the view: the page's links then name it, so that they keep it. */
  readonly isImplied?: true;
};

/** What is known of a block when its page is opened. */
export type OfBlock = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly profile?: DatasetProfile | undefined;
};

/** Marks that are on a map. */
const MARKS_OF_MAPS: readonly MarkName[] = ['dots', 'cells', 'regions'];

/**
 * Chooses the view of a page: the one that is asked for, or else the one that its arguments are for,
 * or else the block's first question.
 */
export function openedView(
  of: OfBlock,
  { values, grouping }: { readonly values: Members; readonly grouping?: Grouping | undefined },
): OpenedView {
  const asked = values._view as ViewName | undefined;
  if (asked === 'table' || asked === 'columns' || asked === 'api') {
    return { view: asked, values, grouping, added: {} };
  }
  if (grouping !== undefined) {
    const view = asked ?? viewOfGroups(of, grouping);
    return { view, values, grouping, added: {}, isImplied: true };
  }
  const isGiven = (name: string) => values[name] !== undefined;
  const isMapped = MARKS_OF_MAPS.some((mark) => mark === values._mark);
  if (asked === undefined && TABLE_NAMES.some(isGiven)) {
    return { view: 'table', values, added: {}, isImplied: true };
  }
  const hasMap = of.profile?.map !== undefined;
  if (
    asked === 'map' ||
    (asked === undefined && hasMap && (isMapped || isGiven('_shade') || PLACE_NAMES.some(isGiven)))
  ) {
    const opened: OpenedView = hasMap
      ? openedMap(of, values)
      : { view: 'table', values, added: {} };
    return { ...opened, isImplied: true };
  }
  const first = firstOf(of.block, of.manifest, of.profile, asked).arguments;
  if (first._view === 'map' && first._group === undefined) {
    return openedMap(of, first._mark === undefined ? values : { _mark: first._mark, ...values });
  }
  return withQuestion(of, values, first);
}

/** The view of groups that are asked for without one: a map, if they are places. */
function viewOfGroups({ block, profile }: OfBlock, { dimensions }: Grouping): ViewName {
  const [dimension, second] = dimensions;
  if (profile?.map === undefined || dimension === undefined || second !== undefined) return 'chart';
  const { geometry } = block;
  const isRegion = geometry?.kind === 'regions' && dimension.text === geometry.region;
  return isRegion || cellWidthIn(dimension.text) !== undefined ? 'map' : 'chart';
}

/** A map of rows: of their places; of regions, by the field that is asked for, or the first. */
function openedMap(of: OfBlock, values: Members): OpenedView {
  const { geometry } = of.block;
  if (geometry?.kind !== 'regions') return { view: 'map', values, added: {} };
  const first = firstOf(of.block, of.manifest, of.profile, 'map').arguments;
  if (values._shade === undefined && first._group !== undefined) {
    return withQuestion(of, values, first);
  }
  const shade = values._shade ?? shadeField(of.block, of.manifest)?.name;
  const _measure = shade === undefined ? undefined : { _measure: [`avg:${shade}`] };
  return withQuestion(of, values, { _view: 'map', _group: [geometry.region], ..._measure });
}

function withQuestion(
  of: OfBlock,
  values: Members,
  { _view: view, ...question }: Members,
): OpenedView {
  const filters = Object.entries(values).filter(([name]) => !TABLE_NAMES.includes(name));
  const all = { ...Object.fromEntries(filters), ...question };
  const grouping = groupingOf(of.block, all);
  if (grouping === undefined) return { view: 'table', values, added: {} };
  return { view: view as ViewName, values: all, grouping, added: question };
}

/** The views that a block's page has: no map without places, and no chart without a figure. */
export function viewsOf(of: OfBlock, opened: ViewName | undefined): ViewName[] {
  return VIEWS.filter((view) => {
    if (view === opened) return true;
    if (view === 'map') return of.profile?.map !== undefined;
    if (view !== 'chart') return true;
    return firstOf(of.block, of.manifest, of.profile, view).arguments._view === view;
  });
}
