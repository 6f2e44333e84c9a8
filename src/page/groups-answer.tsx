import type { DatasetBlock } from '../block/block.ts';
import { type Dimension, type Grouping, groupColumns, type Measure } from '../block/grouping.ts';
import { ANSWER_CUT } from '../problem/errors.ts';
import { describeHaving, groupsInWords, outOfAll } from '../query/answer-in-words.ts';
import { inSentence, listInWords, numberText } from '../text/wording.ts';
import {
  type BlockView,
  changed,
  hrefOf,
  type PageOutcome,
  type PageState,
  without,
} from './block-view.ts';
import { Warnings } from './page-shell.tsx';
import { Chip, inWords, Order, Reasons, Table, Where } from './rows-answer.tsx';
import { withoutGroups } from './rows-of-group.ts';
import { TableStrip } from './table-strip.tsx';

type GroupsFound = PageOutcome & { kind: 'rows' } & Required<
    Pick<PageOutcome & { kind: 'rows' }, 'groups'>
  >;

type GroupsProps = {
  readonly view: BlockView;
  readonly state: PageState;
  readonly found: GroupsFound;
};

/** What was asked of groups, in words: their table's heading. */
export function GroupsStrip({ view, state, found }: GroupsProps) {
  const { noun } = view.block as DatasetBlock;
  const { grouping, matching } = found.groups;
  const { filters } = inWords(view, found);
  const rows = outOfAll(matching, noun, view.manifest?.rows ?? 0);
  const measures = grouping.measures.filter(({ field }) => field !== undefined);
  return (
    <TableStrip view={view} state={state} found={found}>
      <b>
        {measures.length === 0
          ? rows
          : `${listInWords(measures.map(titleOf), 'and')} of ${inSentence(rows)}`}
      </b>
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
      <Having grouping={grouping} view={view} state={state} first=", only groups whose " />
      <Order
        fields={groupColumns(grouping)}
        view={view}
        state={state}
        by={grouping.dimensions[0]?.column.name}
      />
    </TableStrip>
  );
}

/** Groups of rows: a table with a bar for each number. */
export function GroupsAnswer({ view, state, found }: GroupsProps) {
  const { grouping } = found.groups;
  const { reasons } = inWords(view, found);
  return (
    <section aria-labelledby="found">
      <p class="quiet">
        {grouping.dimensions.length === 0 ? '' : `${groupsInWords(found.total)}${moreOf(found)}. `}
        <a href={hrefOf(withoutGroups(state))}>Show the rows</a>
      </p>
      {found.help !== undefined && <Reasons reasons={reasons} view={view} state={state} />}
      <Warnings warnings={found.warnings.filter(({ title }) => title !== ANSWER_CUT)} />
      <Table view={view} state={state} found={found} />
    </section>
  );
}

/** The filters on groups in words, behind the first ones; each has a link that drops it. */
export function Having(props: {
  readonly grouping: Grouping;
  readonly view: BlockView;
  readonly state: PageState;
  readonly first: string;
}) {
  const { grouping, view, state, first } = props;
  return (
    <>
      {describeHaving(grouping, view.values).map(({ parameters, text }, i) => (
        <>
          {i === 0 ? first : ' and '}
          <Chip text={text} href={hrefOf(without(state, parameters))} />
        </>
      ))}
    </>
  );
}

/** How many groups there are beside those of a first page. */
function moreOf({ rows, total, next }: GroupsFound): string {
  return next === null ? '' : `, ${numberText(total - rows.length)} more than these`;
}

/** The page without a group: with those that are left, or with rows. */
export function withoutGroup(
  state: PageState,
  all: readonly Dimension[],
  dropped: number,
): PageState {
  const left = all.filter((_, i) => i !== dropped).map(({ text }) => text);
  return left.length === 0
    ? withoutGroups(state)
    : changed(state, { _sort: null, _cursor: null, _group: left });
}

/** `category`, `month of opened`, `population, in steps of 5000`. */
function byWhat({ field, partName, column }: Dimension): string {
  if (partName === undefined) return inSentence(column.title);
  return `${partName.replaceAll('_', ' ')} of ${inSentence(field.title)}`;
}

function titleOf({ column }: Measure, index: number): string {
  return index === 0 ? column.title : inSentence(column.title);
}
