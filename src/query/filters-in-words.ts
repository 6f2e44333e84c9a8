import type { Members } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import { type Grouping, groupColumns, HAVING, havingFilters, havingIn } from '../block/grouping.ts';
import {
  alternativesIn,
  BBOX,
  EMPTY,
  FILLED,
  givenFilters,
  NEAR,
  type Operator,
  operatorName,
  Q,
  WITHIN,
} from '../block/parameter.ts';
import { ENGLISH } from '../languages/english.ts';
import type { Language } from '../languages/language.ts';
import { LONG_LIST } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';

export function inCurlyQuotes(value: string): string {
  return `“${value}”`;
}

/** A filter in words, and the parameters that it comes from. */
export type FilterText = {
  readonly parameters: readonly string[];
  readonly text: string;
  /** If the filter consists of alternatives, each filter in them. */
  readonly within?: readonly FilterText[];
};

/**
 * The words for the filter that these parameters make. If there is no such filter, the parameters'
 * names.
 */
export function textOfFilter(
  filters: readonly FilterText[],
  parameters: readonly string[],
): string {
  const names = parameters.join(', ');
  const all = filters.flatMap((filter) => [filter, ...(filter.within ?? [])]);
  return all.find((filter) => filter.parameters.join(', ') === names)?.text ?? names;
}

/** Describes valid arguments in words: `Street address contains “court st”`. */
export function describeFilters(
  block: Pick<DatasetBlock, 'fields' | 'filters'>,
  values: Readonly<Record<string, unknown>>,
  language: Language = ENGLISH,
): FilterText[] {
  const { say } = language;
  const texts: FilterText[] = [];
  for (const { field, parameter } of givenFilters(block, values)) {
    const { name, op = 'is' } = parameter;
    const last = texts.at(-1);
    if (op === 'max' && last?.parameters[0] === operatorName(field.name, 'min')) {
      const parameters = [...last.parameters, name];
      const text = rangeText(field, values, parameters as [string, string], language);
      texts.splice(-1, 1, { parameters, text });
    } else {
      texts.push({ parameters: [name], text: comparisonText(field, op, values[name], language) });
    }
  }
  return [
    ...texts,
    ...alternativesFilter(block, values, language),
    ...presenceFilter(block, values, EMPTY, language),
    ...presenceFilter(block, values, FILLED, language),
    ...wordsFilter(values[Q] as string | undefined, say),
    ...boxFilter(values[BBOX] as string | undefined, say),
    ...placeFilters(values, say),
  ];
}

type Say = Language['say'];

/** Both ends of a range, with the unit once, after both numbers. */
function rangeText(
  field: Field,
  values: Readonly<Record<string, unknown>>,
  [least, most]: readonly [string, string],
  language: Language,
): string {
  const { title, unit: _, ...bare } = field;
  const [low, high] = [least, most].map((one) => shownValue(field, values[one], language));
  if (low === high) return language.say('{field} is {value}', { field: title, value: `${low}` });
  const from = shownValue({ ...bare, title }, values[least], language);
  return language.say('{field} is from {from} to {to}', { field: title, from, to: `${high}` });
}

/** Fields that have a value, or none. */
function presenceFilter(
  { fields }: Pick<DatasetBlock, 'fields'>,
  values: Readonly<Record<string, unknown>>,
  option: typeof EMPTY | typeof FILLED,
  { say }: Language,
): FilterText[] {
  const names = [...new Set((values[option] ?? []) as readonly string[])];
  if (names.length === 0) return [];
  const field = names
    .map((name) => fields.find((one) => one.name === name)?.title ?? name)
    .join(` ${say('and')} `);
  const isOne = names.length === 1;
  const text =
    option === EMPTY
      ? say(isOne ? '{field} has no value' : '{field} have no value', { field })
      : say(isOne ? '{field} has a value' : '{field} have a value', { field });
  return [{ parameters: [option], text }];
}

function alternativesFilter(
  block: Pick<DatasetBlock, 'fields' | 'filters'>,
  values: Readonly<Record<string, unknown>>,
  language: Language,
): FilterText[] {
  const all = alternativesIn(values).map(({ prefix, values }) =>
    describeFilters(block, values, language).map(({ parameters, text }) => ({
      parameters: parameters.map((name) => prefix + name),
      text,
    })),
  );
  if (all.length === 0) return [];
  const [and, or] = [language.say('and'), language.say('or')];
  const text = all.map((texts) => texts.map((one) => one.text).join(` ${and} `)).join(`, ${or} `);
  const within = all.flat();
  return [{ parameters: within.flatMap(({ parameters }) => parameters), text, within }];
}

/** A place as people write it, north first: `40.6775° N, 74° W`. */
function placeInWords(longitude: string, latitude: string, say: Say): string {
  const degrees = (text: string) => text.trim().replace(/^[+-]/, '');
  const isLess = (text: string) => text.trim().startsWith('-');
  return [
    say(isLess(latitude) ? '{degrees}° S' : '{degrees}° N', { degrees: degrees(latitude) }),
    say(isLess(longitude) ? '{degrees}° W' : '{degrees}° E', { degrees: degrees(longitude) }),
  ].join(', ');
}

/** A distance with a space before its unit: `500 m`. */
function distanceInWords(distance: string): string {
  return distance.trim().replace(/(?<=\d)(?=[a-z])/i, ' ');
}

function placeFilters(
  { [NEAR]: near, [WITHIN]: within }: Readonly<Record<string, unknown>>,
  say: Say,
): FilterText[] {
  if (near === undefined) return [];
  const [longitude = '', latitude = ''] = `${near}`.split(',');
  const place = placeInWords(longitude, latitude, say);
  return within === undefined
    ? [
        {
          parameters: [NEAR],
          text: say('place is known, nearest to {place} first', { place }),
        },
      ]
    : [
        {
          parameters: [NEAR, WITHIN],
          text: say('place is within {distance} of {place}', {
            distance: distanceInWords(`${within}`),
            place,
          }),
        },
      ];
}

function wordsFilter(words: string | undefined, say: Say): FilterText[] {
  if (words === undefined) return [];
  return [{ parameters: [Q], text: say('some text has “{words}”', { words }) }];
}

function boxFilter(box: string | undefined, say: Say): FilterText[] {
  if (box === undefined) return [];
  const [west = '', south = '', east = '', north = ''] = box.split(',');
  const text = say('place is from {from} to {to}', {
    from: placeInWords(west, north, say),
    to: placeInWords(east, south, say),
  });
  return [{ parameters: [BBOX], text }];
}

function comparisonText(field: Field, op: Operator, value: unknown, language: Language): string {
  const { say } = language;
  const { title } = field;
  if (op === 'min' || op === 'max') {
    const end = { field: title, value: shownValue(field, value, language) };
    return op === 'min'
      ? say('{field} is at least {value}', end)
      : say('{field} is at most {value}', end);
  }
  const members = [value].flat();
  if (members.length > LONG_LIST) {
    const of = { field: title, count: members.length };
    return op === 'not'
      ? say('{field} is none of {count} values', of)
      : say('{field} is one of {count} values', of);
  }
  const type = typeOf(field);
  if (type.saying !== undefined) return type.saying(title, members, op === 'not', language);
  const values = members
    .map((member) => shownValue(field, member, language))
    .join(` ${say('or')} `);
  return op === 'not'
    ? say('{field} is not {value}', { field: title, value: values })
    : say('{field} is {value}', { field: title, value: values });
}

function shownValue(field: Field, value: unknown, language: Language): string {
  return typeOf(field).shown(value, field, language);
}

/** Describes the filters on groups in words: `number of rows is at least 20`. */
export function describeHaving(
  grouping: Grouping,
  values: Members,
  language: Language = ENGLISH,
): FilterText[] {
  const given = havingIn(values);
  if (given === undefined) return [];
  const fields = groupColumns(grouping);
  // The column's title, "Rows", is short and in the plural.
  const count = grouping.measures.find(({ of }) => of === 'count')?.column.name;
  const filters = havingFilters(grouping, (field) =>
    field.name === count ? { ...field, title: language.say('Number of rows') } : field,
  );
  return describeFilters({ fields, filters }, given, language).map(({ parameters, text }) => ({
    parameters: parameters.map((name) => `${HAVING}.${name}`),
    text,
  }));
}
