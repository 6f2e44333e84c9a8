import { summariseBlock } from '../block/describe-block.ts';
import { describeFilters, orderInWords, outOfAll } from '../query/answer-in-words.ts';
import { numberText, shorten } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import { isNumeric } from '../values/field-types.ts';
import { About } from './block-page.tsx';
import { hrefOf, type PageState } from './block-view.ts';
import { keyed } from './catalog-page.tsx';
import { page, Unused, Warnings } from './page-shell.tsx';
import { Mended } from './refused.tsx';
import { HowToRefer, isSomewhere, MOST_OF_NAME, WhereAndNear } from './row-beside.tsx';
import { FactList } from './row-fact-list.tsx';
import { rankedFields, rowFacts } from './row-facts.ts';
import { rowName } from './row-name.ts';
import type { RefusedOutcome, RowLink, RowOutcome, RowResults, RowView } from './row-view.ts';
import { columnWriter } from './table-body.ts';

/** Characters of a row's name in a tab. */
const MOST_OF_TITLE = 80;

/** A row's page as HTML: the way back, its facts, its place, and how to refer to it. */
export function renderRowPage(view: RowView): Promise<string> {
  const { block, address, key, outcome } = view;
  const { toRoot } = address;
  const isFound = outcome.kind === 'row';
  const { name, field } = isFound
    ? rowName(view, outcome.row)
    : { name: outcome.title, field: undefined };
  const short = shorten(name, MOST_OF_TITLE);
  return page({
    title: `${isFound ? '' : 'Error: '}${short} – ${block.title}`,
    description: isFound
      ? descriptionOf(view, outcome.row, short, field)
      : `${short}: ${block.title}.`,
    skipTo: isFound ? { facts: 'To the facts' } : {},
    toRoot,
    key,
    ...(isFound ? { canonical: outcome.canonical } : {}),
    children: (
      <main>
        <header class="head">
          {isFound ? <Way view={view} results={outcome.beside.results} /> : ''}
          <h1 dir="auto">{name}</h1>
          <p class="lede">
            {isFound ? <PlaceInResults view={view} results={outcome.beside.results} /> : ''}
            <a href={blockHref(view, key === undefined ? [] : [['api_key', key]])} dir="auto">
              {block.title}
            </a>
          </p>
        </header>
        <Unused names={view.unused} of="A row’s address" />
        {isFound ? (
          <Found view={view} found={outcome} name={name} field={field} />
        ) : (
          <Refused view={view} refused={outcome} />
        )}
        <About view={view} />
      </main>
    ),
  });
}

function blockHref({ address, block }: RowView, state: PageState): string {
  const query = state.length === 0 ? '' : hrefOf(state);
  return `${address.toRoot}${summariseBlock(block).url.slice(1)}${query}`;
}

/** Facts in a description, which search engines and chats show some 200 characters of. */
const MOST_DESCRIBED = 3;

function descriptionOf(view: RowView, row: Row, name: string, said?: string): string {
  const { block } = view;
  const facts = block.keyFields
    .filter((one) => one !== said && row[one] != null)
    .slice(0, MOST_DESCRIBED)
    .flatMap((one) => {
      const field = block.fields.find((other) => other.name === one);
      if (field === undefined) return [];
      const value = row[one] ?? null;
      // A number is written as on the page, without its markup.
      const text = isNumeric(field)
        ? columnWriter(field, view, [row])
            .write(value)
            .replace(/<[^>]*>/g, '')
        : String(value);
      return `${field.title}: ${shorten(text, MOST_OF_NAME)}`;
    });
  return `${name}: one of the ${block.noun} of ${block.title}. ${facts.join('. ')}`.trim();
}

/** Characters of the question in the link back. */
const MOST_OF_QUESTION = 120;

/** The way back to the results, and to the rows beside this one among them. */
function Way({ view, results }: { view: RowView; results: RowResults }) {
  const { question, key } = view;
  const { previous, next } = results;
  const back: PageState = [
    ...question.filter(([name]) => name !== '_view'),
    ['_view', results.values._view === 'map' ? 'map' : 'table'],
    ...(key === undefined ? [] : ([['api_key', key]] as const)),
  ];
  const link = (one: RowLink, rel: 'prev' | 'next', text: string) => (
    <a rel={rel} href={one.href}>
      {text}: <bdi>{shorten(rowName(view, one.row).name, MOST_OF_NAME)}</bdi>
    </a>
  );
  return (
    <div class="crumb">
      <a href={blockHref(view, back)}>{shorten(backText(view, results), MOST_OF_QUESTION)}</a>
      {previous === undefined && next === undefined ? (
        ''
      ) : (
        <nav aria-label="Rows beside this one">
          {previous === undefined ? '' : link(previous, 'prev', 'Previous')}
          {next === undefined ? '' : link(next, 'next', 'Next')}
        </nav>
      )}
    </div>
  );
}

/** `Back to 12 of 120 businesses where category is “retail”, by house number, lowest first` */
function backText({ block, manifest }: RowView, { values, total }: RowResults): string {
  const { fields, filters, noun } = block;
  const where = describeFilters({ fields, filters }, values).map(({ text }) => text);
  const order = orderInWords(fields, values._sort as readonly string[] | undefined);
  const rows = total === undefined ? `the ${noun}` : outOfAll(total, noun, manifest.rows);
  return [
    `Back to ${rows.replace(/^All /, 'all ')}`,
    ...(where.length === 0 ? [] : [` where ${where.join(' and ')}`]),
    ...(order === undefined ? [] : [`, by ${order}`]),
  ].join('');
}

/** Where the row is in the results: `5 of 56 neighborhoods: `. */
function PlaceInResults({ view, results }: { view: RowView; results: RowResults }) {
  const { block, manifest } = view;
  const { noun } = block;
  const { values, total, index } = results;
  if (total === undefined) return <>One of the {noun}: </>;
  if (index === undefined) {
    return (
      <>
        <b>Not among these</b> {numberText(total)} {noun}, but one of all{' '}
        {numberText(manifest.rows)}:{' '}
      </>
    );
  }
  return (
    <>
      <b>{numberText(index + 1)}</b> of {numberText(total)} {noun}
      {describeFilters(block, values).length === 0 ? '' : ' found'}:{' '}
    </>
  );
}

type FoundProps = {
  readonly view: RowView;
  readonly found: RowOutcome;
  readonly name: string;
  readonly field: string | undefined;
};

function Found({ view, found, name, field }: FoundProps) {
  const { block, manifest, profile, values } = view;
  const { row, warnings, beside } = found;
  const facts = rowFacts(view, values, row, field);
  const ranked = rankedFields(block, manifest, profile);
  const isBeside = isSomewhere(view, row);
  const isCut = ranked.some(
    ({ name: one }) => typeof row[one] === 'number' && beside.numbers[one] === undefined,
  );
  return (
    <>
      <Warnings warnings={warnings} />
      <div class="beside one-row">
        <div id="facts">
          <FactList
            {...{ view, row, facts, isCut }}
            name={shorten(name, MOST_OF_NAME)}
            numbers={beside.numbers}
          />
        </div>
        {isBeside ? (
          <WhereAndNear view={view} found={found} name={name} />
        ) : (
          <aside aria-label="How to refer to it">
            <HowToRefer view={view} found={found} name={name} />
          </aside>
        )}
      </div>
      {isBeside ? (
        <div class="to-refer">
          <HowToRefer view={view} found={found} name={name} />
        </div>
      ) : (
        ''
      )}
    </>
  );
}

function Refused({ view, refused }: { view: RowView; refused: RefusedOutcome }) {
  const { block, address, key, given } = view;
  const { detail, faults, suggestion, runId } = refused;
  const back: PageState = [
    ['_view', 'table'],
    ...(key === undefined ? [] : ([['api_key', key]] as const)),
  ];
  const meant = `${address.toRoot}${summariseBlock(block).url.slice(1)}/rows/${suggestion}`;
  return (
    <div>
      <section class="refused say" tabindex={-1} aria-label="What is wrong">
        {(faults.length === 0 ? [{ detail }] : faults).map((fault) => (
          <p>
            {fault.detail} <Mended fault={fault} block={block} state={given} />
          </p>
        ))}
        <p>
          {suggestion === undefined ? (
            ''
          ) : (
            <a class="button" href={`${meant}${keyed(key)}`}>
              Go there
            </a>
          )}{' '}
          <a class="button" href={blockHref(view, back)}>
            All {numberText(view.manifest.rows)} {block.noun}
          </a>
        </p>
        <p class="quiet">Run {runId}</p>
      </section>
    </div>
  );
}
