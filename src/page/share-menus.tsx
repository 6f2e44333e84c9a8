import type { Manifest } from '../block/manifest.ts';
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
  const frame = frameOf(view, state);
  return (
    <>
      <p dir="auto">
        <b>{shared}</b>
        <br />
        <small>{description}</small>
      </p>
      <label>
        {say('Link to this view')}
        <input type="text" readonly value={address.url + hrefOf(sharedState(view, state))} />
      </label>
      {frame === undefined ? (
        ''
      ) : (
        <label>
          {say('In another page')}
          <input type="text" readonly value={frame} />
        </label>
      )}
      {outcome.kind !== 'figure' || hasKey(state) ? (
        ''
      ) : (
        <label>
          {say('The figure as a picture (SVG)')}
          <input type="text" readonly value={address.url + svgOf(view, state)} />
        </label>
      )}
      {manifest === undefined ? (
        ''
      ) : (
        <label>
          {say('How to cite')}
          <input type="text" readonly dir="auto" value={citationOf(view, manifest)} />
        </label>
      )}
    </>
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

/**
 * A line of HTML that shows the figure or the table in another page. Undefined if no page may frame
 * it, or if only a key opens it.
 */
function frameOf(view: BlockView, state: PageState): string | undefined {
  if (!view.mayBeFramed || hasKey(state)) return undefined;
  const { opened, outcome, address, block } = view;
  const isFigure = outcome.kind === 'figure';
  const isOfGroups = outcome.kind === 'rows' && outcome.groups !== undefined;
  const _view = isFigure ? (opened ?? null) : isOfGroups && opened === 'api' ? null : 'table';
  const query = hrefOf(changed(sharedState(view, state), { _view, _cursor: null, _embed: 'true' }));
  return `<iframe src="${address.url}${query.replaceAll('&', '&amp;')}" width="600" height="400" title="${block.title.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;
}

/** The line that shows a view in another page. */
export function Frame({ view, state }: ShareProps) {
  const line = frameOf(view, state);
  if (line === undefined) return null;
  return (
    <section>
      <h3 class="block">{view.language.say('In another page')}</h3>
      <pre>
        <code>{line}</code>
      </pre>
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
