import { fieldsInOrder } from '../block/block.ts';
import { DATA_PACKAGE } from '../block/describe-block.ts';
import type { DatasetProfile, FieldStatistics, ValueCount } from '../block/manifest.ts';
import { XY_NAMES } from '../block/two-numbers.ts';
import type { Message } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import { isAfter, ofData, wordsOfBlock } from '../page/block-head.tsx';
import { inTurns } from '../page/in-turns.ts';
import { keyText, shareText } from '../page/key-text.ts';
import { changed, hrefOf, keptOf, linkTo } from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import { HEIGHT_OF_TABLE } from '../page/share-menus.tsx';
import { Histogram, Parts } from '../page/small-figures.tsx';
import { decimalsOf } from '../text/wording.ts';
import { ownMember } from '../values/field-type.ts';
import { type Field, isNumeric, keysOfDay, typeOf } from '../values/field-types.ts';
import { withoutGroups } from './rows-of-group.ts';
import type { ViewKind } from './view.ts';

/** The columns of the dataset, of which the import told all. */
export const columns: ViewKind = {
  name: 'columns',
  title: 'Columns',
  skip: 'To columns',
  badge: 'columns',
  ask: (_, { values, grouping }) => ({
    ...{ view: columns, name: 'columns', values, grouping, added: {} },
  }),
  read: async (_, { warnings }) => ({ warnings }),
  words: (_, page) => wordsOfBlock(page),
  strip: (_, page: DatasetPage) => <ColumnsStrip page={page} />,
  show: (_, page: DatasetPage) => <ColumnsView page={page} />,
  files: (_, page: DatasetPage) => ({
    files: { state: keptOf(page.links.state), total: page.manifest.rows, isOfGroups: false },
    frame: { view: 'table', height: HEIGHT_OF_TABLE },
  }),
  tab: { drops: XY_NAMES, question: 'sent' },
};

type ColumnsProps = { readonly page: DatasetPage };

/** How many columns a page shows. */
function ColumnsStrip({ page }: ColumnsProps) {
  const { fields, noun, name } = page.block;
  const { manifest, links } = page;
  const { say } = page.language;
  const { length } = fields;
  return (
    <div class="strip state">
      <h2 id="found" tabindex={-1}>
        {length === 1 ? say('1 column') : say('{count} columns', { count: length })}
      </h2>
      {say('of {count} {noun}, the most useful first', { count: manifest.rows, noun })}
      <nav aria-label={say('Columns for programs')}>
        <a href={linkTo(links, `api_v2/blocks/${name}/${DATA_PACKAGE}`)}>
          {say('As a data package')}
        </a>
      </nav>
    </div>
  );
}

/** Each column of a dataset, as its import found it: what it is, how filled, and what it holds. */
function ColumnsView({ page }: ColumnsProps) {
  const { manifest } = page;
  const { say } = page.language;
  const inOrder = fieldsInOrder(page.block);
  const isEmpty = ({ name }: Field) => (manifest.fields[name]?.distinct ?? 0) === 0;
  const shown = [...inOrder.filter((one) => !isEmpty(one)), ...inOrder.filter(isEmpty)];
  return (
    <section class="scroll" aria-label={say('Columns')} tabindex={0}>
      <table class="about-columns">
        <thead>
          <tr>
            <th scope="col">{say('Column')}</th>
            <th scope="col">{say('Type')}</th>
            <th scope="col" class="n">
              {say('Filled')}
            </th>
            <th scope="col" class="n">
              {say('Different')}
            </th>
            <th scope="col">{say('Values')}</th>
          </tr>
        </thead>
        <tbody>
          {inTurns(shown, page.turn, (field) => (
            <Column
              page={page}
              field={field}
              known={manifest.fields[field.name]}
              href={hrefOf(
                changed(withoutGroups(page.links.state), {
                  _sort: isNumeric(field) ? `-${field.name}` : field.name,
                }),
              )}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type ColumnProps = {
  readonly page: DatasetPage;
  readonly field: Field;
  readonly known: FieldStatistics | undefined;
  /** The rows in the order of the column. */
  readonly href: string;
};

function Column({ page, field, known, href }: ColumnProps) {
  const { name, title, description } = field;
  const rows = page.manifest.rows;
  const { nulls = 0, distinct = 0 } = known ?? {};
  const { say, number } = page.language;
  return (
    <tr>
      <th scope="row">
        <a href={href} {...ofData(page)}>
          {title}
        </a>
        <small>
          {description === undefined ? '' : <bdi>{description} · </bdi>}
          <code>{name}</code>
        </small>
      </th>
      <td>{kindOf(page, field)}</td>
      <td class="n">
        {shareText(rows - nulls, rows)}
        <span class="narrow"> {say('filled')}</span>
      </td>
      <td class="n">
        {number(distinct)}
        <span class="narrow"> {say('different')}</span>
      </td>
      <td>
        {distinct === 0 ? (
          <small>{say('no value in any row')}</small>
        ) : (
          <Values {...{ field, known, rows }} profile={page.profile} language={page.language} />
        )}
        <AfterToday page={page} field={field} known={known} />
      </td>
    </tr>
  );
}

/** Says that some dates are yet to come, which may be errors, and leads to their rows. */
function AfterToday(props: Pick<ColumnProps, 'page' | 'field' | 'known'>) {
  const { page, field, known } = props;
  const { max } = known ?? {};
  if (keysOfDay(field) === undefined || max === undefined) return null;
  if (!isAfter(String(typeOf(field).valueOf(max, field)), page.today)) return null;
  const rows = { _view: 'table', _sort: `-${field.name}`, [`${field.name}_min`]: page.today };
  return (
    <small class="error">
      <a href={hrefOf(changed(withoutGroups(page.links.state), rows))}>
        {page.language.say('Some are after today.')}
      </a>
    </small>
  );
}

const KINDS = {
  boolean: 'yes or no',
  date: 'date',
  datetime: 'date and time',
  integer: 'whole number',
  link: 'web address',
  number: 'number',
  phone: 'phone number',
  text: 'text',
} as const satisfies Readonly<Record<Field['type'], Message>>;

function kindOf({ block, language }: DatasetPage, { name, type, unit, timeZone }: Field): string {
  const { primaryKey = [] } = block;
  const { say } = language;
  const key = primaryKey.includes(name) ? say('key') : undefined;
  const kind = [say(KINDS[type]), unit, timeZone, key];
  return kind.filter((one) => one !== undefined).join(', ');
}

type ValuesProps = {
  readonly field: Field;
  readonly known: FieldStatistics | undefined;
  readonly profile: DatasetProfile | undefined;
  readonly rows: number;
  readonly language: Language;
};

/** A small figure of a column's values, and the least, the middle and the greatest, or the commonest. */
function Values({ field, known, profile, rows, language }: ValuesProps) {
  const { say, parts } = language;
  const { name } = field;
  const { nulls = 0, distinct = 0, min, max } = known ?? {};
  const bins = ownMember(profile?.bins, name);
  const counts = ownMember(profile?.commonest, name) ?? [];
  if (min !== undefined && max !== undefined && typeOf(field).control === 'range') {
    const decimals = ownMember(profile?.decimals, name);
    const context = { min, max, ...(decimals === undefined ? {} : { decimals }) };
    const [least, greatest] = [min, max].map((key) => (
      <b>{keyText(field, key, context, language)}</b>
    ));
    const median = ownMember(profile?.medians, name);
    // Halfway between two values, it has a decimal more than they have.
    const ofMedian = { ...context, decimals: Math.max(decimals ?? 0, decimalsOf(median ?? 0)) };
    return (
      <>
        {bins === undefined ? '' : <Histogram bins={bins} />}
        <small>
          {keysOfDay(field) !== undefined
            ? parts('{from} to {to}', { from: least, to: greatest })
            : median === undefined
              ? parts('{least} least, {greatest} greatest', { least, greatest })
              : parts('{least} least, {median} median, {greatest} greatest', {
                  least,
                  median: <b>{keyText(field, median, ofMedian, language)}</b>,
                  greatest,
                })}
          {bins?.isLog ? `, ${say('log scale')}` : ''}
        </small>
      </>
    );
  }
  const filled = rows - nulls;
  const [, most = 0] = counts[0] ?? [];
  if (distinct === filled) return <small>{say('all different')}</small>;
  if (counts.length === 0) return <small>{say('{count} values', { count: distinct })}</small>;
  const isSpread = most < rows / LEAST_COMMON && distinct > MOST_NAMED;
  return (
    <>
      {!isSpread && <Parts counts={counts.map(([, count]) => count)} rows={rows} nulls={nulls} />}
      <Named {...{ counts, distinct, language }} />
    </>
  );
}

/** Values that are named. */
const MOST_NAMED = 3;

/** If fewer than one row in so many has the commonest value, a bar of them shows nothing. */
const LEAST_COMMON = 50;

function Named(props: { counts: readonly ValueCount[]; distinct: number; language: Language }) {
  const { counts, distinct, language } = props;
  const named = counts.slice(0, MOST_NAMED);
  const more = distinct - named.length;
  return (
    <small>
      {named.map(([value, count], i) => (
        <>
          {i === 0 ? '' : ', '}
          <b>
            <bdi>{value}</bdi>
          </b>{' '}
          {language.number(count)}
        </>
      ))}
      {more > 0 ? `, ${language.say('{count} more', { count: more })}` : ''}
    </small>
  );
}
