import type { DatasetBlock } from '../block/block.ts';
import { DATA_PACKAGE, OPENAPI } from '../block/describe-block.ts';
import type { Language } from '../languages/language.ts';
import { groupsInWords, outOfAll } from '../query/answer-in-words.ts';
import { type BlockView, hrefOf, type PageOutcome, type PageState } from './block-view.ts';
import { FileList, filesFound } from './files.tsx';
import { withoutGroup } from './groups-answer.tsx';
import { Chip, inWords, Where } from './rows-answer.tsx';
import { Cite, Frame } from './share-menus.tsx';
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
  const files = filesFound(view, state);
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
          {files === undefined ? '' : <FileList view={view} found={files} />}
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
                <a href={linkTo(view, state, `api_v2/blocks/${block.name}/${OPENAPI}`)}>
                  {OPENAPI}
                </a>
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
        <Frame view={view} state={state} />
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
