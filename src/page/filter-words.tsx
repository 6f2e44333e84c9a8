import type { Grouping } from '../block/grouping.ts';
import type { Language } from '../languages/language.ts';
import {
  answerInWords,
  countInWords,
  orderInWords,
  outOfAll,
  type Reason,
} from '../query/answer-in-words.ts';
import {
  describeFilters,
  describeHaving,
  type FilterText,
  textOfFilter,
} from '../query/filters-in-words.ts';
import type { FilterHelp } from '../query/why-empty.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import { changed, hrefOf, type PageState, valuesOf, without } from './links.ts';
import type { DatasetPage } from './page.ts';

/** An answer of rows or groups. */
type Answer = {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly next: string | null;
  readonly help?: readonly FilterHelp[];
};

/** The answer in words; a page shows its own table, with links, and its form has the facets. */
export function inWords(page: DatasetPage, { rows, total, next, help }: Answer) {
  const { block, manifest, language } = page;
  const { noun, keyFields, parameters } = block;
  const filters = describeFilters(block, page.values, language);
  const question = {
    noun,
    keyFields,
    parameters,
    filters,
    language,
    rows: manifest.rows,
    given: page.values,
    writeFilter: (names: readonly string[]) => textOfFilter(filters, names),
  };
  return answerInWords(question, { results: rows, total, next, help });
}

/** The filter as a sentence; each part has a link that drops it. */
export function Where(props: {
  readonly filters: readonly FilterText[];
  readonly page: DatasetPage;
}) {
  const { filters, page } = props;
  const { language, links } = page;
  return (
    <>
      {filters.map(({ parameters, text }, i) => (
        <>
          {` ${language.say(i === 0 ? 'where' : 'and')} `}
          <Chip text={text} href={hrefOf(without(links.state, parameters))} language={language} />
        </>
      ))}
    </>
  );
}

/**
 * The order that was asked for, whose column may lie beyond the table's edge. Without it, the rows
 * are in the order of `by`.
 */
export function Order(props: {
  readonly fields: readonly Field[];
  readonly page: DatasetPage;
  readonly by?: string;
}) {
  const { fields, page, by } = props;
  const sort = page.values._sort as readonly string[] | undefined;
  const { language } = page;
  const text = orderInWords(fields, sort, language);
  if (text === undefined) return null;
  const instead = by === undefined || by === sort?.join() ? null : by;
  return (
    <>
      {` ${language.say('sorted by')} `}
      <Chip
        text={text}
        href={hrefOf(changed(page.links.state, { _sort: instead, _cursor: null }))}
        language={language}
      />
    </>
  );
}

/** A part of what is asked for, with a link to the page without it. */
export function Chip(props: { text: string; href: string; language: Language }) {
  const { text, href, language } = props;
  const { say } = language;
  return (
    <span class="filter">
      <span>{text}</span>
      <a href={href} aria-label={say('Drop: {filter}', { filter: text })} title={say('Drop this')}>
        {'\u00a0×'}
      </a>
    </span>
  );
}

/** A text filter's values with a star on both sides. */
function containingOf(state: PageState, name: string) {
  return { [name]: valuesOf(state, name).map((value) => `*${value.trim()}*`), _cursor: null };
}

/** A text filter's values as another parameter's. */
function movedTo(state: PageState, name: string, parameter: string) {
  return { [name]: null, [parameter]: valuesOf(state, name), _cursor: null };
}

/** Why no row matches: how many rows each filter matches by itself, and likely corrections. */
export function Reasons(props: {
  readonly reasons: readonly Reason[];
  readonly page: DatasetPage;
}) {
  const { reasons, page } = props;
  const { language, manifest } = page;
  const { noun } = page.block;
  const { state } = page.links;
  const { say } = language;
  return (
    <ul class="help">
      {reasons.map(({ help, filter }) => {
        const { parameters, alone, empties, containing, nearest, elsewhere = [] } = help;
        const [name = ''] = parameters;
        return (
          <li>
            {alone === null
              ? say('{filter}: not counted by itself.', { filter })
              : say('{filter}: {rows} by itself.', {
                  filter,
                  rows: outOfAll(alone, noun, manifest.rows, language),
                })}{' '}
            {empties === true && alone !== 0
              ? `${say('No row matches it and the others too.')} `
              : ''}
            {containing !== null && containing !== 0 && (
              <>
                <a class="button" href={hrefOf(changed(state, containingOf(state, name)))}>
                  {say('Containing it: {rows}', {
                    rows: countInWords(containing, noun, language),
                  })}
                </a>{' '}
              </>
            )}
            {elsewhere.map(({ parameter, rows }) => (
              <>
                <a class="button" href={hrefOf(changed(state, movedTo(state, name, parameter)))}>
                  {say('In {field}: {rows}', {
                    field: titleOfParameter(page, parameter),
                    rows: countInWords(rows, noun, language),
                  })}
                </a>{' '}
              </>
            ))}
            {nearest.map((value) => (
              <>
                <a
                  class="button"
                  href={hrefOf(
                    changed(state, { [name]: value.replaceAll('*', '\\*'), _cursor: null }),
                  )}
                >
                  {value}
                </a>{' '}
              </>
            ))}
            {help.without !== 0 && (
              <a class="button" href={hrefOf(without(state, parameters))}>
                {help.without === null
                  ? say('Drop it')
                  : say('Drop it: {rows}', { rows: countInWords(help.without, noun, language) })}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The title of the field that a parameter filters by. */
function titleOfParameter({ block }: DatasetPage, name: string): string {
  return block.parameters.find((one) => one.name === name)?.title ?? name;
}

/** The filters on groups in words, behind the first ones; each has a link that drops it. */
export function Having(props: {
  readonly grouping: Grouping;
  readonly page: DatasetPage;
  /** What is written before them. */
  readonly after?: string;
}) {
  const { grouping, page, after = '' } = props;
  const { language } = page;
  const { state } = page.links;
  const first = `${after} ${language.say('only groups whose')} `;
  return (
    <>
      {describeHaving(grouping, page.values, language).map(({ parameters, text }, i) => (
        <>
          {i === 0 ? first : ` ${language.say('and')} `}
          <Chip text={text} href={hrefOf(without(state, parameters))} language={language} />
        </>
      ))}
    </>
  );
}
