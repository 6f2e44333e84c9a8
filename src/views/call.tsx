import type { Child } from 'hono/jsx';
import { DATA_PACKAGE, OPENAPI } from '../block/describe-block.ts';
import { DEFAULT_LIMIT } from '../block/options.ts';
import { DRAWING_NAMES } from '../block/views.ts';
import { firstOf } from '../first/first-question.ts';
import type { Language } from '../languages/language.ts';
import { wordsOfRows } from '../page/block-head.tsx';
import { FileList, FilesInPlace } from '../page/files.tsx';
import { Chip, inWords, Where } from '../page/filter-words.tsx';
import { changed, hrefOf, linkTo, withoutQuestion } from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import { Cite, FrameCode } from '../page/share-menus.tsx';
import { FileSnippets, Snippets } from '../page/snippets.tsx';
import { groupsInWords, outOfAll } from '../query/answer-in-words.ts';
import type { PlannedRun } from '../query/run.ts';
import type { Budget } from '../work/budget.ts';
import { Embedded, filesOfTable, withoutGroup } from './table.tsx';
import { readRows, type TableProps, type TableRead } from './table-read.ts';
import type { OfDataset, ViewKind, ViewQuery } from './view.ts';

/** How a program asks for what the page shows. */
export const call: ViewKind<TableRead> = {
  name: 'api',
  title: 'API',
  skip: 'To the call',
  ask: (_, { values, grouping }) => ({
    ...{ view: call, name: 'api', values, grouping, added: {} },
  }),
  plan: planSample,
  read: (query, reading) =>
    readRows(query, reading, query.planned ?? planSample(query, reading.of, reading.budget)),
  words: (found, page: DatasetPage) => wordsOfRows(page, found.matching),
  strip: (found, page: DatasetPage) => <CallStrip page={page} found={found} />,
  show: (found, page: DatasetPage) => <Call page={page} found={found} />,
  embed: (found, page: DatasetPage) => <Embedded page={page} found={found} />,
  files: filesOfCall,
  tab: { drops: DRAWING_NAMES, question: 'asked' },
};

/** Rows whose files' sizes and first members are shown beside programs. */
const SAMPLED = 50;

function planSample({ values, grouping }: ViewQuery, of: OfDataset, budget: Budget): PlannedRun {
  return of.plan({ ...values, _limit: SAMPLED }, budget, grouping);
}

/** A frame of groups shows the view that they have without a name. */
function filesOfCall(found: TableRead, page: DatasetPage) {
  const taken = filesOfTable(found, page);
  if (found.groups === undefined) return taken;
  return { ...taken, frame: { ...taken.frame, view: null } };
}

/** What the call asks for, in words. */
function CallStrip({ page, found }: TableProps) {
  const { block, manifest, language } = page;
  const { groups, total, matching } = found;
  const { filters } = inWords(page, found);
  const { state } = page.links;
  const { say } = language;
  return (
    <div class="strip state">
      <b>{outOfAll(matching, block.noun, manifest.rows, language)}</b>
      <Where filters={filters} page={page} />
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
        <Either isHere={groups !== undefined} href={asGroups(page)}>
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
function asGroups(page: DatasetPage): string | undefined {
  const { block, manifest, profile, links } = page;
  const { _group, _measure } = firstOf(block, manifest, profile, 'chart').arguments;
  if (_group === undefined) return undefined;
  const textsOf = (value: unknown) => [value ?? []].flat().map(String);
  const asked = { _group: textsOf(_group), _measure: textsOf(_measure) };
  return hrefOf(changed(links.state, { ...asked, _sort: null, _fields: null, _cursor: null }));
}

/** How a program asks for what the page shows: calls, files and addresses. */
function Call({ page, found }: TableProps) {
  const { links, block, language } = page;
  const { address } = links;
  const { say } = language;
  const { files, frame } = filesOfCall(found, page);
  // The page itself has fewer rows than the call.
  const length = Number(page.values._limit ?? DEFAULT_LIMIT);
  return (
    <div class="beside">
      <div>
        <Snippets page={page} title={say('The call for this state')}>
          {say('Filters, order and grouping of the page are in it.')}
        </Snippets>
        <FileSnippets page={page} />
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
          <FileList page={page} files={files} />
          <FilesInPlace page={page} />
        </section>
        <section>
          <h3 class="block">{say('Addresses')}</h3>
          <dl class="defs">
            <div>
              <dt>{say('Data package')}</dt>
              <dd>
                <a href={linkTo(links, `api_v2/blocks/${block.name}/${DATA_PACKAGE}`)}>
                  {DATA_PACKAGE}
                </a>
              </dd>
            </div>
            <div>
              <dt>OpenAPI 3.1</dt>
              <dd>
                <a href={linkTo(links, `api_v2/blocks/${block.name}/${OPENAPI}`)}>{OPENAPI}</a>
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
        <FrameCode page={page} frame={frame} />
        <Cite page={page} />
      </aside>
    </div>
  );
}

/** Rows of an answer that are shown as an example. */
const MOST_SHOWN = 2;

/** The beginning of the answer as JSON. */
function sampleOf({ rows, total, groups }: TableRead, length: number, { say }: Language): string {
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
