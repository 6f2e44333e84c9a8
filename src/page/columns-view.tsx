import { type DatasetBlock, fieldsInOrder } from '../block/block.ts';
import { DATA_PACKAGE } from '../block/describe-block.ts';
import type { DatasetProfile, FieldStatistics, ValueCount } from '../block/manifest.ts';
import { decimalsOf, numberText } from '../text/wording.ts';
import { ownMember } from '../values/field-type.ts';
import { type Field, isNumeric, keysOfDay, typeOf } from '../values/field-types.ts';
import { dayInWords } from './block-head.tsx';
import { type BlockView, changed, hrefOf, type PageState } from './block-view.ts';
import { shareText } from './column-summary.ts';
import { inTurns } from './in-turns.ts';
import { withoutGroups } from './rows-of-group.ts';
import { Bins, Parts } from './small-figures.tsx';
import { type CellContext, cellWriter } from './table-body.ts';
import { linkTo } from './view-links.ts';

type ColumnsProps = { readonly view: BlockView; readonly state: PageState };

/** How many columns a page shows. */
export function ColumnsStrip({ view, state }: ColumnsProps) {
  const { fields, noun, name } = view.block as DatasetBlock;
  const { manifest } = view;
  return (
    <div class="strip state">
      <h2 id="found" tabindex={-1}>
        {fields.length === 1 ? '1 column' : `${numberText(fields.length)} columns`}
      </h2>
      of {numberText(manifest?.rows ?? 0)} {noun}, the most useful first
      <nav aria-label="Columns for programs">
        <a href={linkTo(view, state, `api_v2/blocks/${name}/${DATA_PACKAGE}`)}>As a data package</a>
      </nav>
    </div>
  );
}

/** Each column of a dataset, as its import found it: what it is, how filled, and what it holds. */
export function ColumnsView({ view, state }: ColumnsProps) {
  const { manifest } = view;
  if (manifest === undefined) return null;
  const inOrder = fieldsInOrder(view.block as DatasetBlock);
  const isEmpty = ({ name }: Field) => (manifest.fields[name]?.distinct ?? 0) === 0;
  const shown = [...inOrder.filter((one) => !isEmpty(one)), ...inOrder.filter(isEmpty)];
  return (
    <section class="scroll" aria-label="Columns" tabindex={0}>
      <table class="about-columns">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Type</th>
            <th scope="col" class="n">
              Filled
            </th>
            <th scope="col" class="n">
              Different
            </th>
            <th scope="col">Values</th>
          </tr>
        </thead>
        <tbody>
          {inTurns(shown, view.turn, (field) => (
            <Column
              view={view}
              field={field}
              known={manifest.fields[field.name]}
              href={hrefOf(
                changed(withoutGroups(state), {
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
  readonly view: BlockView;
  readonly field: Field;
  readonly known: FieldStatistics | undefined;
  /** The rows in the order of the column. */
  readonly href: string;
};

function Column({ view, field, known, href }: ColumnProps) {
  const { name, title, description } = field;
  const rows = view.manifest?.rows ?? 0;
  const { nulls = 0, distinct = 0 } = known ?? {};
  return (
    <tr>
      <th scope="row">
        <a href={href} dir="auto">
          {title}
        </a>
        <small>
          {description === undefined ? '' : <bdi>{description} · </bdi>}
          <code>{name}</code>
        </small>
      </th>
      <td>{kindOf(view, field)}</td>
      <td class="n">
        {shareText(rows - nulls, rows)}
        <span class="narrow"> filled</span>
      </td>
      <td class="n">
        {numberText(distinct)}
        <span class="narrow"> different</span>
      </td>
      <td>
        {distinct === 0 ? (
          <small>no value in any row</small>
        ) : (
          <Values field={field} known={known} profile={view.profile} rows={rows} />
        )}
      </td>
    </tr>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  boolean: 'yes or no',
  integer: 'whole number',
  datetime: 'date and time',
  link: 'web address',
  phone: 'phone number',
};

function kindOf({ block }: BlockView, { name, type, unit, timeZone }: Field): string {
  const { primaryKey = [] } = block as DatasetBlock;
  const kind = [KINDS[type] ?? type, unit, timeZone, primaryKey.includes(name) ? 'key' : undefined];
  return kind.filter((one) => one !== undefined).join(', ');
}

type ValuesProps = {
  readonly field: Field;
  readonly known: FieldStatistics | undefined;
  readonly profile: DatasetProfile | undefined;
  readonly rows: number;
};

/** A small figure of a column's values, and the least, the middle and the greatest, or the commonest. */
function Values({ field, known, profile, rows }: ValuesProps) {
  const { name } = field;
  const { nulls = 0, distinct = 0, min, max } = known ?? {};
  const bins = ownMember(profile?.histograms, name);
  const counts = ownMember(profile?.commonest, name) ?? [];
  if (min !== undefined && max !== undefined && typeOf(field).control === 'range') {
    const decimals = ownMember(profile?.decimals, name);
    const context = { min, max, ...(decimals === undefined ? {} : { decimals }) };
    const [least, greatest] = [min, max].map((key) => endText(field, key, context));
    const median = ownMember(profile?.medians, name);
    // Halfway between two values, it has a decimal more than they have.
    const ofMedian = { ...context, decimals: Math.max(decimals ?? 0, decimalsOf(median ?? 0)) };
    return (
      <>
        {bins === undefined ? '' : <Bins counts={bins} />}
        <small>
          {keysOfDay(field) === undefined ? (
            <>
              <b>{least}</b> least,{' '}
              {median === undefined ? (
                ''
              ) : (
                <>
                  <b>{endText(field, median, ofMedian)}</b> median,{' '}
                </>
              )}
              <b>{greatest}</b> greatest
            </>
          ) : (
            <>
              <b>{least}</b> to <b>{greatest}</b>
            </>
          )}
        </small>
      </>
    );
  }
  const filled = rows - nulls;
  const [, most = 0] = counts[0] ?? [];
  if (distinct === filled) return <small>all different</small>;
  if (counts.length === 0) return <small>{`${numberText(distinct)} values`}</small>;
  const isSpread = most < rows / LEAST_COMMON && distinct > MOST_NAMED;
  return (
    <>
      {isSpread ? (
        ''
      ) : (
        <Parts counts={counts.map(([, count]) => count)} rows={rows} nulls={nulls} />
      )}
      <Named counts={counts} distinct={distinct} />
    </>
  );
}

/** Values that are named. */
const MOST_NAMED = 3;

/** If fewer than one row in so many has the commonest value, a bar of them shows nothing. */
const LEAST_COMMON = 50;

function Named({ counts, distinct }: { counts: readonly ValueCount[]; distinct: number }) {
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
          {numberText(count)}
        </>
      ))}
      {more > 0 ? `, ${numberText(more)} more` : ''}
    </small>
  );
}

/** A key as people read it. */
function endText(field: Field, key: number, context: CellContext): string {
  const value = typeOf(field).valueOf(key, field);
  if (keysOfDay(field) !== undefined) return dayInWords(String(value));
  if (typeof value !== 'number') return String(value);
  return cellWriter(field, [value], context)(value).replace(/<[^>]+>/g, '');
}
