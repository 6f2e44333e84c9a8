import type { Child } from 'hono/jsx';
import type { Manifest } from '../block/manifest.ts';
import type { Figure } from '../figure/figure.ts';
import type { Picture } from '../figure/shape.ts';
import { plainText } from '../figure/words.ts';
import { wordsOfPage } from './block-head.tsx';
import { type BlockView, changed, hrefOf, type PageState } from './block-view.ts';
import { FileList, type FilesFound, filesFound } from './files.tsx';
import { withQuestion } from './view-links.ts';

type ShareProps = { readonly view: BlockView; readonly state: PageState };

/** How to take away what a page shows: as an address, and as files. */
export function ShareMenus({ view, state }: ShareProps) {
  const found = filesFound(view, state);
  if (found === undefined) return null;
  const { say } = view.language;
  return (
    <>
      <details class="pop" name="acts">
        <summary class="plain">{say('Share #menu')}</summary>
        <div>
          <Share view={view} state={state} />
        </div>
      </details>
      <details class="pop" name="acts">
        <summary class="plain">{say('Download')}</summary>
        <div>
          <Download view={view} state={state} found={found} />
        </div>
      </details>
    </>
  );
}

/** Texts to copy, none of which has a key. */
function Share({ view, state }: ShareProps) {
  const { address, manifest, language, outcome } = view;
  const { say } = language;
  const { title, shared = title, description } = wordsOfPage(view);
  const link = address.url + hrefOf(sharedState(view, state));
  const source = manifest?.source.publisher ?? manifest?.source.title;
  const sentence = outcome.kind === 'figure' ? plainText(outcome.figure.caption) : description;
  const said = [shared, sentence.replace(/\.$/, ''), source, link];
  return (
    <>
      <p dir="auto">
        <b>{shared}</b>
        <br />
        <small>{description}</small>
      </p>
      <Copied label={say('Link to this view')} text={link} />
      <Copied
        label={say('What it says, with source and link')}
        text={said.filter((text) => text !== undefined).join('. ')}
      />
      <FrameLine view={view} state={state}>
        {(line) => <Copied label={say('In another page')} text={line} />}
      </FrameLine>
      {outcome.kind !== 'figure' || hasKey(state) ? (
        ''
      ) : (
        <Copied
          label={say('The figure as a picture (SVG)')}
          text={address.url + svgOf(view, state)}
        />
      )}
      {manifest !== undefined && (
        <Copied label={say('How to cite')} text={citationOf(view, manifest)} />
      )}
    </>
  );
}

/** A text to copy. The script adds a button that does. */
function Copied({ label, text }: { label: string; text: string }) {
  return (
    <div class="copied">
      <label>
        {label}
        <input type="text" readonly dir="auto" value={text} />
      </label>
    </div>
  );
}

/** Files of the rows or groups; of a figure also its numbers. */
function Download({ view, state, found }: ShareProps & { readonly found: FilesFound }) {
  const { say } = view.language;
  const { outcome } = view;
  return (
    <>
      <FileList view={view} found={found} />
      {outcome.kind !== 'figure' || outcome.grouping === undefined ? (
        ''
      ) : (
        <p>
          <a href={numbersOf(view, state)}>{say('The numbers of this figure')}</a> (CSV)
        </p>
      )}
    </>
  );
}

function hasKey(state: PageState): boolean {
  return state.some(([name]) => name === 'api_key');
}

/** What a page shows, for others: with the question that nobody asked, and without a key. */
function sharedState(view: BlockView, state: PageState): PageState {
  const { opened = 'table' } = view;
  return changed(withQuestion(view, state), { api_key: null, _view: opened });
}

/** The address of what a figure is made of, as a CSV. It has the page's key. */
export function numbersOf(view: BlockView, state: PageState): string {
  return hrefOf(
    changed(withQuestion(view, state), {
      ...{ _format: 'csv', _view: null, _mark: null },
      ...{ _cursor: null, _limit: null, _facets: null },
    }),
  );
}

/** The address of a page's figure as a file. It has the page's key. */
export function svgOf(view: BlockView, state: PageState): string {
  const { opened = 'chart' } = view;
  return hrefOf(
    changed(withQuestion(view, state), {
      ...{ _format: 'svg', _view: opened },
      ...{ _cursor: null, _facets: null },
    }),
  );
}

/** A line of HTML that shows the figure or the table in another page. */
function frameOf(view: BlockView, state: PageState): string {
  const { opened, outcome, address, block } = view;
  const isFigure = outcome.kind === 'figure';
  const isOfGroups = outcome.kind === 'rows' && outcome.groups !== undefined;
  const _view = isFigure ? (opened ?? null) : isOfGroups && opened === 'api' ? null : 'table';
  const query = hrefOf(changed(sharedState(view, state), { _view, _cursor: null, _embed: 'true' }));
  const inHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const height = isFigure ? heightOf(outcome.figure, wordsOfPage(view).shared) : HEIGHT_OF_TABLE;
  return `<iframe src="${address.url}${query.replaceAll('&', '&amp;')}" width="${WIDTH_OF_FRAME}" height="${height}" style="border:0;width:100%" title="${inHtml(block.title)}"></iframe>`;
}

/** Pixels of a frame: its width, and the height of one that has a table, which scrolls in it. */
const WIDTH_OF_FRAME = 600;
const HEIGHT_OF_TABLE = 400;
const LEAST_HEIGHT = 300;

/** Pixels in such a frame: beside the figure, of a line of text, of a bar, of a row of cells, and of a plot. */
const BESIDE = 40;
const TEXT_LINE = 25;
const BAR = 38;
const CELL = 34;
const PLOT = 300;

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
  const height = BESIDE + text + (picture === undefined ? 0 : drawn(picture));
  return Math.max(LEAST_HEIGHT, Math.ceil(height / 10) * 10);
}

/** Lines that each figure may have: space for chips, and the plate. */
const LINES_BESIDE = 3;

function drawn(picture: Picture): number {
  switch (picture.layout) {
    case 'plot':
      return PLOT;
    case 'grid':
      return (picture.table?.rows.length ?? 0) * CELL + BESIDE;
    case 'map':
      return ((WIDTH_OF_FRAME - BESIDE) * picture.height) / picture.width;
    case 'list':
      return picture.rows.length * BAR;
  }
}

type FrameLineProps = ShareProps & { readonly children: (line: string) => Child };

/** The line that shows a view in another page, or why there is none. */
function FrameLine({ view, state, children }: FrameLineProps) {
  const { say } = view.language;
  if (view.mayBeFramed && !hasKey(state)) return <>{children(frameOf(view, state))}</>;
  return (
    <p class="quiet">
      {view.mayBeFramed
        ? say('Only a key opens these data: no other page can show them.')
        : say('This server lets no other page show its figures. Take the picture.')}
    </p>
  );
}

/** The same for programmers. */
export function Frame({ view, state }: ShareProps) {
  return (
    <section>
      <h3 class="block">{view.language.say('In another page')}</h3>
      <FrameLine view={view} state={state}>
        {(line) => (
          <pre>
            <code>{line}</code>
          </pre>
        )}
      </FrameLine>
    </section>
  );
}

export function Cite({ view, manifest }: { view: BlockView; manifest: Manifest }) {
  return (
    <section>
      <h3 class="block" id="cite">
        {view.language.say('How to cite')}
      </h3>
      <p dir="auto">{citationOf(view, manifest)}</p>
    </section>
  );
}

function citationOf({ block, address, language }: BlockView, { source, version }: Manifest) {
  const { title, publisher, date } = source;
  const parts = [
    publisher,
    title,
    block.title,
    date,
    language.say('version {version}', { version }),
  ];
  const said = [...new Set(parts.filter((part) => part !== undefined))];
  return `${said.join(', ')}. ${address.url}`;
}
