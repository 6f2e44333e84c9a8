import type { DatasetBlock } from '../block/block.ts';
import { groupingOf } from '../block/grouping.ts';
import { XY } from '../block/two-numbers.ts';
import { firstOf } from '../first/first-question.ts';
import { changed, withoutQuestion } from '../page/links.ts';
import { isYear } from '../values/field-types.ts';
import type { FigureRead } from './figure-on-page.ts';
import { drawnView } from './figure-view.tsx';
import { isOnMap } from './map.tsx';
import { pickedField } from './picks.ts';
import { table } from './table.tsx';
import { type OfDataset, type ViewKind, type ViewQuery, withOtherQuestion } from './view.ts';

/** Groups as a figure; without groups, the block's first question that has one. */
export const chart: ViewKind<FigureRead> = {
  ...drawnView(),
  name: 'chart',
  title: 'Chart',
  skip: 'To the figure',
  offered(of) {
    const known = of.kept.get(FIRST_IN_CHART);
    const first = known ?? String(firstIn(of)._view);
    of.kept.set(FIRST_IN_CHART, first);
    return first === chart.name;
  },
  isMeant: (of, { values, grouping }) =>
    values[XY] !== undefined || (grouping !== undefined && !isOnMap(of, grouping)),
  ask(of, given, first) {
    const { values, grouping } = given;
    if (grouping !== undefined) {
      const asked = { view: chart, name: chart.name, values, grouping, added: {} };
      return splitByPicks(of, { ...asked, isImplied: true });
    }
    if (values[XY] !== undefined) {
      return { view: chart, name: chart.name, values, added: {}, isImplied: true };
    }
    const own = first ?? firstIn(of);
    const { _view, ...question } = own;
    const asked = withOtherQuestion(chart, of, values, question);
    return asked === undefined ? table.ask(of, given, own) : splitByPicks(of, asked);
  },
  state({ state, view }) {
    const other = changed(state, { _view: chart.name, _cursor: null });
    // A question comes back from where it has no figure, and a map's stays on the map.
    const kept = view === 'map' ? withoutQuestion(other) : other;
    return changed(kept, { _sort: null, _fields: null, _limit: null });
  },
};

/** Under this name, which view the block's first chart is. */
const FIRST_IN_CHART = 'first view of a chart';

function firstIn({ block, manifest, profile }: OfDataset) {
  return firstOf(block, manifest, profile, chart.name).arguments;
}

/** A line over time is split by the field of which a filter names a few values, unless as one. */
function splitByPicks({ block, manifest }: OfDataset, query: ViewQuery): ViewQuery {
  const { grouping, values } = query;
  const [time, second] = grouping?.dimensions ?? [];
  if (time === undefined || second !== undefined || values._as_one === true) return query;
  const numbers = grouping?.measures.filter(({ of }) => of !== 'count') ?? [];
  const isTime =
    time.part === undefined
      ? isYear(time.field, manifest.fields[time.field.name])
      : !time.part.recurs;
  if (!isTime || time.width !== undefined || numbers.length > 1) return query;
  const picked = pickedField(block, values);
  if (picked === undefined || picked === time.field) return query;
  return regrouped(block, query, [time.text, picked.name]);
}

/** The same question by other groups. */
export function regrouped(block: DatasetBlock, query: ViewQuery, _group: string[]): ViewQuery {
  const values = { ...query.values, _group };
  const added = { ...query.added, _group };
  return { ...query, values, grouping: groupingOf(block, values), added };
}
