import type { Arguments, Members, RawArguments, ReadArguments } from '../arguments/given.ts';
import { type KnownNames, namesInQuery } from '../arguments/names.ts';
import { belowRoot } from '../block/addresses.ts';
import { summariseBlock } from '../block/describe-block.ts';
import { NEAR } from '../block/parameter.ts';
import { inLanguage, type Language } from '../languages/language.ts';
import { About } from '../page/about.tsx';
import { ofData } from '../page/block-head.tsx';
import { keyed } from '../page/catalog-page.tsx';
import { columnWriter } from '../page/cells.ts';
import { faultText } from '../page/fault-text.ts';
import { ForPrograms, inEnglish, Mended, saidOnce, titleOf } from '../page/faults.tsx';
import { hrefOf, type PageAddress, type PageState, sentPairs } from '../page/links.ts';
import { withoutNames } from '../page/page-arguments.ts';
import { page, Unused, Warnings } from '../page/page-shell.tsx';
import { HowToRefer, isSomewhere, MOST_OF_NAME, WhereAndNear } from '../page/row-beside.tsx';
import { FactList } from '../page/row-fact-list.tsx';
import { rankedFields, rowFacts } from '../page/row-facts.ts';
import { rowName } from '../page/row-name.ts';
import type {
  RefusedOutcome,
  RowBeside,
  RowLink,
  RowOutcome,
  RowResults,
  RowView,
} from '../page/row-view.ts';
import { orderInWords, outOfAll } from '../query/answer-in-words.ts';
import { describeFilters } from '../query/filters-in-words.ts';
import type { FoundRow } from '../query/read-row.ts';
import { distanceText, shorten } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import { isNumeric } from '../values/field-types.ts';
import { directionTo, haversine, metresOf, type Point, placeOfRow } from '../values/places.ts';
import type { Budget } from '../work/budget.ts';
import { languageOf } from './block-page.tsx';
import { type BesideRead, readBeside } from './read-beside.ts';
import { isOfPage, namesOfQuestion } from './row-links.ts';
import type { OfDataset } from './view.ts';

/** Characters of a row's name in a tab. */
const MOST_OF_TITLE = 80;

/** What is known of a row's page at its door. */
export type RowArrival = {
  readonly of: OfDataset;
  /** The names that the block takes, and those of one row. */
  readonly known: KnownNames;
  readonly ofOneRow: { readonly known: KnownNames; readonly readArguments: ReadArguments };
  readonly given: RawArguments;
  readonly address: PageAddress;
  readonly key: string | undefined;
};

/** The same, with what follows from it. */
export type RowDoor = Omit<RowArrival, 'given'> & {
  readonly own: RawArguments;
  readonly question: RawArguments;
  readonly unused: readonly string[];
  readonly sent: Readonly<Record<'own' | 'question' | 'page', PageState>>;
  readonly language: Language;
};

export function arriveAtRow(arrival: RowArrival): RowDoor {
  const { given, of, ofOneRow } = arrival;
  const parts = splitQuery(given.query, arrival);
  const unused = namesInQuery(parts.own, ofOneRow.known, false).strangers;
  const own = withoutNames({ ...given, query: parts.own }, unused);
  const question = { ...given, query: parts.question };
  const sent = {
    own: sentPairs(own),
    question: sentPairs(question),
    page: sentPairs({ ...given, query: parts.page }),
  };
  const language = languageOf(sent.own, of.block);
  return { ...arrival, own, question, unused, sent, language };
}

/**
 * A query's members: those of the question that led to the row, of the page of its results, and the
 * others. Names that are misspelt go with the question, as the block refuses them: a filter may have
 * been meant.
 */
function splitQuery(query: Members, { of: { block }, known }: RowArrival) {
  const isOfQuestion = namesOfQuestion(block);
  const misspelt = new Set(namesInQuery(query, known, false).near);
  const parts = {
    own: Object.create(null) as Members,
    question: Object.create(null) as Members,
    page: Object.create(null) as Members,
  };
  for (const name of Object.keys(query)) {
    const part = isOfQuestion(name) || misspelt.has(name) ? 'question' : 'own';
    Object.assign(parts[isOfPage(name) ? 'page' : part], { [name]: query[name] });
  }
  return parts;
}

/** Arguments of a row's page, and the question that led to it. */
export type RowArguments = Arguments & { readonly question: Members };

export function readRowArguments(door: RowDoor, budget: Budget): RowArguments {
  const { of, ofOneRow, own, question } = door;
  const read = ofOneRow.readArguments(own, budget);
  return { ...read, question: of.readArguments(question, budget).values };
}

/** Reads what the page shows beside a row. */
export function readRowPage(
  door: RowDoor,
  { row, position }: Pick<FoundRow, 'row' | 'position'>,
  question: Members,
  budget: Budget,
): Promise<BesideRead> {
  const { of, sent, address, key } = door;
  const kept: PageState = [
    ...sent.own.filter(([name]) => name === '_lang'),
    ...(key === undefined ? [] : ([['api_key', key]] as const)),
  ];
  const asked = [...sent.question, ...sent.page];
  const linkTo = (reference: string, isInResults: boolean) => {
    const query = hrefOf([...(isInResults ? asked : []), ...kept]);
    return address.toRoot + belowRoot(reference) + (query === '?' ? '' : query);
  };
  return readBeside({ of, question, sent, row, position, linkTo, budget });
}

/** The page of a row, or of what is wrong with its address. */
export function renderRowPage(
  door: RowDoor,
  values: Members,
  outcome: RowView['outcome'],
  budget: Budget,
): Promise<string> {
  const { of, unused, sent, address, key, language } = door;
  const { manifest, profile } = of;
  return pageOfRow({
    ...{ language, manifest, profile, unused, address, key, values, outcome },
    block: inLanguage(of.block, language),
    given: [...sent.own, ...sent.question, ...sent.page],
    turn: (steps) => budget.checkpoint(steps),
  });
}

/** A row's page as HTML: the way back, its facts, its place, and how to refer to it. */
function pageOfRow(view: RowView): Promise<string> {
  const { block, address, key, outcome, language } = view;
  const { say } = language;
  const { toRoot } = address;
  const isFound = outcome.kind === 'row';
  const { name, field } = isFound
    ? rowName(view, outcome.row)
    : { name: titleOf(outcome.title, language), field: undefined };
  const short = shorten(name, MOST_OF_TITLE);
  const title = `${short} – ${block.title}`;
  return page({
    language,
    title: isFound ? title : say('Error: {title}', { title }),
    description: isFound
      ? descriptionOf(view, outcome.row, short, field)
      : `${short}: ${block.title}.`,
    skipTo: isFound ? { facts: say('To the facts') } : {},
    toRoot,
    key,
    ...(isFound ? { canonical: outcome.canonical } : {}),
    children: (
      <main>
        <header class="head">
          {isFound ? <Way view={view} beside={outcome.beside} /> : ''}
          <h1 dir="auto">{name}</h1>
          <p class="lede">
            {isFound ? <PlaceInResults view={view} found={outcome} /> : ''}
            <a href={blockHref(view, keptOf(view))} {...ofData(view)}>
              {block.title}
            </a>
          </p>
        </header>
        <Unused names={view.unused} of="A row’s address" language={language} />
        {isFound ? (
          <Found view={view} found={outcome} name={name} field={field} />
        ) : (
          <Refused view={view} refused={outcome} />
        )}
        <About page={view} />
      </main>
    ),
  });
}

/** What links to the block keep of this page's address: the key, and the language. */
function keptOf({ key, given }: RowView): PageState {
  return [
    ...given.filter(([name]) => name === '_lang'),
    ...(key === undefined ? [] : ([['api_key', key]] as const)),
  ];
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
  const { noun, title } = block;
  const whose = view.language.say('{name}: one of the {noun} of {title}.', { name, noun, title });
  return `${whose} ${facts.join('. ')}`.trim();
}

/** Characters of the question in the link back. */
const MOST_OF_QUESTION = 120;

/** The way back to the results, and to the rows beside this one among them. */
function Way({ view, beside: { back: page, results } }: { view: RowView; beside: RowBeside }) {
  const { say } = view.language;
  const { previous, next } = results;
  const back: PageState = [
    ...page,
    ['_view', results.values._view === 'map' ? 'map' : 'table'],
    ...keptOf(view),
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
        <nav aria-label={say('Rows beside this one')}>
          {previous === undefined ? '' : link(previous, 'prev', say('Previous'))}
          {next === undefined ? '' : link(next, 'next', say('Next'))}
        </nav>
      )}
    </div>
  );
}

/** `Back to 12 of 120 businesses where category is “retail”, by house number, lowest first` */
function backText({ block, manifest, language }: RowView, { values, total }: RowResults): string {
  const { say } = language;
  const { fields, filters, noun } = block;
  const where = describeFilters({ fields, filters }, values, language).map(({ text }) => text);
  const order = orderInWords(fields, values._sort as readonly string[] | undefined, language);
  const all = manifest.rows;
  const rows =
    total === undefined
      ? say('the {noun}', { noun })
      : total === all
        ? say('all {count} {noun}', { count: all, noun })
        : outOfAll(total, noun, all, language);
  const found =
    where.length === 0
      ? rows
      : say('{rows} where {filters}', { rows, filters: where.join(` ${say('and')} `) });
  const inOrder = order === undefined ? found : say('{rows}, by {order}', { rows: found, order });
  return say('Back to {rows}', { rows: inOrder });
}

/** How far the row is from the place that the results are near, and where to: `160 m NE`. */
function distanceIn({ block, language }: RowView, row: Row, { values }: RowResults) {
  const { geometry } = block;
  const place = geometry && placeOfRow(row, geometry);
  const near = values[NEAR];
  if (place === undefined || typeof near !== 'string') return undefined;
  const at = near.split(',').map(Number) as unknown as Point;
  const metres = metresOf(haversine(place, at));
  const far = distanceText(metres, language.name);
  return metres < 1 ? far : `${far} ${language.say(directionTo(at, place))}`;
}

/** Where the row is in the results: `5 of 56 neighborhoods: `; of those near a place, how far. */
function PlaceInResults({ view, found }: { view: RowView; found: RowOutcome }) {
  const { results } = found.beside;
  const distance = distanceIn(view, found.row, results);
  return (
    <>
      {distance !== undefined && (
        <>
          <b>{distance}</b>,{' '}
        </>
      )}
      <NumberInResults view={view} results={results} />
    </>
  );
}

function NumberInResults({ view, results }: { view: RowView; results: RowResults }) {
  const { block, manifest, language } = view;
  const { say, number } = language;
  const { noun } = block;
  const { values, total, index } = results;
  if (total === undefined) return <>{say('One of the {noun}', { noun })}: </>;
  const of = { count: number(total), noun };
  if (index === undefined) {
    return (
      <>
        {language.parts('{not} {count} {noun}, but one of all {all}', {
          not: <b>{say('Not among these')}</b>,
          ...of,
          all: number(manifest.rows),
        })}
        :{' '}
      </>
    );
  }
  const place = { place: <b>{number(index + 1)}</b>, ...of };
  return (
    <>
      {describeFilters(block, values).length === 0
        ? language.parts('{place} of {count} {noun}', place)
        : language.parts('{place} of {count} {noun} found', place)}
      :{' '}
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
          <aside aria-label={view.language.say('How to refer to it')}>
            <HowToRefer view={view} found={found} name={name} />
          </aside>
        )}
      </div>
      {isBeside && (
        <div class="to-refer">
          <HowToRefer view={view} found={found} name={name} />
        </div>
      )}
    </>
  );
}

function Refused({ view, refused }: { view: RowView; refused: RefusedOutcome }) {
  const { block, address, key, given, language } = view;
  const { say } = language;
  const { faults, suggestion, runId } = refused;
  const back: PageState = [['_view', 'table'], ...keptOf(view)];
  const meant = `${address.toRoot}${summariseBlock(block).url.slice(1)}/rows/${suggestion}`;
  return (
    <div>
      <section class="refused" tabindex={-1} aria-label={say('What is wrong')}>
        {saidOnce(refused).map((fault) => (
          <p>
            <span {...inEnglish(language)}>
              {faultText(
                fault,
                block,
                language,
                faults.filter(({ detail }) => detail === fault.detail),
              )}
            </span>{' '}
            <Mended {...{ fault, block, language }} state={given} />
          </p>
        ))}
        <p>
          {suggestion !== undefined && (
            <a class="button" href={`${meant}${keyed(key)}`}>
              {say('Go there')}
            </a>
          )}{' '}
          <a class="button" href={blockHref(view, back)}>
            {say('All {count} {noun}', { count: view.manifest.rows, noun: block.noun })}
          </a>
        </p>
        <ForPrograms {...{ runId, language }} said={faults} />
      </section>
    </div>
  );
}
