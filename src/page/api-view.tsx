import type { DatasetBlock } from '../block/block.ts';
import { DATA_PACKAGE } from '../block/describe-block.ts';
import type { Manifest } from '../block/manifest.ts';
import type { Language } from '../languages/language.ts';
import { groupsInWords, outOfAll } from '../query/answer-in-words.ts';
import { type BlockView, changed, hrefOf, type PageOutcome, type PageState } from './block-view.ts';
import { FileList } from './files.tsx';
import { withoutGroup } from './groups-answer.tsx';
import { Chip, inWords, Where } from './rows-answer.tsx';
import { Snippets } from './snippets.tsx';
import { linkTo } from './view-links.ts';

type ApiProps = {
  readonly view: BlockView;
  readonly state: PageState;
  readonly found: PageOutcome & { kind: 'rows' };
};

/** What the call asks for, in words. */
export function ApiStrip({ view, state, found }: ApiProps) {
  const { noun } = view.block as DatasetBlock;
  const { groups, total } = found;
  const { filters } = inWords(view, found);
  const matching = groups?.matching ?? total;
  const { language } = view;
  const { say } = language;
  return (
    <div class="strip state">
      <b>{outOfAll(matching, noun, view.manifest?.rows ?? 0, language)}</b>
      <Where {...{ filters, state, language }} />
      {groups === undefined
        ? ''
        : `, ${say('in {groups}', { groups: groupsInWords(total, language) })}`}
      {groups?.grouping.dimensions.map(({ column }, i) => (
        <>
          {` ${say(i === 0 ? 'by' : 'and')} `}
          <Chip
            language={language}
            text={column.title}
            href={hrefOf(withoutGroup(state, groups.grouping.dimensions, i))}
          />
        </>
      ))}
    </div>
  );
}

/** How a program asks for what the page shows: calls, files and addresses. */
export function ApiView({ view, state, found }: ApiProps) {
  const { manifest, address, block, language } = view;
  const { say } = language;
  return (
    <div class="beside">
      <div>
        <Snippets view={view} state={state} title={say('The call for this state')}>
          {say('Filters, order and grouping of the page are in it.')}
        </Snippets>
        <section>
          <h3 class="block">{say('What comes back')}</h3>
          <pre>
            <code>{sampleOf(found, language)}</code>
          </pre>
        </section>
      </div>
      <aside>
        <section>
          <h3 class="block">{say('Files')}</h3>
          <FileList view={view} state={state} found={found} />
        </section>
        <section>
          <h3 class="block">{say('Addresses')}</h3>
          <dl class="defs">
            <div>
              <dt>{say('Data package')}</dt>
              <dd>
                <a href={linkTo(view, state, `api_v2/blocks/${block.name}/${DATA_PACKAGE}`)}>
                  {DATA_PACKAGE}
                </a>
              </dd>
            </div>
            <div>
              <dt>OpenAPI 3.1</dt>
              <dd>
                <a href={linkTo(view, state, 'openapi.json')}>openapi.json</a>
              </dd>
            </div>
            <div>
              <dt>{say('For language models (MCP)')}</dt>
              <dd>
                <code>{new URL(`${address.toRoot}mcp`, address.url).href}</code>
              </dd>
            </div>
          </dl>
        </section>
        <Frame view={view} state={state} found={found} />
        {manifest === undefined ? '' : <Cite view={view} manifest={manifest} />}
      </aside>
    </div>
  );
}

/** Rows of an answer that are shown as an example. */
const MOST_SHOWN = 2;

/** The beginning of the answer as JSON. */
function sampleOf({ rows, total, groups }: ApiProps['found'], { say }: Language): string {
  const shown = rows.slice(0, MOST_SHOWN).map((row) => `  ${JSON.stringify(row)}`);
  const more = rows.length - shown.length;
  const lines = [
    ...shown,
    ...(more > 0 ? [`  … ${say('{count} more of this page', { count: more })}`] : []),
  ];
  const all =
    groups === undefined
      ? say('{count} rows in all', { count: total })
      : say('{count} groups in all', { count: total });
  return `{"params": {"results": [\n${lines.join(',\n')}\n],\n"total": ${total}, …}} (${all})`;
}

/** A line of HTML that shows the figure or the table in another page. It holds no key. */
function Frame({ view, state, found }: ApiProps) {
  const hasKey = state.some(([name]) => name === 'api_key');
  if (!view.mayBeFramed || hasKey) return null;
  const _view = found.groups === undefined ? 'table' : null;
  const query = hrefOf(changed(state, { _view, _cursor: null, _embed: 'true' }));
  const line = `<iframe src="${view.address.url}${query.replaceAll('&', '&amp;')}" width="600" height="400" title="${view.block.title.replaceAll('"', '&quot;')}"></iframe>`;
  return (
    <section>
      <h3 class="block">{view.language.say('In another page')}</h3>
      <pre>
        <code>{line}</code>
      </pre>
    </section>
  );
}

function Cite({ view, manifest }: { view: BlockView; manifest: Manifest }) {
  const { title, publisher, date } = manifest.source;
  const { say } = view.language;
  const { version } = manifest;
  const parts = [publisher, title, view.block.title, date, say('version {version}', { version })];
  const said = [...new Set(parts.filter((part) => part !== undefined))];
  return (
    <section>
      <h3 class="block" id="cite">
        {say('How to cite')}
      </h3>
      <p dir="auto">
        {said.join(', ')}. {view.address.url}
      </p>
    </section>
  );
}
