import type { DatasetBlock } from '../block/block.ts';
import { type Dimension, type Grouping, groupColumns, type Measure } from '../block/grouping.ts';
import { ANSWER_CUT } from '../problem/errors.ts';
import { describeHaving, groupsInWords, outOfAll } from '../query/answer-in-words.ts';
import { inSentence, listInWords, numberText } from '../text/wording.ts';
import { DAY_MS } from '../values/calendar.ts';
import type { Row } from '../values/field-type.ts';
import { isNumeric } from '../values/field-types.ts';
import { type BlockView, changed, hrefOf, type PageOutcome, type PageState } from './block-view.ts';
import { Warnings } from './page-shell.tsx';
import { Chip, inWords, Order, Reasons, TableAndMap, Where } from './rows-answer.tsx';
import { weekOf, withoutGroups } from './table-body.ts';

type GroupsFound = PageOutcome & { kind: 'rows' } & Required<
    Pick<PageOutcome & { kind: 'rows' }, 'groups'>
  >;

/** Groups of rows: what was asked in words, a chart, and a table with a bar for each number. */
export function GroupsAnswer(props: { view: BlockView; state: PageState; found: GroupsFound }) {
  const { view, state, found } = props;
  const block = view.block as DatasetBlock;
  const { noun } = block;
  const { grouping, matching } = found.groups;
  const { filters, reasons } = inWords(view, found);
  const rows = outOfAll(matching, noun, view.manifest?.rows ?? 0);
  const measures = grouping.measures.filter(({ field }) => field !== undefined);
  return (
    <section aria-labelledby="found">
      <h2 id="found" tabindex={-1}>
        {measures.length === 0
          ? rows
          : `${listInWords(measures.map(titleOf), 'and')} of ${inSentence(rows)}`}
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
        <Having view={view} grouping={grouping} state={state} />
        <Order
          fields={groupColumns(grouping)}
          view={view}
          state={state}
          by={grouping.dimensions[0]?.column.name}
        />
      </h2>
      <p class="quiet">
        {grouping.dimensions.length === 0 ? '' : `${groupsInWords(found.total)}${moreOf(found)}. `}
        <a href={hrefOf(withoutGroups(state))}>Show the rows</a>
      </p>
      {found.help !== undefined && <Reasons reasons={reasons} view={view} state={state} />}
      <Warnings warnings={found.warnings.filter(({ title }) => title !== ANSWER_CUT)} />
      <TimeChart found={found} />
      <TableAndMap view={view} state={state} found={found} />
    </section>
  );
}

/** The filters on groups in words; each has a link that drops it. */
function Having(props: { view: BlockView; grouping: Grouping; state: PageState }) {
  const { view, grouping, state } = props;
  return (
    <>
      {describeHaving(grouping, view.values).map(({ parameters, text }, i) => (
        <>
          {i === 0 ? ', only groups whose ' : ' and '}
          <Chip
            text={text}
            href={hrefOf(
              changed(state, {
                ...Object.fromEntries(parameters.map((name) => [name, null])),
                _cursor: null,
              }),
            )}
          />
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
function withoutGroup(state: PageState, all: readonly Dimension[], dropped: number): PageState {
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

const WIDTH = 600;
const HEIGHT = 160;

/** With more periods than this, the line would be a smear. */
const MOST_PERIODS = 5000;

/** The first measure over time, if the groups are periods; the table has the same as text. */
function TimeChart({ found }: { found: PageOutcome & { kind: 'rows' } }) {
  const [dimension, second] = found.groups?.grouping.dimensions ?? [];
  const measure = found.groups?.grouping.measures.find(({ column }) => isNumeric(column));
  if (dimension === undefined || second !== undefined || measure === undefined) return null;
  const points = pointsOf(found.rows, dimension, measure);
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 3) return null;
  const periods = last.at - first.at + 1;
  if (periods > MOST_PERIODS) return null;
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const isCounted = measure.of === 'count';
  const x = (at: number) => round((WIDTH * (at - first.at)) / (periods - 1));
  const y = (value: number) => round(HEIGHT - (HEIGHT * (value - low)) / (high - low || 1));
  const { column } = measure;
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${column.title}, ${dimension.column.title}: from ${numberText(Math.min(...values))} to ${numberText(Math.max(...values))}. The table has all values.`}
      >
        <path class="axis" d={`M0 ${y(0)}H${WIDTH}`} />
        <path class="line" d={lineOf(points, isCounted, x, y)} />
      </svg>
      <figcaption>
        <span>{first.text}</span>
        <span>
          {column.title}, up to {numberText(high)}
        </span>
        <span>{last.text}</span>
      </figcaption>
    </figure>
  );
}

type Point = { readonly at: number; readonly value: number; readonly text: string };

/** The groups with a period and a number, in the order of time. */
function pointsOf(
  rows: readonly Row[],
  { column, partName }: Dimension,
  measure: Measure,
): Point[] {
  const numberOf = PERIODS[partName ?? ''] ?? (column.type === 'date' ? PERIODS.day : undefined);
  if (numberOf === undefined) return [];
  const points = rows.flatMap((row): Point[] => {
    const [period, value] = [row[column.name] ?? null, row[measure.column.name] ?? null];
    if (period === null || typeof value !== 'number') return [];
    return [{ at: numberOf(String(period)), value, text: String(period) }];
  });
  return points.sort((a, b) => a.at - b.at);
}

/** The number of a period, by its text: the next period has the next number. */
const PERIODS: Readonly<Record<string, (text: string) => number>> = {
  year: Number,
  quarter: (text) => Number(text.slice(0, 4)) * 4 + Number(text.slice(6)),
  month: (text) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5)),
  week: (text) => Date.parse(weekOf(text)[0]) / (7 * DAY_MS),
  day: (text) => Date.parse(text) / DAY_MS,
};

/** A period without rows has a count of 0; of other measures it has none, so the line breaks. */
function lineOf(
  points: readonly Point[],
  isCounted: boolean,
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  return points
    .map(({ at, value }, i) => {
      const before = points[i - 1];
      const place = `${x(at)} ${y(value)}`;
      if (before === undefined) return `M${place}`;
      if (at === before.at + 1) return `L${place}`;
      if (!isCounted) return `M${place}h0.1`;
      return `L${x(before.at + 1)} ${y(0)}L${x(at - 1)} ${y(0)}L${place}`;
    })
    .join('');
}

function round(number: number): number {
  return Number(number.toFixed(1));
}
