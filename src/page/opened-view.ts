import type { Members } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import { type Grouping, groupingOf } from '../block/grouping.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import { type MarkName, VIEWS, type ViewName } from '../block/views.ts';
import { MOST_LINES } from '../figure/mark.ts';
import { firstOf } from '../first/first-question.ts';
import { type Field, isYear } from '../values/field-types.ts';
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
  read: { readonly values: Members; readonly grouping?: Grouping | undefined },
): OpenedView {
  return splitByPicks(of, asSeason(of, chosenView(of, read)));
}

function chosenView(
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

/**
 * Parts of one date are the season: a month of the year, with a line a year. Months of years would
 * each have one year alone.
 */
function asSeason({ block }: OfBlock, opened: OpenedView): OpenedView {
  const [one, two] = opened.grouping?.dimensions ?? [];
  if (one === undefined || two === undefined || one.field !== two.field) return opened;
  const names = [one.partName, two.partName];
  if (!names.includes('year') || !names.includes('month')) return opened;
  const { name } = one.field;
  return regrouped(block, opened, [`${name}.month_of_year`, `${name}.year`]);
}

/** A line over time is split by the field of which a filter names a few values, unless as one. */
function splitByPicks({ block, manifest }: OfBlock, opened: OpenedView): OpenedView {
  const { grouping, values, view } = opened;
  const [time, second] = grouping?.dimensions ?? [];
  if (view !== 'chart' || time === undefined || second !== undefined || values._as_one === true) {
    return opened;
  }
  const numbers = grouping?.measures.filter(({ of }) => of !== 'count') ?? [];
  const isTime =
    time.part === undefined
      ? isYear(time.field, manifest.fields[time.field.name])
      : !time.part.recurs;
  const picked = pickedField(block, values);
  if (!isTime || time.width !== undefined || numbers.length > 1) return opened;
  if (picked === undefined || picked === time.field) return opened;
  return regrouped(block, opened, [time.text, picked.name]);
}

function regrouped(block: DatasetBlock, opened: OpenedView, _group: string[]): OpenedView {
  const values = { ...opened.values, _group };
  return {
    ...opened,
    ...{ values, grouping: groupingOf(block, values) },
    added: { ...opened.added, _group },
  };
}

/** The first field of which a filter names a few values, each to be seen beside the others. */
export function pickedField({ fields }: DatasetBlock, values: Members): Field | undefined {
  return fields.find(({ name, type }) => {
    const picked = values[name];
    if (type === 'number' || !Array.isArray(picked)) return false;
    // A star stands for many values.
    const isExact = picked.every((value) => typeof value !== 'string' || !value.includes('*'));
    return isExact && picked.length > 1 && picked.length <= MOST_LINES;
  });
}

/** The views that a block's page has: no map without places, and no chart without a figure. */
export function viewsOf(
  of: OfBlock & { readonly kept: Map<string, string> },
  opened: ViewName | undefined,
): ViewName[] {
  return VIEWS.filter((view) => {
    if (view === opened) return true;
    if (view === 'map') return of.profile?.map !== undefined;
    return view !== 'chart' || hasChart(of);
  });
}

/** The same on all of the block's pages. */
function hasChart({ kept, ...of }: OfBlock & { readonly kept: Map<string, string> }): boolean {
  const first =
    kept.get(FIRST_IN_CHART) ??
    String(firstOf(of.block, of.manifest, of.profile, 'chart').arguments._view);
  kept.set(FIRST_IN_CHART, first);
  return first === 'chart';
}

const FIRST_IN_CHART = 'first view of a chart';
