import type { Child } from 'hono/jsx';
import type { DatasetBlock } from '../block/block.ts';
import { DATA_PACKAGE, OPENAPI } from '../block/describe-block.ts';
import { DEFAULT_LIMIT } from '../block/options.ts';
import { firstOf } from '../first/first-question.ts';
import type { Language } from '../languages/language.ts';
import { groupsInWords, outOfAll } from '../query/answer-in-words.ts';
import { type BlockView, changed, hrefOf, type PageOutcome, type PageState } from './block-view.ts';
import { FileList, filesFound } from './files.tsx';
import { withoutGroup } from './groups-answer.tsx';
import { Chip, inWords, Where } from './rows-answer.tsx';
import { Cite, Frame } from './share-menus.tsx';
import { Snippets } from './snippets.tsx';
import { linkTo, withoutQuestion } from './view-links.ts';

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
      <nav aria-label={say('What the call asks for')}>
        <Either isHere={groups === undefined} href={hrefOf(withoutQuestion(state))}>
          {say('the rows')}
        </Either>{' '}
        <Either isHere={groups !== undefined} href={asGroups(view, state)}>
          {say('the groups')}
        </Either>
      </nav>
    </div>
  );
}

/** One of the two things that a call can ask for. */
function Either(props: { isHere: boolean; href: string | undefined; children: Child }) {
  const { isHere, href, children } = props;
  if (isHere) return <b aria-current="true">{children}</b>;
  return href === undefined ? null : <a href={href}>{children}</a>;
}

/** The address of a call for groups: those that the block's chart shows first, if it has one. */
function asGroups(view: BlockView, state: PageState): string | undefined {
  const { block, manifest, profile } = view;
  if (manifest === undefined) return undefined;
  const { _group, _measure } = firstOf(block as DatasetBlock, manifest, profile, 'chart').arguments;
  if (_group === undefined) return undefined;
  const textsOf = (value: unknown) => [value ?? []].flat().map(String);
  const asked = { _group: textsOf(_group), _measure: textsOf(_measure) };
  return hrefOf(changed(state, { ...asked, _sort: null, _fields: null, _cursor: null }));
}

/** How a program asks for what the page shows: calls, files and addresses. */
export function ApiView({ view, state, found }: ApiProps) {
  const { manifest, address, block, language } = view;
  const { say } = language;
  const files = filesFound(view, state);
  // The page itself has fewer rows than the call.
  const length = Number(view.values._limit ?? DEFAULT_LIMIT);
  return (
    <div class="beside">
      <div>
        <Snippets view={view} state={state} title={say('The call for this state')}>
          {say('Filters, order and grouping of the page are in it.')}
        </Snippets>
        <section>
          <h3 class="block">{say('What comes back')}</h3>
          {found.total <= length ? (
            ''
          ) : (
            <p class="quiet">
              {say('The first page: {count} of {all}. “next” leads to the next one.', {
                count: length,
                all: found.total,
              })}
            </p>
          )}
          <pre>
            <code>{sampleOf(found, Math.min(length, found.total), language)}</code>
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
function sampleOf(
  { rows, total, groups }: ApiProps['found'],
  length: number,
  { say }: Language,
): string {
  // With spaces, at which a line may break.
  const inJson = (row: object) => JSON.stringify(row, null, 1).replace(/\n */g, ' ');
  const shown = rows.slice(0, MOST_SHOWN).map((row) => `  ${inJson(row)}`);
  const more = length - shown.length;
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
