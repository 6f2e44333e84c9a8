import type { DatasetBlock } from '../block/block.ts';
import { CAPTION } from '../figure/draw.ts';
import { ANSWER_CUT } from '../problem/errors.ts';
import { describeFilters } from '../query/answer-in-words.ts';
import { shortTitle } from '../text/wording.ts';
import {
  type BlockView,
  changed,
  type FigureOutcome,
  hrefOf,
  type PageState,
} from './block-view.ts';
import { Having } from './groups-answer.tsx';
import { pickedField } from './opened-view.ts';
import { trusted, Warnings } from './page-shell.tsx';
import { inWords, Reasons, Where } from './rows-answer.tsx';
import { numbersOf, svgOf } from './share-menus.tsx';
import { tableOf, withQuestion } from './view-links.ts';

type FigureProps = {
  readonly view: BlockView;
  readonly state: PageState;
  readonly found: FigureOutcome;
};

/** A figure with its sentence, its source, and its numbers as a table. */
export function FigureView({ view, state, found }: FigureProps) {
  const { figure, picture, caption } = found;
  return (
    <div class={figure.picture?.layout === 'map' ? 'mapgrid' : undefined}>
      <figure id="figure" aria-labelledby="found">
        <FigureHeading view={view} title={figure.title} />
        <FigureState view={view} state={state} found={found} />
        {trusted(picture)}
        {/* The script's buttons; the room is there before they are. */}
        {figure.picture?.layout === 'map' ? <p class="tools"></p> : ''}
        <figcaption>
          <p id={CAPTION}>{trusted(caption)}</p>
          <Plate view={view} state={state} found={found} />
        </figcaption>
      </figure>
      <div>
        {found.help !== undefined && (
          <Reasons
            reasons={inWords(view, { rows: [], total: 0, next: null, help: found.help }).reasons}
            view={view}
            state={state}
          />
        )}
        <Warnings warnings={found.warnings.filter(({ title }) => title !== ANSWER_CUT)} />
        <Numbers view={view} state={state} found={found} />
      </div>
    </div>
  );
}

/** A figure's title, in which long titles of columns are cut. */
function FigureHeading({ view, title }: { view: BlockView; title: string }) {
  const { fields } = view.block as DatasetBlock;
  const short = fields.reduce(
    (text, one) => text.replaceAll(one.title, shortTitle(one.title)),
    title,
  );
  return (
    <h2 id="found" tabindex={-1} dir="auto" title={short === title ? undefined : title}>
      {short}
    </h2>
  );
}

/** Which rows a figure is of, and the filters that leave them. */
export function FigureState({ view, state, found }: FigureProps) {
  const { figure, grouping } = found;
  const { fields, filters: declared } = view.block as DatasetBlock;
  const filters = describeFilters({ fields, filters: declared }, view.values, view.language);
  return (
    <p class="state">
      <b>{figure.state}</b> {figure.extent ?? ''}
      <Where filters={filters} state={state} language={view.language} />
      <AsOne view={view} state={state} found={found} />
      {grouping === undefined ? '' : <Having grouping={grouping} view={view} state={state} />}
    </p>
  );
}

/** Of a line with a filter that names a few values: the way to one line, or to a line of each. */
function AsOne({ view, state, found }: FigureProps) {
  const [first, second] = found.grouping?.dimensions ?? [];
  const picked = pickedField(view.block as DatasetBlock, view.values);
  if (picked === undefined || found.figure.mark !== 'line' || first === undefined) return null;
  const { say } = view.language;
  const isOne = second === undefined && view.values._as_one === true;
  if (!isOne && second?.field !== picked) return null;
  const question = withQuestion(view, state);
  const changes: Parameters<typeof changed>[1] = isOne
    ? { _as_one: null }
    : { _group: first.text, _as_one: 'true' };
  return (
    <>
      {' '}
      <a class="quiet" href={hrefOf(changed(question, changes))}>
        {isOne ? say('a line for each {field}', { field: picked.title }) : say('as one')}
      </a>
    </>
  );
}

/** Where the numbers come from, and how to take the figure away. */
function Plate({ view, state, found }: FigureProps) {
  const { source, rows, version } = found.figure.plate;
  const { language } = view;
  const question = withQuestion(view, state);
  return (
    <div class="plate">
      <span>
        {source.publisher ?? source.title} · {rows} ·{' '}
        {language.parts('version {version}', { version: <code>{version.slice(0, 6)}</code> })}
      </span>
      <nav aria-label={language.say('Take this away')}>
        <a href={svgOf(view, state)}>SVG</a> <a href={numbersOf(view, state)}>CSV</a>{' '}
        <a href={hrefOf(changed(question, { _view: 'api' }))}>API</a>
      </nav>
    </div>
  );
}

/** The numbers of a figure, the first of them if they are many. */
function Numbers({ view, state, found }: FigureProps) {
  const { numbers, numbersShown, figure, grouping } = found;
  if (numbers === undefined) return null;
  const { length } = figure.numbers.rows;
  const { say } = view.language;
  return (
    <div class="numbers">
      <h3 class="block" id="numbers">
        {say('The numbers')}
      </h3>
      <section class="scroll" aria-labelledby="numbers" tabindex={0}>
        {trusted(numbers)}
      </section>
      {numbersShown < length && (
        <p class="pages">
          {say('The first {count} of {all}.', { count: numbersShown, all: length })}{' '}
          <a href={tableOf(view, state, grouping !== undefined)}>{say('All in a table')}</a>
        </p>
      )}
    </div>
  );
}
