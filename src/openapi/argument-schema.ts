import { MOST_LIST_MEMBERS, MOST_TEXT_LENGTH, type Parameter } from '../core/parameter.ts';
import { type JsonSchema, schemaOfArguments } from '../core/schema.ts';

/** Where an argument is: a form's and a query's values are text, and its lists repeat a name. */
export type Channel = 'json' | 'text';

/**
 * JSON Schema of an argument as it is sent. The core has the schema of what is read; this one adds
 * the other ways to write it, so that what it refuses is what the service refuses.
 */
export function schemaOfArgument(parameter: Parameter, channel: Channel): JsonSchema {
  const { properties } = schemaOfArguments([parameter]) as {
    properties: Readonly<Record<string, JsonSchema>>;
  };
  const read = properties[parameter.name] as JsonSchema;
  const { title, description, examples, default: byDefault, 'x-not-below': low, ...value } = read;
  return withoutUndefined({
    title,
    description,
    ...WRITTEN[parameter.kind](value, channel, parameter as never),
    default: byDefault,
    'x-not-below': low,
    examples,
  });
}

type Written = {
  [K in Parameter['kind']]: (
    value: JsonSchema,
    channel: Channel,
    parameter: Extract<Parameter, { kind: K }>,
  ) => JsonSchema;
};

const WRITTEN: Written = {
  text: (_, channel, { compare }) => {
    const types = channel === 'json' ? ['string', 'number'] : ['string'];
    const digits = compare === 'digits' ? { pattern: `${BLANK}|[0-9]` } : {};
    const one = { ...(channel === 'json' ? WHOLE : {}), maxLength: MOST_TEXT_LENGTH, ...digits };
    const items = { type: memberTypes(channel, types), ...one };
    return anyOf(
      { type: [...types, 'array'], ...one, maxItems: MOST_LIST_MEMBERS, items },
      blankList(channel),
    );
  },
  number: (value, channel, { required }) =>
    anyOf(
      value,
      ...(channel === 'json' ? [reference('DecimalText')] : []),
      ...(required ? [] : [blank(channel)]),
    ),
  choice: (value, channel) => anyOf(value, blank(channel)),
  choices: (value, channel, { choices }) => {
    const name = `${SPACE}(?:${choices.join('|')})?${SPACE}`;
    const pattern = `^${name}(?:,${name}){0,${MOST_LIST_MEMBERS - 1}}$`;
    const items = { type: memberTypes(channel, ['string']), pattern: `^${name}$` };
    const loosely = { type: ['string', 'array'], pattern, maxItems: MOST_LIST_MEMBERS, items };
    return anyOf(value, { description: 'Text with commas.', ...loosely }, blankList(channel));
  },
  flag: (value, channel) =>
    anyOf(value, { enum: [...(channel === 'json' ? [0, 1] : []), '0', '1'] }, blank(channel)),
  token: (value, channel) => anyOf(value, blank(channel)),
};

/** Of a number that stands for a text: beyond, JSON's readers round a whole one. */
const WHOLE = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

const SPACE = '[\\t-\\r ]*';
const BLANK = `^${SPACE}$`;

function anyOf(...schemas: readonly JsonSchema[]): JsonSchema {
  const [first = {}] = schemas;
  return schemas.length === 1 ? first : { anyOf: schemas };
}

/** A list may have blanks among its members; they are dropped. */
function memberTypes(channel: Channel, types: readonly string[]): string | readonly string[] {
  return channel === 'json' ? [...types, 'null'] : 'string';
}

function blank(channel: Channel): JsonSchema {
  return reference(channel === 'json' ? 'Blank' : 'BlankText');
}

/** A list of blanks may be of any length. */
function blankList(channel: Channel): JsonSchema {
  return reference(channel === 'json' ? 'Blank' : 'BlankTexts');
}

function reference(name: keyof typeof ARGUMENT_SCHEMAS): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The components that `schemaOfArgument` refers to. */
export const ARGUMENT_SCHEMAS = {
  DecimalText: {
    description: 'A number as text. A whole number may have zeros behind its point.',
    type: 'string',
    pattern: `^${SPACE}[+-]?(?:[0-9]{1,15}(?:\\.[0-9]+)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?${SPACE}$`,
  },
  Blank: {
    description: 'Not given: null, white space, or a list of these.',
    type: ['null', 'string', 'array'],
    pattern: BLANK,
    items: { type: ['null', 'string'], pattern: BLANK },
  },
  BlankText: { description: 'Not given.', type: 'string', pattern: BLANK },
  BlankTexts: {
    description: 'Not given.',
    type: ['string', 'array'],
    pattern: BLANK,
    items: { type: 'string', pattern: BLANK },
  },
} as const satisfies Record<string, JsonSchema>;

function withoutUndefined(members: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
