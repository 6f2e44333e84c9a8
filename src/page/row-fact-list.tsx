import type { Bins } from '../block/manifest.ts';
import type { Language } from '../languages/language.ts';
import { placeAmong } from '../query/bin-of.ts';
import { ownMember, type Row, type Value } from '../values/field-type.ts';
import { FIELD_TYPES, type Field, isNumeric } from '../values/field-types.ts';
import { isUnitInTitle } from '../values/number.ts';
import { columnWriter, NO_VALUE } from './cells.ts';
import { inTurns } from './in-turns.ts';
import { trusted } from './page-shell.tsx';
import type { FactGroup, RowFacts } from './row-facts.ts';
import type { NumberPlace, RowView } from './row-view.ts';

type FactsProps = {
  readonly view: RowView;
  readonly row: Row;
  readonly name: string;
  readonly facts: RowFacts;
  readonly numbers: Readonly<Record<string, NumberPlace>>;
  /** Whether some number has no place, since the block is too large to compare all. */
  readonly isCut: boolean;
};

/** What is known of a row: what matters first, what is seldom looked for folded behind it. */
export function FactList({ view, row, name, facts, numbers, isCut }: FactsProps) {
  const { first, more, blank } = facts;
  const folded = more.reduce((sum, { fields }) => sum + fields.length, blank.length);
  const look = view.manifest.rows < MANY ? 'ranks' : 'ranks of-many';
  const group = ({ title, fields }: FactGroup, isFolded: boolean) => {
    const unit = unitOfAll(fields);
    return (
      <section>
        <h2 class="block" dir="auto">
          {headingOf(title, view.language)}
          {unit === undefined ? '' : <small> {unit}</small>}
        </h2>
        <dl class={look}>
          {inTurns(fields, view.turn, (field) => (
            <Fact
              view={view}
              row={row}
              field={field}
              isFolded={isFolded}
              number={numbers[field.name]}
              hasUnit={unit === undefined && unitOf(field) !== undefined}
            />
          ))}
        </dl>
      </section>
    );
  };
  return (
    <>
      {first.map((one) => group(one, false))}
      <Caption view={view} name={name} facts={facts} numbers={numbers} isCut={isCut} />
      {folded !== 0 && (
        <details class="more-facts">
          <summary>{foldedText(folded, blank.length, view.language)}</summary>
          {more.map((one) => group(one, true))}
          {blank.length !== 0 && (
            <p class="quiet">
              {view.language.say('No value:')}{' '}
              {blank.map(({ title }, i) => (
                <>
                  {i === 0 ? '' : ', '}
                  <bdi>{title}</bdi>
                </>
              ))}
              .
            </p>
          )}
        </details>
      )}
    </>
  );
}

/** Of so many rows, the words for a place are longer. */
const MANY = 1000;

/** The unit of a number, unless its title says it. */
function unitOf(field: Field): string | undefined {
  const { unit, title } = field;
  const isSaid = !isNumeric(field) || unit === undefined || isUnitInTitle(unit, title);
  return isSaid ? undefined : unit;
}

/** The unit of all numbers of a group, which its heading then says once. */
function unitOfAll(fields: readonly Field[]): string | undefined {
  const [first, ...others] = fields.filter((field) => isNumeric(field));
  const unit = first && unitOf(first);
  return others.length > 0 && others.every((field) => unitOf(field) === unit) ? unit : undefined;
}

/** `18 more facts, 1 of them blank` */
function foldedText(folded: number, blank: number, { say }: Language): string {
  const facts = folded === 1 ? say('1 more fact') : say('{count} more facts', { count: folded });
  if (blank === 0) return facts;
  if (blank === folded) return `${facts}, ${folded === 1 ? say('blank') : say('all blank')}`;
  return `${facts}, ${say('{count} of them blank', { count: blank })}`;
}

/** A publisher's theme as it is, or a heading of the page's own. */
function headingOf(title: FactGroup['title'], { say }: Language): string {
  return typeof title === 'string' ? title : say(title.message);
}

type FactProps = {
  readonly view: RowView;
  readonly row: Row;
  readonly field: Field;
  readonly number: NumberPlace | undefined;
  readonly isFolded: boolean;
  /** Whether its unit is said beside its title. */
  readonly hasUnit: boolean;
};

/** A longer text has the whole width. */
const MOST_BESIDE = 60;

/** A fact: its title, its value, and a number's place among all. */
function Fact({ view, row, field, number, isFolded, hasUnit }: FactProps) {
  const { title, unit } = field;
  const value = row[field.name] ?? null;
  const name = (
    <dt>
      <bdi>{title}</bdi>
      {hasUnit ? <small> {unit}</small> : ''}
    </dt>
  );
  if (number !== undefined) {
    const text = trusted(columnWriter(field, view, [row]).write(value));
    return (
      <div>
        {name}
        <dd>
          <b>{text}</b>
          {!isFolded && <Strip view={view} field={field} number={number} value={value as number} />}
          <small>{placeText(number, view.language)}</small>
        </dd>
      </div>
    );
  }
  const isBlank = value === null || String(value).trim() === '';
  const isLong = typeof value === 'string' && value.length > MOST_BESIDE;
  return (
    <div class={isLong ? 'said long' : 'said'}>
      {name}
      <dd dir="auto">
        {isBlank ? trusted(NO_VALUE) : <Said view={view} row={row} field={field} value={value} />}
      </dd>
    </div>
  );
}

/** `17th of 56` */
function placeText({ rank, of }: NumberPlace, { say, ordinal }: Language): string {
  return say('{nth} of {count}', { nth: ordinal(rank), count: of });
}

/** An address for mail, as people write it. */
const MAIL = /^[^\s@<>"',;:]{1,64}@[^\s@<>"',;:/]{1,190}\.[a-z]{2,24}$/i;

/** A phone number of so many digits (E.164), which has nothing behind it, such as an extension. */
const PHONE = /^\+?[\d\s().\-/]+$/;
const DIGITS_OF_PHONE = { least: 7, most: 15 } as const;

/** A value that is no number, with a link to what it leads to. */
function Said({
  view,
  row,
  field,
  value,
}: Pick<FactProps, 'view' | 'row' | 'field'> & { value: Value }) {
  if (typeof value !== 'string' || !['text', 'link', 'phone'].includes(field.type)) {
    return trusted(columnWriter(field, view, [row]).write(value));
  }
  const href = hrefOfValue(field, value);
  // The whole text, which a table cuts.
  return <>{href === undefined ? value : <a href={href}>{value}</a>}</>;
}

function hrefOfValue({ type }: Field, value: string): string | undefined {
  if (type === 'phone') {
    const digits = value.replace(/\D/g, '');
    const isWhole = digits.length >= DIGITS_OF_PHONE.least && digits.length <= DIGITS_OF_PHONE.most;
    if (!PHONE.test(value) || !isWhole) return undefined;
    return `tel:${value.trim().startsWith('+') ? '+' : ''}${digits}`;
  }
  if (MAIL.test(value)) return `mailto:${encodeURIComponent(value).replace('%40', '@')}`;
  return FIELD_TYPES.link.hrefOf?.(value);
}

/** Units of a strip from side to side, and of the mark on it. */
const WIDTH = 500;
const HEIGHT = 16;
const MARK = 14;

type StripProps = {
  readonly view: RowView;
  readonly field: Field;
  readonly number: NumberPlace;
  readonly value: number;
};

/** Where a number is among all: a stroke for each row or, of many rows, a histogram. */
function Strip({ view, field: { name }, number: { values }, value }: StripProps) {
  const bins = ownMember(view.profile?.bins, name);
  const drawn =
    values !== undefined
      ? strokesOf(values, value, bins ?? { edges: values })
      : bins && columnsOf(bins, value);
  if (drawn === undefined) return null;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class={values === undefined ? 'bins' : undefined} d={drawn.path} />
      <rect class="mark" x={drawn.at - MARK / 2} width={MARK} height={HEIGHT} />
    </svg>
  );
}

/** A path, and where the own number is on it. */
type NumberStrip = { readonly path: string; readonly at: number };

/**
 * A stroke for each number, on the scale of the bins: each is told by how far it is from the one
 * before.
 */
function strokesOf(
  values: readonly number[],
  value: number,
  { edges, isLog }: Pick<Bins, 'edges' | 'isLog'>,
): NumberStrip | undefined {
  if (values[0] === values.at(-1)) return undefined;
  const [least = 0, most = least] = [edges[0], edges.at(-1)];
  const shareOf = (one: number) =>
    isLog ? placeAmong(edges, one) / (edges.length - 1) : (one - least) / (most - least);
  const placeOf = (one: number) => Math.round(shareOf(one) * WIDTH);
  const [top, length] = [HEIGHT / 4, HEIGHT / 2];
  const places = values.map(placeOf);
  const strokes = places.map((x, i) =>
    i === 0 ? `M${x} ${top}v${length}` : `m${x - (places[i - 1] as number)}-${length}v${length}`,
  );
  return { path: strokes.join(''), at: placeOf(value) };
}

/** Columns as high as they have rows, equally wide whatever they are of. One with few stays visible. */
function columnsOf({ edges, counts }: Bins, value: number): NumberStrip {
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  const wide = WIDTH / Math.max(1, counts.length);
  const columns = counts.map((count, i) => {
    if (count === 0) return '';
    const height = Math.max(1, Math.round((HEIGHT * count) / most));
    return `M${Math.round(i * wide)} ${HEIGHT}v-${height}h${Math.max(1, Math.floor(wide) - 2)}v${height}z`;
  });
  return { path: columns.join(''), at: Math.round(placeAmong(edges, value) * wide) };
}

/** What the places and the strips mean. */
function Caption({ view, name, facts, numbers, isCut }: Omit<FactsProps, 'row'>) {
  const { noun } = view.block;
  const { language } = view;
  const placed = facts.first.flatMap(({ fields }) =>
    fields.flatMap((one) => numbers[one.name] ?? []),
  );
  const [one] = placed;
  if (one === undefined) return null;
  const logScales = facts.first
    .flatMap(({ fields }) => fields)
    .filter(({ name }) => numbers[name] && ownMember(view.profile?.bins, name)?.isLog)
    .map(({ title }) => title);
  const said = { count: language.number(view.manifest.rows), noun, name: <bdi>{name}</bdi> };
  const all = { count: view.manifest.rows, noun };
  return (
    <p class="cap">
      {/* A phone has no room for the strips. */}
      <span class="wide">
        {one.values === undefined
          ? language.parts(
              'Each strip shows how many of the {count} {noun} have which value, least on the left; the orange one is {name}.',
              said,
            )
          : language.parts(
              'Each strip has one stroke for each of the {count} {noun} that has the number, least on the left; the orange one is {name}.',
              said,
            )}{' '}
        {logScales.length === 0
          ? ''
          : `${language.say('Log scale: {fields}.', { fields: logScales.join(', ') })} `}
      </span>
      {language.say('The 1st has the greatest number, and equal ones share the better place.')}
      {isCut
        ? ` ${language.say('Of {count} {noun}, only the first numbers are compared.', all)}`
        : ''}
    </p>
  );
}
