import type { Block, DatasetBlock, ValueBlock } from '../block/block.ts';
import { badRowsSentence } from '../block/manifest.ts';
import { Q } from '../block/parameter.ts';
import type { ViewName } from '../block/views.ts';
import type { Message } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import { datasetScript } from '../portals/dataset-ld.ts';
import { ApiStrip, ApiView } from './api-view.tsx';
import { BlockHead, wordsOfPage } from './block-head.tsx';
import {
  type BlockView,
  changed,
  hrefOf,
  type PageState,
  pageState,
  valuesOf,
} from './block-view.ts';
import { ColumnsStrip, ColumnsView } from './columns-view.tsx';
import { EmbeddedView } from './embedded-view.tsx';
import { FigureView } from './figure-view.tsx';
import { AskForm, FilterForm, PhoneBar } from './filter-form.tsx';
import { GroupsAnswer, GroupsStrip } from './groups-answer.tsx';
import { page, Unused } from './page-shell.tsx';
import { QuestionStrip } from './question-strip.tsx';
import { Refused } from './refused.tsx';
import { RowsAnswer, RowsStrip } from './rows-answer.tsx';
import { ShareMenus } from './share-menus.tsx';
import { Unasked, ValueAnswer } from './value-answer.tsx';
import { ViewTabs } from './view-tabs.tsx';

/**
 * A block's page as HTML. The answer is before the form, so that a phone shows it first. The script
 * replaces the parts that have an id.
 */
export function renderBlockPage(view: BlockView): Promise<string> {
  const { block, address, opened } = view;
  const sent = pageState(block, view.given);
  const [key] = valuesOf(sent, 'api_key');
  const own = new Set(['api_key', ...(view.added ?? []).map(([name]) => name)]);
  const query = hrefOf(sent.filter(([name]) => !own.has(name)));
  const { language } = view;
  const { say } = language;
  const isNamed = view.isImplied !== true || opened === undefined;
  const state = isNamed ? sent : changed(sent, { _view: opened });
  const canonical = `${address.url}${query}`.replace(/\?$/, '');
  if (view.values._embed === true) {
    const children = <EmbeddedView view={view} state={state} />;
    return page({
      ...{ ...wordsOfPage(view), language, toRoot: address.toRoot, key, canonical, children },
      isEmbedded: true,
    });
  }
  const hasForm = opened !== 'columns' && opened !== 'api';
  return page({
    ...wordsOfPage(view),
    language,
    skipTo: {
      answer: say(TO_ANSWER[opened ?? 'answer']),
      ...(hasForm ? toForm(block, language) : {}),
    },
    toRoot: address.toRoot,
    key,
    canonical,
    jsonLd: jsonLdOf(view),
    children: (
      <main>
        <header class="head">
          <div id="acts">
            <ShareMenus view={view} state={state} />
          </div>
          <BlockHead view={view} />
        </header>
        {block.answers === 'rows' && (
          <>
            <div id="views">
              <ViewTabs view={view} state={state} />
            </div>
            <div id="strip">
              <Strip view={view} state={state} />
            </div>
          </>
        )}
        {/* Present from the start: screen readers ignore text in a status added later. */}
        <p id="said" class="unseen" role="status"></p>
        <div class={hasForm && isBeside(view) ? 'columns' : 'whole'}>
          <div id="answer">
            <Unused names={view.unused} of="This block" language={language} />
            <Hints view={view} state={state} />
            <Empty view={view} />
            <Answer view={view} state={state} />
            <p class="printed">{canonical}</p>
          </div>
          {hasForm ? <Form view={view} state={state} /> : ''}
        </div>
        {view.outcome.kind === 'unasked' || view.manifest?.rows === 0 ? (
          ''
        ) : (
          <Examples {...{ block, state, language }} />
        )}
        <About view={view} />
        {hasForm && block.answers === 'rows' ? <PhoneBar view={view} state={state} /> : ''}
      </main>
    ),
  });
}

/** What search engines are told of a dataset. */
function jsonLdOf({ block, manifest, site }: BlockView): string | undefined {
  if (site === undefined || manifest === undefined) return undefined;
  return datasetScript(block as DatasetBlock, manifest, site.publication, site.root);
}

/** Whether the form stands beside the answer: a table has the whole width. */
function isBeside({ block, outcome }: BlockView): boolean {
  return block.answers === 'value' || outcome.kind !== 'rows';
}

/** Where the first stop of the keyboard leads. */
const TO_ANSWER = {
  chart: 'To the figure',
  map: 'To the map',
  table: 'To rows',
  columns: 'To columns',
  api: 'To the call',
  answer: 'To answer',
} as const satisfies Readonly<Record<ViewName | 'answer', Message>>;

function toForm({ answers }: Block, { say }: Language): Readonly<Record<string, string>> {
  return answers === 'rows' ? { filters: say('To filters') } : { form: say('To form') };
}

/** What a search may have meant, as filters that find more. */
function Hints({ view, state }: { view: BlockView; state: PageState }) {
  const { hints = [], language } = view;
  const { say, number } = language;
  if (hints.length === 0) return null;
  return (
    <p class="hint">
      {hints.map(({ field, value, word, others, rows }, i) => (
        <>
          {word === hints[i - 1]?.word ? '' : `${say('“{word}” is close to', { word })} `}
          <a
            class="plain"
            href={hrefOf(
              changed(state, {
                [Q]: others === '' ? null : others,
                [field.name]: value,
                _cursor: null,
              }),
            )}
          >
            <bdi>
              {say('{field} is {value}', {
                field: field.title,
                value: value.replaceAll('\\*', '*'),
              })}
              {others === '' ? '' : ` ${say('and “{words}”', { words: others })}`}: {number(rows)}
            </bdi>
          </a>{' '}
        </>
      ))}
    </p>
  );
}

/** Says that a table has no rows at all: no filter is to blame. */
function Empty({ view: { manifest, language } }: { view: BlockView }) {
  if (manifest?.rows !== 0) return null;
  return <p class="hint">{language.say('This table is empty: its file has no rows.')}</p>;
}

function Form({ view, state }: { view: BlockView; state: PageState }) {
  if (view.block.answers === 'rows') return <FilterForm view={view} state={state} />;
  const { say } = view.language;
  return (
    <>
      <nav class="to-form" aria-label={say('On this page')}>
        <a href="#form">{say('Ask')}</a>
      </nav>
      <AskForm view={view} state={state} />
    </>
  );
}

/** What the page is asked, above its answer. */
function Strip({ view, state }: { view: BlockView; state: PageState }) {
  const { outcome, opened } = view;
  switch (outcome.kind) {
    case 'figure':
      return <QuestionStrip view={view} state={state} found={outcome} />;
    case 'columns':
      return <ColumnsStrip view={view} state={state} />;
    case 'rows': {
      if (opened === 'api') return <ApiStrip view={view} state={state} found={outcome} />;
      const { groups } = outcome;
      if (groups === undefined) return <RowsStrip view={view} state={state} found={outcome} />;
      return <GroupsStrip view={view} state={state} found={{ ...outcome, groups }} />;
    }
    default:
      return null;
  }
}

function Answer({ view, state }: { view: BlockView; state: PageState }) {
  const { outcome } = view;
  switch (outcome.kind) {
    case 'unasked':
      return <Unasked view={view} state={state} />;
    case 'refused':
      return <Refused view={view} refused={outcome} />;
    case 'figure':
      return <FigureView view={view} state={state} found={outcome} />;
    case 'columns':
      return <ColumnsView view={view} state={state} />;
    case 'rows': {
      if (view.opened === 'api') return <ApiView view={view} state={state} found={outcome} />;
      const { groups } = outcome;
      if (groups === undefined) return <RowsAnswer view={view} state={state} found={outcome} />;
      return <GroupsAnswer view={view} state={state} found={{ ...outcome, groups }} />;
    }
    case 'value':
      return <ValueAnswer view={view} state={state} found={outcome} />;
  }
}

function Examples(props: { block: Block; state: PageState; language: Language }) {
  const { block, state, language } = props;
  const key = state.filter(([name]) => name === 'api_key' || name === '_lang');
  return (
    <nav class="about" aria-label={language.say('Examples')}>
      <ul class="examples">
        {block.examples.map(({ title, arguments: given }) => (
          <li>
            <a href={hrefOf(changed(key, textsOf(given)))}>{title}</a>
          </li>
        ))}
        {(block as DatasetBlock).noun !== undefined && state.length !== key.length && (
          <li>
            <a href={hrefOf(key)}>
              {language.say('All {noun}', { noun: (block as DatasetBlock).noun })}
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}

function textsOf(given: Readonly<Record<string, unknown>>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, [value].flat().map(String)]),
  );
}

/** Where the data come from, for people who build on them. */
export function About(props: { view: Pick<BlockView, 'block' | 'manifest' | 'language'> }) {
  const { view } = props;
  const { manifest, block, language } = view;
  const { say } = language;
  const { sources = [] } = block as ValueBlock;
  return (
    <section class="about" aria-labelledby="about">
      <h2 id="about">{say('Where the data come from')}</h2>
      <dl>
        {manifest === undefined ? '' : <OfDataset manifest={manifest} language={language} />}
        {sources.map(({ title, publisher, url, license, version }) => (
          <>
            <dt>{say('Source')}</dt>
            <dd>
              {url === undefined ? title : <a href={url}>{title}</a>}. {publisher},{' '}
              {say('version {version}', { version })}. {license}.
            </dd>
          </>
        ))}
        <dt>{say('Block')}</dt>
        <dd>
          <code>{block.name}</code>
          {block.id === block.name ? '' : ` ${say('or')} `}
          {block.id === block.name ? '' : <code>{block.id}</code>}
        </dd>
      </dl>
    </section>
  );
}

function OfDataset(props: { manifest: NonNullable<BlockView['manifest']>; language: Language }) {
  const { manifest, language } = props;
  const { say } = language;
  const { title, publisher, url, license, date, changes } = manifest.source;
  const from = [publisher, date].filter((text) => text !== undefined).join(', ');
  const bad = badRowsSentence(manifest, language);
  return (
    <>
      <dt>{say('Source')}</dt>
      <dd>
        {url === undefined ? title : <a href={url}>{title}</a>}.{from === '' ? '' : ` ${from}.`}
      </dd>
      {license === undefined ? '' : <dt>{say('Terms')}</dt>}
      {license === undefined ? '' : <dd>{license}</dd>}
      {changes === undefined ? '' : <dt>{say('Changes')}</dt>}
      {changes === undefined ? '' : <dd>{changes}</dd>}
      <dt>{say('Version')}</dt>
      <dd>
        <code>{manifest.version}</code>,{' '}
        {manifest.rows === 1 ? say('1 row') : say('{count} rows', { count: manifest.rows })}
      </dd>
      {bad === undefined ? '' : <dt>{say('Bad rows')}</dt>}
      {bad === undefined ? '' : <dd>{bad}</dd>}
    </>
  );
}
