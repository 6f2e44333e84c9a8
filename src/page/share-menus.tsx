import type { Child } from 'hono/jsx';
import type { ViewName } from '../block/views.ts';
import type { PageWords } from './block-head.tsx';
import { FileList, type Files, FilesInPlace } from './files.tsx';
import { changed, hrefOf, type PageState, withQuestion } from './links.ts';
import type { DatasetPage } from './page.ts';

/** What can be taken away from a page. */
export type Taken = {
  readonly files: Files;
  /** What it says, if that is more than the page's description. */
  readonly sentence?: string;
  readonly frame: Frame;
  /** The address of its figure as a picture, and of what that is made of. */
  readonly picture?: string;
  readonly numbers?: string;
};

/** A frame in another page: its height in pixels, and its view. Null leaves that to the arguments. */
type Frame = { readonly view: ViewName | null; readonly height: number };

type ShareProps = {
  readonly page: DatasetPage;
  readonly words: PageWords;
  readonly taken: Taken;
};

/** How to take away what a page shows: as an address, and as files. */
export function ShareMenus(props: ShareProps) {
  const { say } = props.page.language;
  return (
    <>
      <details class="pop" name="acts">
        <summary class="plain">{say('Share #menu')}</summary>
        <div>
          <Share {...props} />
        </div>
      </details>
      <details class="pop" name="acts">
        <summary class="plain">{say('Download')}</summary>
        <div>
          <Download {...props} />
        </div>
      </details>
    </>
  );
}

/** Texts to copy, none of which has a key. */
function Share({ page, words, taken }: ShareProps) {
  const { links, language } = page;
  const { say } = language;
  const { shared = words.title, description } = words;
  const { sentence = description, frame, picture } = taken;
  const { publisher, title } = page.manifest.source;
  const source = (publisher ?? title).replace(/\.$/, '');
  const link = links.address.url + hrefOf(sharedState(page));
  const said = [shared, sentence.replace(/\.$/, ''), source, link];
  return (
    <>
      <p dir="auto">
        <b>{shared}</b>
        <br />
        <small>
          {sentence} {source}.
        </small>
      </p>
      <Copied label={say('Link to this view')} text={link} />
      <Copied label={say('What it says, with source and link')} text={said.join('. ')} />
      <FrameLine page={page} frame={frame} heading={<Title>{say('In another page')}</Title>}>
        {(line) => (
          <Copied
            label={
              picture === undefined ? say('In another page') : say('The figure in another page')
            }
            text={line}
          />
        )}
      </FrameLine>
      {picture !== undefined && links.key === undefined && (
        <AsPicture language={language} href={picture} />
      )}
      <Copied label={say('How to cite')} text={citationOf(page)} />
    </>
  );
}

function Title({ children }: { readonly children?: Child }) {
  return (
    <>
      <b>{children}</b>
      <br />
    </>
  );
}

/** The figure as files; the script shows the button, which saves what the SVG has. */
function AsPicture({ language, href }: { language: DatasetPage['language']; href: string }) {
  return (
    <nav class="as-picture" aria-label={language.say('As a picture')}>
      <span>{language.say('As a picture')}:</span>{' '}
      <span>
        <button type="button" class="png" hidden>
          PNG
        </button>{' '}
        <a href={href}>SVG</a>
      </span>
    </nav>
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
function Download({ page, taken }: ShareProps) {
  return (
    <>
      <FileList page={page} files={taken.files} />
      {taken.numbers !== undefined && (
        <p>
          <a href={taken.numbers}>{page.language.say('The numbers of this figure')}</a> (CSV)
        </p>
      )}
      <FilesInPlace page={page} />
    </>
  );
}

/** What a page shows, for others: with the question that was not sent, and without a key. */
function sharedState({ links }: DatasetPage): PageState {
  const { view = 'table' } = links;
  return changed(withQuestion(links), { api_key: null, _view: view });
}

/** Pixels of a frame: its width, and the height of one that has a table, which scrolls in it. */
export const WIDTH_OF_FRAME = 600;
export const HEIGHT_OF_TABLE = 400;

/** A line of HTML that shows the figure or the table in another page. */
function frameOf(page: DatasetPage, { view, height }: Frame): string {
  const asked = { _view: view, _cursor: null, _embed: 'true' };
  const query = hrefOf(changed(sharedState(page), asked));
  const inHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const src = page.links.address.url + query.replaceAll('&', '&amp;');
  return `<iframe src="${src}" width="${WIDTH_OF_FRAME}" height="${height}" style="border:0;width:100%" title="${inHtml(page.block.title)}"></iframe>`;
}

type FrameProps = { readonly page: DatasetPage; readonly frame: Frame };

/** The line that shows a view in another page, or why there is none. */
function FrameLine(
  props: FrameProps & { readonly heading?: Child; readonly children: (line: string) => Child },
) {
  const { page, frame, heading, children } = props;
  const { say } = page.language;
  const { mayBeFramed, key } = page.links;
  if (mayBeFramed && key === undefined) return <>{children(frameOf(page, frame))}</>;
  return (
    <p class="quiet">
      {heading}
      {mayBeFramed
        ? say('Only a key opens these data: no other page can show them.')
        : say('This server lets no other page show its figures. Take the picture.')}
    </p>
  );
}

/** The same for programmers. */
export function FrameCode({ page, frame }: FrameProps) {
  return (
    <section>
      <h3 class="block">{page.language.say('In another page')}</h3>
      <FrameLine page={page} frame={frame}>
        {(line) => (
          <pre>
            <code>{line}</code>
          </pre>
        )}
      </FrameLine>
    </section>
  );
}

export function Cite({ page }: { page: DatasetPage }) {
  return (
    <section>
      <h3 class="block" id="cite">
        {page.language.say('How to cite')}
      </h3>
      <p dir="auto">{citationOf(page)}</p>
    </section>
  );
}

function citationOf({ block, manifest, links, language }: DatasetPage) {
  const { source, version } = manifest;
  const { title, publisher, date } = source;
  const ofVersion = language.say('version {version}', { version });
  const parts = [publisher, title, block.title, date, ofVersion];
  const said = [...new Set(parts.filter((part) => part !== undefined))];
  return `${said.join(', ')}. ${links.address.url}`;
}
