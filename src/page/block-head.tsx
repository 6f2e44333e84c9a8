import type { Child } from 'hono/jsx';
import type { Block, DatasetBlock } from '../block/block.ts';
import { badRowsSentence, type FieldStatistics, type Manifest } from '../block/manifest.ts';
import { describeFilters, outOfAll } from '../query/answer-in-words.ts';
import { numberText, shorten } from '../text/wording.ts';
import { dateText } from '../values/calendar.ts';
import { type Field, keysOfDay, typeOf } from '../values/field-types.ts';
import type { BlockView } from './block-view.ts';

/** The title of a page, and what a search engine or a chat shows of a link to it. */
export type PageWords = {
  readonly title: string;
  /** The title where it may be longer: in a chat, not in a tab. */
  readonly shared?: string;
  readonly description: string;
};

/** Characters of a title in a tab or a search result. */
const MOST_OF_TITLE = 70;

/** Characters of the filters in it, at least. */
const LEAST_OF_FILTERS = 20;

/** Characters of the filters in a description. */
const MOST_OF_SENTENCE = 200;

/** Characters of a description; search engines and chats show some 200. */
const MOST_OF_DESCRIPTION = 500;

/** What an address asks for, and of which data: `12 of 4,848 businesses where … – Business directory`. */
export function wordsOfPage({ block, outcome, values, manifest }: BlockView): PageWords {
  const { title, description } = block;
  if (outcome.kind === 'refused') return { title: `Error: ${title}`, description };
  if (outcome.kind !== 'rows' && outcome.kind !== 'figure') return { title, description };
  const { fields, filters, noun } = block as DatasetBlock;
  const texts = describeFilters({ fields, filters }, values).map(({ text }) => text);
  const where = texts.length === 0 ? '' : ` where ${texts.join(' and ')}`;
  if (outcome.kind === 'figure') {
    const { figure } = outcome;
    return wordsOf(block, `${figure.title}${where}`, `${figure.state}${where}. ${figure.sentence}`);
  }
  if (texts.length === 0) return { title, description };
  const total = outcome.groups?.matching ?? outcome.total;
  const found = `${outOfAll(total, noun, manifest?.rows)}${where}`;
  return wordsOf(block, found, `${shorten(found, MOST_OF_SENTENCE)}. ${description}`);
}

/** The title and the description of a page that shows what was found. */
function wordsOf({ title }: Block, found: string, description: string): PageWords {
  const sentence = shorten(found, MOST_OF_SENTENCE);
  const room = MOST_OF_TITLE - `… – ${title}`.length;
  return {
    title: `${shorten(found, Math.max(room, LEAST_OF_FILTERS))} – ${title}`,
    shared: `${sentence} – ${title}`,
    description: shorten(description, MOST_OF_DESCRIPTION),
  };
}

/** The head of a block's page: what the data are, how many, of which time, from whom, on what terms. */
export function BlockHead({ view }: { view: BlockView }) {
  const { block, manifest } = view;
  return (
    <>
      <h1 dir="auto">{block.title}</h1>
      <p class="lede" dir="auto">
        {block.description}
      </p>
      {manifest === undefined ? '' : <Facts block={block as DatasetBlock} manifest={manifest} />}
    </>
  );
}

function Facts({ block, manifest }: { block: DatasetBlock; manifest: Manifest }) {
  const { noun, fields } = block;
  const { title, publisher, url, license, date } = manifest.source;
  const period = periodOf(fields, manifest.fields);
  const zone = fields.find(({ timeZone }) => timeZone !== undefined)?.timeZone;
  const bad = badRowsSentence(manifest);
  const columns = fields.length === 1 ? '1 column' : `${numberText(fields.length)} columns`;
  const source = publisher ?? title;
  return (
    <dl class="facts">
      <Fact name="Size">{`${numberText(manifest.rows)} ${noun} × ${columns}`}</Fact>
      {period === undefined ? '' : <Fact name="Period">{period}</Fact>}
      {zone === undefined ? '' : <Fact name="Days of">{zone}</Fact>}
      <Fact name="Source">{url === undefined ? source : <a href={url}>{source}</a>}</Fact>
      <Fact name="Licence" isMissing={license === undefined}>
        {license === undefined ? 'not stated' : shorten(license, MOST_OF_LICENCE)}
      </Fact>
      {date === undefined ? '' : <Fact name="As of">{date}</Fact>}
      {bad === undefined ? '' : <Fact name="Could not be read">{bad}</Fact>}
    </dl>
  );
}

/** The terms are in full below. */
const MOST_OF_LICENCE = 60;

type FactProps = {
  readonly name: string;
  readonly isMissing?: boolean;
  readonly children: Child;
};

function Fact({ name, isMissing = false, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={isMissing ? 'quiet' : undefined}>{children}</dd>
    </div>
  );
}

/** The first and the last day of the first field of dates or times that has any. */
export function periodOf(
  fields: readonly Field[],
  statistics: Readonly<Record<string, FieldStatistics>>,
): string | undefined {
  for (const field of fields) {
    const keys = keysOfDay(field);
    const { min, max } = statistics[field.name] ?? {};
    if (keys === undefined || min === undefined || max === undefined) continue;
    const type = typeOf(field);
    const [first, last] = [min, max].map((key) => dayInWords(String(type.valueOf(key, field))));
    return first === last ? first : `${first} – ${last}`;
  }
  return undefined;
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
});

/** `2018-10-06T12:00` as `6 Oct 2018`. */
export function dayInWords(written: string): string {
  const day = Date.parse(written.slice(0, dateText(0).length));
  return Number.isNaN(day) ? written : DAY.format(day);
}
