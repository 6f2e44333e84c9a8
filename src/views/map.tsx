import type { Members } from '../arguments/given.ts';
import { fieldsInOrder } from '../block/block.ts';
import type { Grouping } from '../block/grouping.ts';
import { FRAME, isFilterable } from '../block/parameter.ts';
import type { MarkName } from '../block/views.ts';
import { firstOf } from '../first/first-question.ts';
import { changed, PLACE_NAMES, TABLE_NAMES, withoutQuestion } from '../page/links.ts';
import { type Field, isNumeric } from '../values/field-types.ts';
import type { FigureRead } from './figure-on-page.ts';
import { drawnView } from './figure-view.tsx';
import { table } from './table.tsx';
import { type OfDataset, type ViewKind, type ViewQuery, withOtherQuestion } from './view.ts';

/** Rows at their places, or groups that are places: squares and regions. */
export const map: ViewKind<FigureRead> = {
  ...drawnView('regions'),
  name: 'map',
  title: 'Map',
  skip: 'To the map',
  offered: ({ profile }) => (profile?.map ?? profile?.areas) !== undefined,
  isMeant(of, { values, grouping }) {
    if (grouping !== undefined) return isOnMap(of, grouping);
    const isGiven = (name: string) => values[name] !== undefined;
    const { map: places, areas } = of.profile ?? {};
    if ((places ?? areas) === undefined || TABLE_NAMES.some(isGiven)) return false;
    const isMapped = MARKS_OF_MAPS.some((mark) => mark === values._mark);
    return isMapped || isGiven('_shade') || isGiven(FRAME) || PLACE_NAMES.some(isGiven);
  },
  ask(of, given, first) {
    const { values, grouping } = given;
    const isImplied = first === undefined;
    if (grouping !== undefined) {
      return { view: map, name: map.name, values, grouping, added: {}, isImplied };
    }
    if (first?._group !== undefined) {
      const { _view, ...question } = first;
      const asked = withOtherQuestion(map, of, values, question);
      if (asked !== undefined) return asked;
    }
    if (!map.offered(of)) return { ...table.ask(of, given), isImplied };
    const mark = first?._mark === undefined ? {} : { _mark: first._mark };
    return { ...mapOfRows(of, { ...mark, ...values }), isImplied };
  },
  state({ state, view }) {
    const other = changed(state, { _view: map.name, _cursor: null });
    const kept = view === map.name ? other : withoutQuestion(other);
    return changed(kept, { _sort: null, _fields: null, _limit: null });
  },
};

/** Marks that are on a map. */
const MARKS_OF_MAPS: readonly MarkName[] = ['dots', 'cells', 'regions'];

/** Whether groups are places. */
export function isOnMap({ block, profile }: OfDataset, { dimensions }: Grouping): boolean {
  const [dimension, second] = dimensions;
  if (dimension === undefined || second !== undefined) return false;
  if (profile?.areas !== undefined && dimension.text === profile.areas.field) return true;
  if (profile?.map === undefined) return false;
  const { geometry } = block;
  const isRegion = geometry?.kind === 'regions' && dimension.text === geometry.region;
  return isRegion || dimension.cells !== undefined;
}

/** A map of rows: of their places; of regions, by the field that is asked for, or the first. */
function mapOfRows(of: OfDataset, values: Members): ViewQuery {
  const { geometry, areaField } = of.block;
  if (geometry === undefined && areaField !== undefined) {
    const { _view, ...first } = firstOf(of.block, of.manifest, of.profile, map.name).arguments;
    const question = first._group === undefined ? { _group: [areaField] } : first;
    return (
      withOtherQuestion(map, of, values, question) ?? table.ask(of, { values, grouping: undefined })
    );
  }
  if (geometry?.kind !== 'regions') return { view: map, name: map.name, values, added: {} };
  const { _view, ...first } = firstOf(of.block, of.manifest, of.profile, map.name).arguments;
  const shade = values._shade ?? shadeField(of)?.name;
  const _measure = shade === undefined ? undefined : { _measure: [`avg:${shade}`] };
  const question =
    values._shade === undefined && first._group !== undefined
      ? first
      : { _group: [geometry.region], ..._measure };
  return (
    withOtherQuestion(map, of, values, question) ?? table.ask(of, { values, grouping: undefined })
  );
}

/** The number that shades a map of regions: the first that has values, key fields first. */
function shadeField({ block, manifest }: OfDataset): Field | undefined {
  return fieldsInOrder(block).find(
    (one) => isFilterable(one) && isNumeric(one) && manifest.fields[one.name]?.min !== undefined,
  );
}
