import type { DatasetBlock } from '../../block/block.ts';
import { type Described, type Observed, observedBy } from '../../block/describe-block.ts';
import { badRowsSentence } from '../../block/manifest.ts';
import { MOST_LIMIT } from '../../block/options.ts';
import { BBOX, EMPTY, FILLED, NEAR, type Parameter, Q, WITHIN } from '../../block/parameter.ts';
import { XY } from '../../block/two-numbers.ts';
import { MEASURE_NAMES, MEASURES, type MeasureName } from '../../measures/measures.ts';
import { hundredthAbove, hundredthBelow } from '../../text/decimal.ts';
import type { JsonSchema } from '../../values/field-type.ts';
import { argumentTypeOf, typeOf } from '../../values/field-types.ts';
import { isUnitInTitle } from '../../values/number.ts';

/** A block as it is described to a model. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly annotations: Readonly<Record<string, boolean>>;
};

/** Rows of an answer if a call does not say. Bytes cut it sooner, unless rows are short. */
export const TOOL_LIMIT = 100;

/** A block as a tool: its name, its parameters under their own names, and how they match. */
export function toolOf({ block, manifest }: Described): Tool {
  const { name, title, description, parameters } = block;
  const isRows = block.answers === 'rows';
  const required = parameters.filter((parameter) => parameter.required);
  const { publisher, title: dataset, date } = manifest?.source ?? {};
  const from = [publisher ?? dataset, date].filter((text) => text !== undefined).join(', ');
  const source = from === '' ? '' : ` Source: ${from}.`;
  const bad = manifest && badRowsSentence(manifest);
  return {
    name,
    title,
    description: `${firstSentence(description)}${isRows ? ` ${HOW_ROWS_MATCH}` : ''}${source}${bad === undefined ? '' : ` ${bad}`}`,
    inputSchema: {
      type: 'object',
      properties: {
        ...Object.fromEntries(
          parameters.filter(isNamed).map((parameter) => {
            const known = observedBy(parameter, block, manifest);
            return [parameter.name, SHORT[parameter.name] ?? propertyOf(parameter, known)];
          }),
        ),
        ...(isRows ? rowOptionsOf(block) : {}),
      },
      required: required.length === 0 ? undefined : required.map(({ name }) => name),
    },
    annotations: READ_ONLY,
  };
}

export const READ_ONLY = { readOnlyHint: true, openWorldHint: false };

const HOW_ROWS_MATCH =
  'Text: equal but for case and accents; * is any text. _min, _max: inclusive.';

/** Whether a parameter has its own entry: negations are members of `_not`. */
function isNamed({ op }: Parameter): boolean {
  return op !== 'not';
}

export function textSchema(description: string): JsonSchema {
  return { type: 'string', description };
}

/** Shorter than the block's own descriptions; in a list, commas are enough. */
const SHORT: Readonly<Record<string, JsonSchema>> = {
  [EMPTY]: textSchema('fields without a value'),
  [FILLED]: textSchema('fields with a value'),
  [Q]: textSchema('words in any text'),
  [NEAR]: textSchema('longitude,latitude; nearest first'),
  [WITHIN]: textSchema('500m, 2km, 1mi'),
  [BBOX]: textSchema('west,south,east,north'),
};

/** The arguments that search several fields of a row at once. */
export function searchSchemas(): Readonly<Record<string, JsonSchema>> {
  return SHORT;
}

/** `count`, then one with a field, then the others; those that count stand last. */
export function measuresInShort(): string {
  const counts = (name: MeasureName) => MEASURES[name].type === 'integer';
  const [first, ...others] = MEASURE_NAMES.filter((name) => !counts(name));
  const more = [...others, ...MEASURE_NAMES.filter(counts)].filter((name) => name !== 'count');
  return ['count', `${first}:field`, ...more, 'p90', 'share:sum'].join(', ');
}

/**
 * Shorter than the block's own option schemas, which list every field twice. Objects have an example
 * of a member, since some makers of models refuse an object without properties.
 */
export function rowOptions(example: Readonly<Record<string, JsonSchema>>) {
  const filters = { type: 'object', properties: example };
  return {
    _not: { ...filters, description: 'any field: value to leave out' },
    _or: { type: 'array', items: filters, description: 'one must match' },
    _limit: { type: 'integer', maximum: MOST_LIMIT },
    _cursor: textSchema('as an answer says'),
    _sort: textSchema('a or -a,b'),
    _fields: textSchema('a,b'),
    _group: textSchema('field, date.month, number.10 (width)'),
    _measure: textSchema(measuresInShort()),
    _having: { type: 'object', properties: { count_min: { type: 'integer' } } },
    _xy: textSchema('two numbers: x,y'),
    _facets: textSchema('fields to count'),
  };
}

function rowOptionsOf({ fields, parameters, options }: DatasetBlock) {
  const first = parameters.find(({ op }) => op === 'is');
  const field = fields.find(({ name }) => name === first?.field);
  const all = rowOptions(field === undefined ? {} : { [field.name]: { type: typeOf(field).json } });
  const { _xy, ...others } = all;
  return options.some(({ name }) => name === XY) ? all : others;
}

/** The first sentence says what a block is; its parameters say the rest. */
function firstSentence(text: string): string {
  return /^.*?\.(?=\s+\p{Lu}|$)/su.exec(text)?.[0] ?? text;
}

/**
 * A parameter in a tool's input schema. It says only what the name does not, since a model reads
 * all parameters before each call. It does not say that a value may be a list, since some makers
 * of models refuse a schema of two types.
 */
function propertyOf(parameter: Parameter, known: Observed): JsonSchema {
  const { type, list, op, default: byDefault, description } = parameter;
  if (type === 'choice' && list) {
    return { type: 'array', items: { type: 'string' }, ...described(description) };
  }
  const schema = argumentTypeOf(parameter).schema(parameter);
  const kept = ['type', 'enum', 'minimum', 'maximum'].filter((name) => name in schema);
  const bare = Object.fromEntries(kept.map((name) => [name, schema[name]]));
  // The field itself says what is observed of it.
  if (op === 'min' || op === 'max') return bare;
  const shown =
    known.field !== undefined && typeOf(known.field).isOrdered
      ? [titleBeside(parameter), rangeText(parameter, known)]
      : [description ?? titleBeside(parameter)];
  const otherwise = byDefault === undefined ? undefined : `by default ${byDefault}`;
  return { ...bare, ...described(...shown, otherwise) };
}

function described(...parts: readonly (string | undefined)[]): JsonSchema {
  const said = parts.filter((part) => part !== undefined && part !== '');
  return said.length === 0 ? {} : { description: said.join('; ') };
}

/** The title if it has a word that the name does not. */
function titleBeside({ name, title }: Parameter): string | undefined {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const said = name.toLowerCase();
  return words.every((word) => said.includes(word)) ? undefined : title;
}

/** A range that has all values of a field, in few digits: `2..779`. */
export function leastToGreatest({ min, max }: NonNullable<Observed['range']>): string {
  const low = typeof min === 'number' ? hundredthBelow(min) : min;
  const high = typeof max === 'number' ? hundredthAbove(max) : max;
  return `${low}..${high}`;
}

/** The dataset's range, such as `2..779`, with the unit if no title is shown that tells it. */
function rangeText(parameter: Parameter, { statistics, range: found }: Observed) {
  const unit = titleBeside(parameter) === undefined ? parameter.unit : undefined;
  if (statistics === undefined) return unit;
  if (found === undefined) return 'no row has a value';
  const range = leastToGreatest(found);
  return unit === undefined || isUnitInTitle(unit, parameter.title) ? range : `${range} ${unit}`;
}
