import type { DatasetBlock } from '../block/block.ts';
import { type Dimension, type Grouping, groupColumns, type Measure } from '../block/grouping.ts';
import { type Language, listed } from '../languages/language.ts';
import { measureOfField } from '../measures/measures.ts';
import { ANSWER_CUT } from '../problem/errors.ts';
import { groupsInWords, outOfAll } from '../query/answer-in-words.ts';
import { describeHaving } from '../query/filters-in-words.ts';
import { TIME_PARTS } from '../values/time-part.ts';
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
  const { language } = view;
  const { say } = language;
  const all = view.manifest?.rows ?? 0;
  const rows = outOfAll(matching, noun, all, language);
  const measures = grouping.measures.filter(({ field }) => field !== undefined);
  return (
    <TableStrip view={view} state={state} found={found}>
      <b>
        {measures.length === 0
          ? rows
          : say('{measures} of {rows}', {
              measures: listed(
                measures.map((measure) => titleOfMeasure(measure, language)),
                language,
              ),
              rows: matching === all ? say('all {count} {noun}', { count: all, noun }) : rows,
            })}
      </b>
      {grouping.dimensions.map((dimension, i) => (
        <>
          {i === 0 ? `, ${say('by')} ` : ` ${say('and')} `}
          <Chip
            text={byWhat(dimension, language)}
            href={hrefOf(withoutGroup(state, grouping.dimensions, i))}
            language={language}
          />
        </>
      ))}
      {grouping.dimensions.length === 0 || filters.length === 0 ? '' : ','}
      <Where filters={filters} state={state} language={language} />
      <Having grouping={grouping} view={view} state={state} after="," />
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
  const { language } = view;
  return (
    <div>
      <p class="quiet">
        {grouping.dimensions.length === 0
          ? ''
          : `${groupsInWords(found.total, language)}${moreOf(found, language)}. `}
        <a href={hrefOf(withoutGroups(state))}>{language.say('Show the rows')}</a>
      </p>
      {found.help !== undefined && <Reasons reasons={reasons} view={view} state={state} />}
      <Warnings warnings={found.warnings.filter(({ title }) => title !== ANSWER_CUT)} />
      <Table view={view} state={state} found={found} />
    </div>
  );
}

/** The filters on groups in words, behind the first ones; each has a link that drops it. */
export function Having(props: {
  readonly grouping: Grouping;
  readonly view: BlockView;
  readonly state: PageState;
  /** What is written before them. */
  readonly after?: string;
}) {
  const { grouping, view, state, after = '' } = props;
  const { language } = view;
  const first = `${after} ${language.say('only groups whose')} `;
  return (
    <>
      {describeHaving(grouping, view.values, language).map(({ parameters, text }, i) => (
        <>
          {i === 0 ? first : ` ${language.say('and')} `}
          <Chip text={text} href={hrefOf(without(state, parameters))} language={language} />
        </>
      ))}
    </>
  );
}

/** How many groups there are beside those of a first page. */
function moreOf({ rows, total, next }: GroupsFound, { say }: Language): string {
  return next === null ? '' : `, ${say('{count} more than these', { count: total - rows.length })}`;
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

/** `Category`, `month of Opened`, `Population, in steps of 5000`. */
function byWhat({ field, partName, column }: Dimension, { say }: Language): string {
  if (partName === undefined) return column.title;
  return say('{part} of {field}', { part: say(TIME_PARTS[partName].words), field: field.title });
}

/** `Average of Subways` */
function titleOfMeasure({ of, field, column }: Measure, language: Language): string {
  return field === undefined ? column.title : measureOfField(of, field.title, language);
}
