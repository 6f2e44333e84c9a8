import type { Child } from 'hono/jsx';
import type { Block } from '../block/block.ts';
import { badRowsSentence } from '../block/manifest.ts';
import type { Language } from '../languages/language.ts';
import { type Period, periodIn } from '../portals/period.ts';
import { outOfAll } from '../query/answer-in-words.ts';
import { describeFilters } from '../query/filters-in-words.ts';
import { shorten } from '../text/wording.ts';
import { dateText } from '../values/calendar.ts';
import type { DatasetPage, Page } from './page.ts';

/** The title of a page, and what a search engine or a chat shows of a link to it. */
export type PageWords = {
  readonly title: string;
  /** The title where it may be longer: in a chat, not in a tab. */
  readonly shared?: string;
  readonly description: string;
  /** Its script, if that is not the usual one. */
  readonly script?: 'map';
};

/** Characters of a title in a tab or a search result. */
const MOST_OF_TITLE = 70;

/** Characters of the filters in it, at least. */
const LEAST_OF_FILTERS = 20;

/** Characters of the filters in a description. */
const MOST_OF_SENTENCE = 200;

/** Characters of a description; search engines and chats show some 200. */
const MOST_OF_DESCRIPTION = 500;

/** The words of a page that shows a block and no answer. */
export function wordsOfBlock({ block: { title, description } }: Pick<Page, 'block'>): PageWords {
  return { title, description };
}

type OfWords = Pick<DatasetPage, 'block' | 'values' | 'manifest' | 'language'>;

/** What an address asks for, and of which data: `12 of 4,848 businesses where … – Business directory`. */
export function wordsOfRows(page: OfWords, matching: number): PageWords {
  const { block, manifest, language } = page;
  const where = whereOf(page);
  if (where === undefined) return wordsOfBlock(page);
  const found = where(outOfAll(matching, block.noun, manifest.rows, language));
  return wordsOf(block, found, `${shorten(found, MOST_OF_SENTENCE)}. ${block.description}`);
}

/** The same of a figure, with what it says. */
export function wordsOfFigure(
  page: OfWords,
  {
    title,
    state,
    sentence,
  }: { readonly title: string; readonly state: string; readonly sentence: string },
): PageWords {
  const where = whereOf(page) ?? ((what: string) => what);
  return wordsOf(page.block, where(title), `${where(state)}. ${sentence}`);
}

/** Puts the filters behind what they leave. Undefined if there are none. */
function whereOf({ block, values, language }: OfWords): ((what: string) => string) | undefined {
  const { say } = language;
  const texts = describeFilters(block, values, language).map(({ text }) => text);
  if (texts.length === 0) return undefined;
  const filters = texts.join(` ${say('and')} `);
  return (rows) => say('{rows} where {filters}', { rows, filters });
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

/** A description without the title that stands above it: `add` begins one with it. */
export function withoutTitle(description: string, title: string): string {
  const start = `${title}. `;
  return (description.startsWith(start) && description.slice(start.length)) || description;
}

/** The head of a block's page: what the data are, how many, of which time, from whom, on what terms. */
export function BlockHead({ page }: { page: Page }) {
  const { block } = page;
  return (
    <>
      <h1 {...ofData(page)}>{block.title}</h1>
      <p class="lede cut" {...ofData(page)} title={block.description}>
        {withoutTitle(block.description, block.title)}
      </p>
      {page.manifest === undefined ? '' : <Facts page={page} />}
    </>
  );
}

/** Attributes of a text of the block: its direction, and its language if the page speaks another. */
export function ofData({ block, language }: Pick<Page, 'block' | 'language'>) {
  const { lang = 'en' } = block;
  return { dir: 'auto', lang: lang.split('-')[0] === language.name ? undefined : lang } as const;
}

function Facts({ page }: { page: DatasetPage }) {
  const { language, manifest } = page;
  const { say } = language;
  const { noun, fields } = page.block;
  const { title, publisher, url, license, date } = manifest.source;
  const period = periodIn(fields, manifest.fields);
  const zone = fields.find(({ timeZone }) => timeZone !== undefined)?.timeZone;
  const bad = badRowsSentence(manifest, language);
  const { length } = fields;
  const columns = length === 1 ? say('1 column') : say('{count} columns', { count: length });
  const source = publisher ?? title;
  return (
    <dl class="facts">
      <Fact name={say('Size')}>
        {manifest.rows === 1
          ? `${say('1 row')} × ${columns}`
          : say('{rows} {noun} × {columns}', { rows: manifest.rows, noun, columns })}
      </Fact>
      {period !== undefined && (
        <Fact name={say('Period')}>{periodText(period, page.today, language)}</Fact>
      )}
      {zone === undefined ? '' : <Fact name={say('Days of')}>{zone}</Fact>}
      <Fact name={say('Source')}>{url === undefined ? source : <a href={url}>{source}</a>}</Fact>
      <Fact name={say('Licence')} isMissing={license === undefined}>
        {license === undefined ? say('not stated') : <Licence text={license} />}
      </Fact>
      {date === undefined ? '' : <Fact name={say('As of')}>{date}</Fact>}
      {bad === undefined ? '' : <Fact name={say('Could not be read')}>{bad}</Fact>}
    </dl>
  );
}

/** Characters of a licence in the head. */
const MOST_OF_LICENCE = 60;

/** What a licence is called; what it says besides is below. None is cut within a word. */
function Licence({ text }: { text: string }) {
  if (text.length <= MOST_OF_LICENCE) return <>{text}</>;
  return <a href="#about">{text.split(/(?<!\s)\s*(?:[:;(]|[.,]\s)/)[0]}</a>;
}

type FactProps = {
  readonly name: string;
  readonly isMissing?: boolean;
  readonly children: Child;
};

function Fact({ name, isMissing = false, children }: FactProps) {
  return (
    <div class={isMissing ? 'missing' : undefined}>
      <dt>{name}</dt>
      <dd class={isMissing ? 'quiet' : undefined}>{children}</dd>
    </div>
  );
}

/** From the first to the last day: `6 Oct 2018 – 20 Oct 2018`. Says if some are yet to come. */
export function periodText({ first, last }: Period, today: string, language: Language): string {
  const [begins, ends] = [first, last].map((written) => dayInWords(written, language));
  const text = begins === ends ? `${begins}` : `${begins} – ${ends}`;
  return isAfter(last, today) ? `${text} ${language.say('(some after today)')}` : text;
}

/** Whether a date or a time, as its field writes it, is after a day. */
export function isAfter(written: string, today: string): boolean {
  return dayOfWritten(written) !== undefined && written.slice(0, today.length) > today;
}

/** A day of the calendar; months are counted from 1. */
type Day = { readonly day: number; readonly month: number; readonly year: number };

/** The day of a date or a time as it is written; undefined if that is none. */
export function dayOfWritten(written: string): Day | undefined {
  const begins = Date.parse(written.slice(0, dateText(0).length));
  if (Number.isNaN(begins)) return undefined;
  const date = new Date(begins);
  return {
    day: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    year: date.getUTCFullYear(),
  };
}

/** `6 Oct 2018` */
export function dateInWords({ day, month, year }: Day, language: Language): string {
  const name = language.month(month, 'short');
  return language.say('{day} {month} {year}', { day: `${day}`, month: name, year: `${year}` });
}

/** `2018-10-06T12:00` as `6 Oct 2018`. */
export function dayInWords(written: string, language: Language): string {
  const day = dayOfWritten(written);
  return day === undefined ? written : dateInWords(day, language);
}
