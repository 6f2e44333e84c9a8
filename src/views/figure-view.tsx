import { areaDimension } from '../block/grouping.ts';
import type { MarkName } from '../block/views.ts';
import { CAPTION } from '../figure/draw.ts';
import type { Figure } from '../figure/figure.ts';
import type { Picture } from '../figure/shape.ts';
import { plainText } from '../figure/words.ts';
import type { Format } from '../formats/formats.ts';
import { wordsOfFigure } from '../page/block-head.tsx';
import { Having, inWords, Reasons, Where } from '../page/filter-words.tsx';
import { changed, hrefOf, UNDRAWN, withoutQuestion, withQuestion } from '../page/links.ts';
import { MapBar } from '../page/map-bar.tsx';
import type { DatasetPage } from '../page/page.ts';
import { trusted, Warnings } from '../page/page-shell.tsx';
import { type Taken, WIDTH_OF_FRAME } from '../page/share-menus.tsx';
import { describeFilters } from '../query/filters-in-words.ts';
import { shortTitle } from '../text/wording.ts';
import { CountedTwice } from './counted-twice.tsx';
import {
  type FigureProps,
  type FigureRead,
  figureAsked,
  readAsked,
  readDrawn,
  totalOf,
} from './figure-on-page.ts';
import { HeatChoices } from './heat-choices.tsx';
import { PairChoices } from './pair-choices.tsx';
import { PairsStrip } from './pairs-strip.tsx';
import { PickHints, pickedIn } from './picks-line.tsx';
import { QuestionStrip } from './question-strip.tsx';
import { tableState } from './table.tsx';
import type { ViewKind } from './view.ts';

/** What the views that draw a figure have in common; `usual` is the mark of groups that ask for none. */
export function drawnView(usual?: MarkName) {
  return {
    filters: 'beside',
    usual,
    plan: ({ values, grouping }, of, budget) => of.plan(values, budget, grouping),
    read: (query, reading) => readDrawn(query, reading),
    words: ({ figure }, page: DatasetPage) => ({
      ...wordsOfFigure(page, figure),
      script: figure.picture?.layout === 'map' && figure.picture.mesh ? 'map' : undefined,
    }),
    strip: (found, page: DatasetPage) =>
      found.xy === undefined ? (
        <QuestionStrip page={page} found={found} />
      ) : (
        <PairsStrip page={page} found={found} />
      ),
    show: (found, page: DatasetPage) => <FigureView page={page} found={found} />,
    embed: (found, page: DatasetPage) => <Embedded page={page} found={found} />,
    files: (found, page: DatasetPage) => filesOfFigure(found, page),
    async figure(query, drawing) {
      const read = await readAsked({
        ...figureAsked(query, drawing),
        // A file leads nowhere.
        linkOf: () => () => undefined,
        linkToSquare: () => () => undefined,
        linkToRow: () => '',
      });
      return read && { ...read, total: totalOf(query, read) };
    },
  } satisfies Partial<ViewKind<FigureRead>>;
}

/** Files of the rows of a figure, the picture of it, and what it is made of. */
function filesOfFigure(found: FigureRead, page: DatasetPage): Taken {
  const { links } = page;
  const { figure, matching, grouping } = found;
  return {
    files: { state: withoutQuestion(links.state), total: matching, isOfGroups: false },
    sentence: plainText(figure.caption),
    frame: {
      view: links.view ?? null,
      height: heightOf(figure, wordsOfFigure(page, figure).shared),
    },
    picture: pictureOf(page),
    numbers: (grouping ?? found.xy) && numbersOf(page),
  };
}

/** The address of what a figure is made of, as a file. It has the page's key. */
function numbersOf({ links }: DatasetPage, format: Format = 'csv'): string {
  const ofPage = { _view: null, _cursor: null, _limit: null, _facets: null, ...UNDRAWN };
  return hrefOf(changed(withQuestion(links), { _format: format, ...ofPage }));
}

/** The address of a page's figure as a file. It has the page's key. */
function pictureOf({ links }: DatasetPage): string {
  const asked = { _format: 'svg', _view: links.view ?? 'chart', _cursor: null, _facets: null };
  return hrefOf(changed(withQuestion(links), asked));
}

/** A figure with its sentence, its source, and its numbers as a table. */
function FigureView({ page, found }: FigureProps) {
  const { figure, picture, caption } = found;
  return (
    <div class={isBesideNumbers(figure) ? 'mapgrid' : undefined}>
      <figure id="figure" aria-labelledby="found">
        <FigureHeading page={page} title={figure.title} />
        <div class="above">
          <FigureState page={page} found={found} hasPicks />
          <AxisChoices page={page} figure={figure} />
          {found.xy && <PairChoices page={page} found={found} xy={found.xy} />}
          {figure.mark === 'heat' && <HeatChoices page={page} found={found} />}
        </div>
        <AxisHint page={page} figure={figure} />
        {found.picked && <PickHints page={page} found={found} field={found.picked} />}
        {trusted(picture)}
        {/* The script's buttons; the room is there before they are. */}
        <UnderMap page={page} picture={figure.picture} />
        <figcaption>
          <p id={CAPTION}>{trusted(caption)}</p>
          <Plate page={page} found={found} />
        </figcaption>
      </figure>
      <div>
        {found.help !== undefined && (
          <Reasons
            reasons={inWords(page, { rows: [], total: 0, next: null, help: found.help }).reasons}
            page={page}
          />
        )}
        <CountedTwice page={page} found={found} />
        <Warnings warnings={found.warnings} />
        <Numbers page={page} found={found} />
      </div>
    </div>
  );
}

/** The script's buttons, for which there is room before they are, and the links that move a map. */
function UnderMap({ page, picture }: { page: DatasetPage; picture: Figure['picture'] }) {
  if (picture?.layout !== 'map') return null;
  return (
    <>
      {picture.ratio === undefined && <p class="tools"></p>}
      <MapBar page={page} picture={picture} />
    </>
  );
}

/** A map of the earth is as wide as the page; a drawing has its numbers beside it. */
function isBesideNumbers({ picture }: Figure): boolean {
  return picture?.layout === 'map' && picture.ratio === undefined;
}

/** A figure's title, in which long titles of columns are cut. */
function FigureHeading({ page, title }: { page: DatasetPage; title: string }) {
  const { fields } = page.block;
  const short = fields.reduce(
    (text, one) => text.replaceAll(one.title, () => shortTitle(one.title)),
    title,
  );
  return (
    <h2 id="found" tabindex={-1} title={short === title ? undefined : title}>
      {short}
    </h2>
  );
}

/** Which rows a figure is of, and the filters that leave them. */
function FigureState({ page, found, hasPicks }: FigureProps & { hasPicks?: true }) {
  const { figure, grouping } = found;
  const all = describeFilters(page.block, page.values, page.language);
  // The picks are above, each by itself.
  const picked = hasPicks && found.picked && pickedIn(page, found, found.picked);
  const filters = all.filter(({ parameters }) => parameters.join() !== picked?.field.name);
  return (
    <p class="state">
      <span>
        <b>{figure.state}</b> {figure.extent ?? ''}
        {picked ? `, ${picked.text}` : ''}
      </span>
      <Where filters={filters} page={page} />
      {grouping === undefined ? '' : <Having grouping={grouping} page={page} />}
    </p>
  );
}

/** The axes that say something true of these numbers, as links. A choice of one is none. */
function AxisChoices({ page, figure }: { page: DatasetPage; figure: Figure }) {
  const { axes, axis, mark } = figure;
  if (axes.length < 2) return null;
  const question = withQuestion(page.links);
  return (
    <nav class="choices" aria-label={page.language.say('Axis')}>
      {axes.map(({ name, title, mark: of }) => {
        // The mark that was asked for stays, if it has the axis.
        const changes = of === mark ? { _axis: name } : { _axis: name, _mark: null };
        return (
          <a
            href={hrefOf(changed(question, changes))}
            aria-current={name === axis ? 'true' : undefined}
          >
            {title}
          </a>
        );
      })}
    </nav>
  );
}

/** Why a figure is not on the axis that was asked for. */
function AxisHint({ page, figure: { refused } }: { page: DatasetPage; figure: Figure }) {
  if (refused === undefined) return null;
  return (
    <p class="hint">
      {refused} {page.language.say('The figure is drawn as usual.')}
    </p>
  );
}

/** Where the numbers come from, and how to take the figure away. */
function Plate({ page, found }: FigureProps) {
  const { source, rows, version } = found.figure.plate;
  const { language } = page;
  const question = withQuestion(page.links);
  const { grouping } = found;
  const areAreas = grouping !== undefined && areaDimension(grouping, page.block) !== undefined;
  return (
    <div class="plate">
      <span>
        {source.publisher ?? source.title} · {rows} ·{' '}
        {language.parts('version {version}', { version: <code>{version.slice(0, 6)}</code> })}
      </span>
      <nav aria-label={language.say('Take this away')}>
        <a href={pictureOf(page)}>SVG</a>{' '}
        <button type="button" class="png" hidden>
          PNG
        </button>{' '}
        <a href={numbersOf(page)}>CSV</a>{' '}
        {areAreas && (
          <>
            <a href={numbersOf(page, 'geojson')}>GeoJSON</a>{' '}
          </>
        )}
        <a href={hrefOf(changed(question, { _view: 'api' }))}>API</a>
      </nav>
    </div>
  );
}

/** The numbers of a figure, the first of them if they are many. */
function Numbers({ page, found }: FigureProps) {
  const { numbers, numbersShown, figure, grouping } = found;
  if (numbers === undefined) return null;
  const { length } = figure.numbers.rows;
  const { say } = page.language;
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
          <a href={hrefOf(tableState(page.links, grouping !== undefined))}>
            {say('All in a table')}
          </a>
        </p>
      )}
    </div>
  );
}

/** A figure alone, with its title. */
function Embedded({ page, found }: FigureProps) {
  const { figure, picture, caption, warnings } = found;
  return (
    <>
      <figure id="figure" aria-labelledby="title">
        <h1 id="title">{figure.title}</h1>
        <FigureState page={page} found={found} />
        <AxisHint page={page} figure={figure} />
        {trusted(picture)}
        {figure.picture?.layout === 'map' && figure.picture.credit !== undefined && (
          <p class="mapbar quiet">{figure.picture.credit}</p>
        )}
        <figcaption>
          <p id={CAPTION}>{trusted(caption)}</p>
        </figcaption>
      </figure>
      <CountedTwice page={page} found={found} />
      <Warnings warnings={warnings} />
    </>
  );
}

/** Pixels of a frame that shows no more than a figure's words. */
const LEAST_HEIGHT = 300;

/** Pixels in such a frame: beside the figure, of a line of text, of a bar, of a row of cells, of a plot, and of a row of small ones. */
const BESIDE = 40;
const TEXT_LINE = 25;
const BAR = 38;
const CELL = 34;
const PLOT = 300;
const SMALL_PLOT = 175;

/** Characters of a line of text, of a title, which is larger, and of a key, which has gaps. */
const IN_LINE = 64;
const IN_CHIPS = 48;
const IN_TITLE = 48;
const IN_KEY = 40;

/**
 * How high a frame of that width must be to show all of a figure, in steps of ten pixels. `asked` has
 * its filters.
 */
function heightOf(figure: Figure, asked = ''): number {
  const { title, state, extent = '', caption, key = [], picture } = figure;
  const linesOf = (text: string, most: number) => Math.ceil(text.length / most);
  const lines =
    linesOf(title, IN_TITLE) +
    linesOf(`${state} ${extent} ${asked.slice(title.length)}`, IN_CHIPS) +
    linesOf(key.map(({ text }) => text).join(' '), IN_KEY) +
    linesOf(plainText(caption), IN_LINE);
  const text = (lines + LINES_BESIDE) * TEXT_LINE;
  const height = BESIDE + text + (picture === undefined ? 0 : heightOfPicture(picture));
  return Math.max(LEAST_HEIGHT, Math.ceil(height / 10) * 10);
}

/** Lines that each figure may have: space for chips, and the plate. */
const LINES_BESIDE = 3;

function heightOfPicture(picture: Picture): number {
  switch (picture.layout) {
    case 'plot':
      return PLOT;
    case 'grid':
      return (picture.table?.rows.length ?? 0) * CELL + BESIDE;
    case 'map':
      return ((WIDTH_OF_FRAME - BESIDE) * picture.height) / picture.width;
    case 'plots':
      return (Math.ceil(picture.plots.length / 3) + 1) * SMALL_PLOT;
    case 'list':
      return picture.rows.length * BAR;
  }
}
