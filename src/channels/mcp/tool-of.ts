import { type Described, type Observed, observedBy } from '../../block/describe-block.ts';
import { badRowsSentence } from '../../block/manifest.ts';
import { MOST_LIMIT } from '../../block/options.ts';
import { BBOX, EMPTY, FILLED, NEAR, type Parameter, Q, WITHIN } from '../../block/parameter.ts';
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

/** The rows of a page if a call does not say: few, since a model reads every one. */
export const TOOL_LIMIT = 20;

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
        ...(isRows ? ROW_OPTIONS : {}),
      },
      ...endsOf(parameters),
      ...(required.length === 0 ? {} : { required: required.map((parameter) => parameter.name) }),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

const HOW_ROWS_MATCH = `Text: equal but for case and accents; * is any text. field_min, field_max: inclusive. ${TOOL_LIMIT} rows unless _limit says.`;

/** Whether a parameter has its own entry: ends of ranges share one pattern, and negations `_not`. */
function isNamed({ op = 'is' }: Parameter): boolean {
  return op === 'is';
}

/** One pattern for the ends of all ranges; a problem says which fields have none. */
function endsOf(parameters: readonly Parameter[]): Record<string, unknown> {
  const ends = parameters.filter(({ op }) => op === 'min' || op === 'max');
  if (ends.length === 0) return {};
  const types = new Set(ends.map((end) => argumentTypeOf(end).schema(end).type as string));
  return { patternProperties: { '_(min|max)$': types.size === 1 ? { type: [...types][0] } : {} } };
}

function textSchema(description: string): JsonSchema {
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

/** `count`, then one with a field, then the others; those that count stand last. */
function measuresInShort(): string {
  const counts = (name: MeasureName) => MEASURES[name].type === 'integer';
  const [first, ...others] = MEASURE_NAMES.filter((name) => !counts(name));
  const more = [...others, ...MEASURE_NAMES.filter(counts)].filter((name) => name !== 'count');
  return ['count', `${first}:field`, ...more, 'p90', 'share:sum'].join(', ');
}

/** Shorter than the block's own option schemas, which list every field twice. */
const ROW_OPTIONS: Readonly<Record<string, JsonSchema>> = {
  _not: { type: 'object', description: 'field: value to leave out' },
  _or: { type: 'array', items: { type: 'object' }, description: 'one must match' },
  _limit: { type: 'integer', maximum: MOST_LIMIT },
  _cursor: textSchema('next of a page'),
  _sort: textSchema('a or -a,b'),
  _fields: textSchema('a,b'),
  _group: textSchema('field, date.month, number.10 (width)'),
  _measure: textSchema(measuresInShort()),
  _having: { type: 'object', description: 'count_min: 2' },
  _facets: textSchema('fields to count'),
};

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
  const { type, list, default: byDefault, description } = parameter;
  if (type === 'choice' && list) {
    return { type: 'array', items: { type: 'string' }, ...described(description) };
  }
  const schema = argumentTypeOf(parameter).schema(parameter);
  const kept = ['type', 'enum', 'minimum', 'maximum'].filter((name) => name in schema);
  return {
    ...Object.fromEntries(kept.map((name) => [name, schema[name]])),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(known.field !== undefined && typeOf(known.field).isOrdered
      ? described(titleBeside(parameter), rangeText(parameter, known))
      : described(description ?? titleBeside(parameter))),
  };
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

/** The dataset's range, such as `2..779`, with the unit if no title is shown that tells it. */
function rangeText(parameter: Parameter, { statistics, range: found }: Observed) {
  const unit = titleBeside(parameter) === undefined ? parameter.unit : undefined;
  if (statistics === undefined) return unit;
  if (found === undefined) return 'no row has a value';
  const { min, max } = found;
  const low = typeof min === 'number' ? hundredthBelow(min) : min;
  const high = typeof max === 'number' ? hundredthAbove(max) : max;
  const range = `${low}..${high}`;
  return unit === undefined || isUnitInTitle(unit, parameter.title) ? range : `${range} ${unit}`;
}
