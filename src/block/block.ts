import type { Field } from '../fields/field.ts';
import { FIELD_TYPES, isNumeric, typeOf } from '../fields/field-types.ts';
import { isTimeZone } from '../fields/time-zone.ts';
import type { Geometry } from './geometry.ts';
import type { VersionedSource } from './manifest.ts';
import { type Format, formatsOf, ROW_OPTIONS, rowOptions, valueOptions } from './options.ts';
import {
  EMPTY,
  FILLED,
  isFilterable,
  NOT,
  type Parameter,
  parametersOfFields,
} from './parameter.ts';
import { type JsonSchema, schemaOfRow } from './schema.ts';
import { whyReserved } from './wire-names.ts';

/** A call that works, shown in documents and run by tests. */
export type Example = {
  readonly title: string;
  readonly arguments: Readonly<Record<string, unknown>>;
};

/** A data function: its names, its parameters and its answer. */
export type Block = {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly options: readonly Parameter[];
  readonly formats: readonly Format[];
  /** Options of other blocks: this block accepts them, ignores them and warns of them. */
  readonly unusedOptions: readonly string[];
  readonly examples: readonly Example[];
  /** JSON Schema of the answer's `params`. */
  readonly outputSchema: JsonSchema;
  readonly answers: 'rows' | 'value';
};

/** A block that filters a dataset; its fields determine its parameters and its output. */
export type DatasetBlock = Block & {
  readonly answers: 'rows';
  readonly fields: readonly Field[];
  /** The plural noun for its rows. */
  readonly noun: string;
  /** The fields that come first in a form and in a table. */
  readonly keyFields: readonly string[];
  /** Where to draw its rows on a map; absent if they have no location. */
  readonly geometry?: Geometry;
};

type Declared = Pick<Block, 'id' | 'name' | 'title' | 'description' | 'examples'>;

/** Declares a block that filters a dataset. Throws a TypeError if a declaration is invalid. */
export function datasetBlock(
  declared: Declared & {
    fields: readonly Field[];
    noun?: string;
    keyFields?: readonly string[];
    geometry?: Geometry;
  },
): DatasetBlock {
  const { fields, geometry } = declared;
  const names = fields.map(({ name }) => name);
  checkTypes(declared);
  const parameters = parametersOfFields(fields);
  const ofEnds = parameters.filter(({ op }) => op === 'min' || op === 'max');
  checkNames(declared, [
    ...names,
    ...ofEnds.map(({ name }) => name),
    ...aliasesOf(fields),
    ...aliasesOf(ofEnds),
  ]);
  checkMain(declared, fields);
  checkGeometry(declared);
  const numbers = fields
    .filter(isNumeric)
    .filter(isFilterable)
    .map(({ name }) => name);
  const { noun = 'rows' } = declared;
  const keyFields = declared.keyFields ?? names.slice(0, MOST_KEY_FIELDS);
  const unknown = declared.keyFields?.find((field) => !names.includes(field));
  if (unknown !== undefined) {
    throw new TypeError(`Block ${declared.name}: ${unknown} is not one of its fields.`);
  }
  return {
    ...declared,
    noun,
    keyFields,
    parameters,
    options: rowOptions(names, geometry, numbers),
    formats: formatsOf(geometry),
    unusedOptions: [],
    outputSchema: schemaOfRow(fields),
    answers: 'rows',
  };
}

/** How many fields come first if a block does not say which. */
const MOST_KEY_FIELDS = 6;

/** The members of a block that hold the requested colour and the answered one. */
export type ColorRoles = {
  /** The parameters for red, green and blue, each 0 to 255. */
  readonly channels: readonly [string, string, string];
  /**
   * Members of the answer: the `#rrggbb` text, the colour's name, and a list of similar colours.
   */
  readonly hex: string;
  readonly name: string;
  readonly others: string;
};

/** A block that computes one value. */
export type ValueBlock = Block & {
  readonly answers: 'value';
  readonly color?: ColorRoles;
  readonly sources?: readonly VersionedSource[];
};

/** Declares a block that computes one value from its arguments. */
export function valueBlock(
  declared: Declared & {
    parameters: readonly Parameter[];
    color?: ColorRoles;
    sources?: readonly VersionedSource[];
    outputSchema: JsonSchema & { readonly properties: Readonly<Record<string, unknown>> };
  },
): ValueBlock {
  const { parameters, outputSchema } = declared;
  checkNames(declared, [...parameters.map(({ name }) => name), ...aliasesOf(parameters)]);
  checkMain(declared, parameters);
  return {
    ...declared,
    options: valueOptions(Object.keys(outputSchema.properties)),
    formats: formatsOf(undefined),
    unusedOptions: ROW_OPTIONS,
    answers: 'value',
  };
}

/** Throws if one address could mean two blocks. */
export function checkAddresses(blocks: readonly Block[]): void {
  const owners = new Map<string, string>();
  for (const { id, name } of blocks) {
    for (const address of new Set([id, name])) {
      const owner = owners.get(address);
      if (owner !== undefined) {
        throw new TypeError(`Blocks ${owner} and ${name} are both called ${address}.`);
      }
      owners.set(address, name);
    }
  }
}

/** Block files run without a type check, so a wrong value would go unnoticed. */
function checkTypes({ name: block, fields, geometry }: Parameters<typeof datasetBlock>[0]): void {
  for (const { name, type, timeZone, local, indexed } of fields) {
    if (!Object.hasOwn(FIELD_TYPES, type)) {
      const known = Object.keys(FIELD_TYPES).join(', ');
      throw new TypeError(`Block ${block}: ${name} is of type ${type}; expected one of ${known}.`);
    }
    if (indexed && FIELD_TYPES[type].comparedBy !== 'text') {
      throw new TypeError(
        `Block ${block}: ${name} is indexed, and only what is compared as text is.`,
      );
    }
    if (timeZone !== undefined && local) {
      throw new TypeError(`Block ${block}: ${name} is local, and has a time zone; leave one out.`);
    }
    if (timeZone !== undefined && !isTimeZone(timeZone)) {
      throw new TypeError(
        `Block ${block}: ${name} is in the time zone ${timeZone}; expected one of IANA's, such as America/New_York.`,
      );
    }
  }
  if (geometry !== undefined && !['points', 'regions'].includes(geometry.kind)) {
    throw new TypeError(
      `Block ${block}: its geometry is of kind ${geometry.kind}; expected points or regions.`,
    );
  }
}

/** Throws unless each field of the geometry exists and has the right type. */
function checkGeometry({ name, fields, geometry }: Parameters<typeof datasetBlock>[0]): void {
  if (geometry === undefined) return;
  const { longitude, latitude } = geometry;
  const wanted = [
    ...[longitude, latitude].map((field) => ({ field, isText: false })),
    ...(geometry.kind === 'regions' ? [{ field: geometry.region, isText: true }] : []),
  ];
  for (const { field, isText } of wanted) {
    const found = fields.find((candidate) => candidate.name === field);
    if (found === undefined || (isText ? typeOf(found).comparedBy !== 'text' : !isNumeric(found))) {
      const kind = isText ? 'text' : 'number';
      throw new TypeError(`Block ${name}: its geometry needs a ${kind} field ${field}.`);
    }
  }
}

function aliasesOf(all: readonly { alias?: string }[]): string[] {
  return all.flatMap(({ alias }) => alias ?? []);
}

function checkMain({ name: block }: Declared, all: readonly (Field | Parameter)[]): void {
  if (all.filter((each) => 'main' in each && each.main).length <= 1) return;
  throw new TypeError(`Block ${block}: only one can be main, where free text goes.`);
}

const ANY_REGIONS: Geometry = { kind: 'regions', region: '', longitude: '', latitude: '' };

const OPTION_NAMES = new Set([
  ...[...rowOptions([], ANY_REGIONS), ...valueOptions([])].map(({ name }) => name),
  ...[NOT, EMPTY, FILLED],
]);

function checkNames({ name: block }: Declared, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw new TypeError(`Block ${block}: ${name} cannot be a name; use letters, digits and _.`);
    }
    const why = OPTION_NAMES.has(name) ? 'it is an option' : whyReserved(name);
    if (why !== undefined) {
      throw new TypeError(
        `Block ${block}: ${name} is reserved, since ${why}; choose another name.`,
      );
    }
    if (seen.has(name)) throw new TypeError(`Block ${block}: ${name} names two things.`);
    seen.add(name);
  }
}
