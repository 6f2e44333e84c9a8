import type { DatasetBlock } from '../block/block.ts';
import { columnsOf, type Dimension, type Measure } from '../block/grouping.ts';
import { ANSWER_CUT } from '../problem/errors.ts';
import { describeFilters, groupsInWords, ofAll } from '../query/answer-in-words.ts';
import { inSentence } from '../values/wording.ts';
import type { BlockView, PageOutcome } from './block-view.ts';
import { changed, hrefOf, type PageState } from './page-state.ts';
import { Chip, Order, TableAndMap, Where, ZeroHelp } from './rows-answer.tsx';
import { NO_GROUPS } from './rows-of-group.ts';
import { TimeChart } from './time-chart.tsx';
import { Warnings } from './warnings.tsx';

type GroupsFound = PageOutcome & { kind: 'rows' } & Required<
    Pick<PageOutcome & { kind: 'rows' }, 'groups'>
  >;

/** Groups of rows: what was asked in words, a chart, and a table with a bar for each number. */
export function GroupsAnswer(props: { view: BlockView; state: PageState; found: GroupsFound }) {
  const { view, state, found } = props;
  const block = view.block as DatasetBlock;
  const { noun } = block;
  const { grouping, matching } = found.groups;
  const filters = describeFilters(block, view.values);
  const all = view.manifest?.rows ?? 0;
  const rows = ofAll(matching, noun, all);
  const measures = grouping.measures.filter(({ field }) => field !== undefined);
  return (
    <section aria-labelledby="found">
      <h2 id="found" tabindex={-1}>
        {measures.length === 0 ? rows : `${listed(measures.map(titleOf))} of ${inSentence(rows)}`}
        {grouping.dimensions.map((dimension, i) => (
          <>
            {i === 0 ? ', by ' : ' and '}
            <Chip
              text={byWhat(dimension)}
              href={hrefOf(withoutGroup(state, grouping.dimensions, i))}
            />
          </>
        ))}
        {grouping.dimensions.length === 0 || filters.length === 0 ? '' : ','}
        <Where filters={filters} state={state} />
        <Order
          fields={columnsOf(grouping)}
          view={view}
          state={state}
          by={grouping.dimensions[0]?.column.name}
        />
      </h2>
      <p class="quiet">
        {grouping.dimensions.length === 0 ? '' : `${groupsInWords(found.total)}. `}
        <a href={hrefOf(changed(state, NO_GROUPS))}>Show the rows</a>
      </p>
      {found.help !== undefined && (
        <ZeroHelp help={found.help} filters={filters} state={state} all={all} noun={noun} />
      )}
      <Warnings warnings={found.warnings.filter(({ title }) => title !== ANSWER_CUT)} />
      <TimeChart found={found} />
      <TableAndMap view={view} state={state} found={found} />
    </section>
  );
}

/** The page without a group: with those that are left, or with rows. */
function withoutGroup(state: PageState, all: readonly Dimension[], dropped: number): PageState {
  const left = all.filter((_, i) => i !== dropped).map(({ text }) => text);
  return changed(
    state,
    left.length === 0 ? NO_GROUPS : { _sort: null, _cursor: null, _group: left },
  );
}

/** `category`, `month of opened`, `population, in steps of 5000`. */
function byWhat({ field, partName, column }: Dimension): string {
  if (partName === undefined) return inSentence(column.title);
  return `${partName} of ${inSentence(field.title)}`;
}

function titleOf({ column }: Measure, index: number): string {
  return index === 0 ? column.title : inSentence(column.title);
}

/** `a`, `a and b`, `a, b and c`. */
function listed(texts: readonly string[]): string {
  const [last = '', ...others] = texts.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}
