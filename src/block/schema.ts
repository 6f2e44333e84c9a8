import { type JsonSchema, MOST_KEYS, MOST_LIST_MEMBERS } from '../values/field-type.ts';
import { argumentTypeOf, type Field, typeOf } from '../values/field-types.ts';
import { COUNT, count, list, object, TEXT } from '../values/json-schema.ts';
import { HAVING, MOST_FACET_VALUES } from './grouping.ts';
import { MOST_ALTERNATIVES, NOT, OR, type Parameter } from './parameter.ts';
import { MOST_SQUARES, SCALES } from './two-numbers.ts';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schema (2020-12) of normalised arguments and options, keyed by parameter name. */
export function schemaOfArguments(
  parameters: readonly Parameter[],
  formOf: (parameter: Parameter) => JsonSchema = schemaOfValue,
): JsonSchema {
  const required = parameters.filter((parameter) => parameter.required);
  return {
    $schema: DRAFT,
    type: 'object',
    properties: Object.fromEntries(parameters.map((p) => [p.name, described(p, formOf(p))])),
    ...(required.length > 0 ? { required: required.map(({ name }) => name) } : {}),
    additionalProperties: false,
  };
}

/** Represents every parameter whose name begins with `_not`. */
export const NOT_AS_OBJECT = {
  title: 'Rows to leave out',
  description: 'Filters by field. A row that matches any of them is left out.',
  type: 'object',
} as const;

/** Represents every parameter whose name begins with `_or`. */
export const OR_AS_LIST = {
  title: 'Alternatives',
  description: `Filters of which a row must match at least one: in JSON a list of at most ${MOST_ALTERNATIVES} objects, in a query ${OR}.1.field, ${OR}.2.field.`,
} as const;

/** Represents every parameter whose name begins with `_having`. */
export const HAVING_AS_OBJECT = {
  title: 'Filters on groups',
  description: `Filters by the columns of the groups, such as count_min or avg_price_max. In a query ${HAVING}.count_min. The total is of the groups that pass.`,
  type: 'object',
} as const;

/**
 * The same schema, but `_not.f` is a member `f` of an object `_not`, `_or` is a list, and filters on
 * groups are members of an object `_having`.
 */
export function withNotAsObject({ properties: plain, ...schema }: JsonSchema): JsonSchema {
  const properties = withHaving(plain as Readonly<Record<string, JsonSchema>>);
  const all = Object.entries(properties);
  const isNot = ([name]: (typeof all)[number]) => name.startsWith(`${NOT}.`);
  const negated = all.filter(isNot).map(([name, of]) => [name.slice(NOT.length + 1), of] as const);
  if (negated.length === 0) return { properties, ...schema };
  const not = {
    ...NOT_AS_OBJECT,
    properties: Object.fromEntries(negated),
    additionalProperties: false,
  };
  return {
    ...schema,
    properties: {
      ...Object.fromEntries(all.filter((one) => !isNot(one))),
      [NOT]: not,
      [OR]: {
        ...OR_AS_LIST,
        type: 'array',
        minItems: 1,
        maxItems: MOST_ALTERNATIVES,
        items: { type: 'object', minProperties: 1 },
      },
    },
  };
}

function withHaving(properties: Readonly<Record<string, JsonSchema>>) {
  if (!Object.hasOwn(properties, '_group')) return properties;
  return { ...properties, [HAVING]: HAVING_AS_OBJECT };
}

/** JSON Schema (2020-12) of the `params` that a dataset block answers with. */
export function schemaOfRow(fields: readonly Field[]): JsonSchema {
  const properties = Object.fromEntries(
    fields.map((field) => [
      field.name,
      {
        title: field.title,
        ...(field.description === undefined ? {} : { description: field.description }),
        type: [typeOf(field).json, 'null'],
        ...formatOf(field),
      },
    ]),
  );
  const rows = { type: 'object', properties, additionalProperties: COLUMN_OF_GROUPS };
  const answer = {
    results: { type: 'array', maxItems: MOST_SQUARES.all, items: rows },
    count: count('The number of rows in this page.'),
    total: count('The number of rows that match, in all pages.'),
    next: {
      type: ['string', 'null'],
      description: "The next page's _cursor; null in the last page.",
    },
    addresses: {
      type: 'array',
      maxItems: 1000,
      items: TEXT,
      description: "The rows' addresses relative to the block's, with Prefer: row-addresses.",
    },
    help: help(),
    facets: facets(),
    xy: twoNumbers(),
    notFound: notFound(),
  };
  return { $schema: DRAFT, ...object(answer, ['results', 'count', 'total', 'next']) };
}

const COLUMN_OF_GROUPS: JsonSchema = {
  description: 'A column of groups, if _group or _measure asks for them.',
  type: ['string', 'number', 'boolean', 'null'],
};

// Functions, since a bundle without rows has constants that are computed, though it uses none.

/** An axis of a question about two numbers. */
const axis = (): JsonSchema =>
  object({
    field: TEXT,
    scale: { type: 'string', enum: SCALES },
    min: { type: ['number', 'null'] },
    max: { type: ['number', 'null'] },
  });

const twoNumbers = (): JsonSchema => ({
  description:
    'Present if _xy asks for it: whether results are rows or squares, and how far their numbers reach.',
  ...object(
    {
      of: { type: 'string', enum: ['rows', 'squares'] },
      x: axis(),
      y: axis(),
      rows: { description: 'The number of rows in all points or squares.', ...COUNT },
      without: { description: 'The number of rows that lack one number or both.', ...COUNT },
      zeros: {
        description: 'The number of rows with a 0, which a logarithmic axis leaves out.',
        ...COUNT,
      },
      medians: {
        description: 'With _medians: the median of y in steps of x.',
        ...list(
          object({
            from: { type: 'number' },
            to: { type: 'number' },
            count: { type: 'integer', minimum: 1 },
            median: { type: 'number' },
          }),
        ),
      },
    },
    ['of', 'x', 'y', 'rows', 'without'],
  ),
});

const VALUE: JsonSchema = { type: ['string', 'number', 'boolean'] };

const notFound = (): JsonSchema => ({
  description:
    'Present if lists have values that no row has, whatever the other filters: a member for each such list, by its parameter. The first page has it.',
  type: 'object',
  additionalProperties: { ...list(VALUE), minItems: 1, maxItems: MOST_KEYS },
});

const facets = (): JsonSchema => ({
  description: 'Present if _facets asks for it: a member for each of its fields.',
  type: 'object',
  additionalProperties: object({
    values: {
      description: 'The commonest values, each with the number of rows that have it.',
      type: 'array',
      maxItems: MOST_FACET_VALUES,
      items: object({ value: VALUE, count: { type: 'integer', minimum: 1 } }),
    },
    others: { description: 'The number of rows that have other values.', ...COUNT },
    empty: { description: 'The number of rows without a value.', ...COUNT },
  }),
});

function countOrNull(description: string): JsonSchema {
  return { type: ['integer', 'null'], minimum: 0, description };
}

const help = (): JsonSchema => ({
  description: 'Present if no row matches the filters: a member for each of them.',
  ...list(
    object(
      {
        parameters: {
          description: 'The parameters that state the filter.',
          ...list(TEXT),
          minItems: 1,
        },
        alone: countOrNull('The number of rows that it matches by itself; null if not counted.'),
        without: countOrNull(
          'The number of rows that match all other filters; null if not counted.',
        ),
        empties: {
          type: ['boolean', 'null'],
          description: 'Whether it makes the answer empty; null if not known.',
        },
        containing: countOrNull(
          'The number of rows that match if its text has * on both sides; null if not counted.',
        ),
        nearest: {
          description: 'Values in the dataset that its text may have meant.',
          ...list(TEXT),
          maxItems: 3,
        },
        elsewhere: {
          description: 'Other fields that have its text; absent if none was found.',
          ...list(
            object({
              parameter: { description: 'The parameter that finds it.', ...TEXT },
              rows: {
                description: 'The number of rows that it finds by itself.',
                type: 'integer',
              },
            }),
          ),
          minItems: 1,
          maxItems: 3,
        },
      },
      ['parameters', 'alone', 'without', 'empties', 'containing', 'nearest'],
    ),
  ),
});

function formatOf(field: Field): JsonSchema {
  const { format } = typeOf(field);
  // JSON Schema's date-time format requires an offset, which local times lack.
  return format === undefined || field.local ? {} : { format };
}

/** What a schema says of a parameter beside the form of its values, which `form` is. */
export function described(parameter: Parameter, form: JsonSchema): JsonSchema {
  const { title, description, examples, default: byDefault } = parameter;
  const all = { title, description, examples, ...form, default: byDefault };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/**
 * The JSON Schema of one value or of a list of values. A choice with `list` always becomes a list
 * when it is normalised.
 */
export function schemaOfValue(parameter: Parameter): JsonSchema {
  const items = argumentTypeOf(parameter).schema(parameter);
  if (!parameter.list) return items;
  const { mostMembers = MOST_LIST_MEMBERS } = parameter;
  const list = { minItems: 1, maxItems: mostMembers, items };
  if (parameter.type === 'choice') return { type: 'array', ...list };
  // The keywords in `items`, besides the type, do not apply to lists.
  return { ...items, type: [items.type, 'array'], ...list };
}
