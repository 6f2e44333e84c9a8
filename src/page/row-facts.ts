import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import { COORDINATE, isMeasurable } from '../first/first-number.ts';
import { CODE_WORD, endsWith, type KnownField, knownFields } from '../first/known-fields.ts';
import type { Row } from '../values/field-type.ts';
import { type Field, isNumeric } from '../values/field-types.ts';
import { isPlaceText } from '../values/place-text.ts';
import { columnsOfRows } from './cells.ts';

type OfRow = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly profile?: DatasetProfile | undefined;
};

/** The numbers whose places among all rows mean something: no ids, years, codes or coordinates. */
export function rankedFields(
  block: DatasetBlock,
  manifest: Manifest,
  profile: DatasetProfile | undefined,
): Field[] {
  return knownFields(block, manifest, profile)
    .filter((known) => isMeasurable(known, block))
    .map(({ field }) => field);
}

/** Facts under one heading, and how its facts are arranged. */
export type FactGroup = {
  /** A theme of the publisher, or a heading of the page's own. */
  readonly title: string | { readonly message: Heading };
  readonly fields: readonly Field[];
};

type Heading = 'Facts' | 'Main facts' | 'Other facts' | 'Ids, codes and coordinates';

const MAIN = { message: 'Main facts' } as const;
const OTHER = { message: 'Other facts' } as const;

/** The facts of a row in the order in which people look for them. */
export type RowFacts = {
  readonly first: readonly FactGroup[];
  /** Those that are folded. */
  readonly more: readonly FactGroup[];
  /** The fields without a value, which are folded too. */
  readonly blank: readonly Field[];
};

/** Facts that are shown first. The others are folded. */
const MOST_FIRST = 24;

/**
 * Sorts a row's facts: first the key fields, then by what the row is reached, then the others by
 * theme, as the block's form has them, as many as are read at once. The rest is folded, with ids,
 * codes and coordinates at its end, and blank fields named behind it. That a phone number or a link
 * is missing is worth a line. If fields are asked for, these alone are shown, in that order.
 */
export function rowFacts(
  of: OfRow,
  values: Readonly<Record<string, unknown>>,
  row: Row,
  said: string | undefined,
): RowFacts {
  const { block, manifest, profile } = of;
  const isBlank = ({ name }: Field) => row[name] == null || String(row[name]).trim() === '';
  const asked = columnsOfRows({ block, values });
  const isContact = ({ type, name }: Field) =>
    CONTACTS.includes(type) && manifest.fields[name]?.distinct !== 0;
  const blank = asked.filter((field) => isBlank(field) && !isContact(field));
  const filled = asked.filter((field) => !blank.includes(field));
  if (values._fields !== undefined) {
    return { first: grouped([{ title: { message: 'Facts' }, fields: filled }]), more: [], blank };
  }
  const key = new Set(block.keyFields);
  const known = new Map(
    knownFields(block, manifest, profile).map((one) => [one.field.name, one] as const),
  );
  const facts = filled.filter(({ name }) => name !== said);
  const isLast = ({ name }: Field) =>
    isPlace(row[name]) || (!key.has(name) && isOfMachines(block, known.get(name)));
  const isMain = (field: Field) => key.has(field.name) || isContact(field);
  const shown = facts.filter((field) => !isLast(field));
  const mainFacts = shown
    .filter(isMain)
    .toSorted((a, b) => Number(key.has(b.name)) - Number(key.has(a.name)));
  const themed = themes([
    ...mainFacts.map((field) => ({ field, theme: MAIN })),
    ...shown
      .filter((field) => !isMain(field))
      .map((field) => ({ field, theme: field.theme ?? OTHER })),
  ]);
  const [first, more] = cutAt(themed, MOST_FIRST);
  const last: FactGroup = {
    title: { message: 'Ids, codes and coordinates' },
    fields: facts.filter(isLast),
  };
  return { first, more: grouped([...more, last]), blank };
}

/** Whether a value is a place as a text, which says little to people. */
export function isPlace(value: unknown): boolean {
  return typeof value === 'string' && isPlaceText(value);
}

/** Types by which the one behind a row is reached. */
const CONTACTS: readonly string[] = ['phone', 'link'];

/** Types that people use, whatever their fields are called. */
const OF_PEOPLE: readonly string[] = [...CONTACTS, 'date', 'datetime', 'boolean'];

/** Whether a field is an id, a code or a coordinate, which people seldom look for. */
function isOfMachines({ geometry }: DatasetBlock, known: KnownField | undefined): boolean {
  if (known === undefined || OF_PEOPLE.includes(known.field.type)) return false;
  const { name } = known.field;
  if (name === geometry?.longitude || name === geometry?.latitude) return true;
  if (endsWith(known, CODE_WORD)) return true;
  return isNumeric(known.field) && endsWith(known, COORDINATE);
}

/** The fields of each theme, in the order of the first of each. */
function themes(
  all: readonly { readonly field: Field; readonly theme: FactGroup['title'] }[],
): FactGroup[] {
  const byTheme = new Map<FactGroup['title'], Field[]>();
  for (const { field, theme } of all) {
    const those = byTheme.get(theme);
    if (those === undefined) byTheme.set(theme, [field]);
    else those.push(field);
  }
  return [...byTheme].map(([title, fields]) => ({ title, fields }));
}

/** The first `most` facts, and the others, each under its heading. */
function cutAt(groups: readonly FactGroup[], most: number): [FactGroup[], FactGroup[]] {
  const [first, more]: [FactGroup[], FactGroup[]] = [[], []];
  let left = most;
  for (const { title, fields } of groups) {
    first.push({ title, fields: fields.slice(0, left) });
    more.push({ title, fields: fields.slice(left) });
    left = Math.max(0, left - fields.length);
  }
  return [grouped(first), more];
}

function grouped(groups: readonly FactGroup[]): FactGroup[] {
  return groups.filter(({ fields }) => fields.length > 0);
}
