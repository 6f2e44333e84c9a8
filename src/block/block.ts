import { type Format, formatsOf, formatsOfGroups } from '../formats/formats.ts';
import { ROWS_NOUN } from '../languages/names.ts';
import { nearName } from '../text/near-name.ts';
import type { JsonSchema } from '../values/field-type.ts';
import { FIELD_TYPES, type Field, isNumeric, typeOf } from '../values/field-types.ts';
import { DISTANCE, type Geometry } from '../values/places.ts';
import { isTimeZone } from '../values/time-zone.ts';
import type { BlockFigure } from './block-figure.ts';
import { DeclarationFault } from './declaration.ts';
import type { Origin, VersionedSource } from './manifest.ts';
import { ROW_OPTIONS, rowOptions, valueOptions } from './options.ts';
import {
  BBOX,
  EMPTY,
  FILLED,
  type Filters,
  filtersOf,
  NEAR,
  NOT,
  OR,
  type Parameter,
  parametersOfFields,
  Q,
  searchParameters,
  WITHIN,
} from './parameter.ts';
import { schemaOfRow } from './schema.ts';
import { whyReserved } from './wire-names.ts';

/** A call that works. Documents show it, and tests run it. */
export type Example = {
  readonly title: string;
  readonly arguments: Readonly<Record<string, unknown>>;
};

/** What a block declares of itself, whatever it answers. */
type Declared = {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /**
   * Its short name in chat and on the command line. If present, a word of its name that another
   * block has too means that other one.
   */
  readonly alias?: string;
  /** The language of its titles and its data, a tag of BCP 47; English if absent. */
  readonly lang?: string;
  readonly examples: readonly Example[];
};

/** What every block has: its names, its parameters and the schema of its answer. */
type AnyBlock = Declared & {
  readonly parameters: readonly Parameter[];
  /** Those parameters that filter rows by a field. */
  readonly filters: Filters;
  readonly options: readonly Parameter[];
  /** The formats of its rows, or of its value. */
  readonly formats: readonly Format[];
  /** The formats of groups of its rows; none if it has no rows. */
  readonly groupFormats: readonly Format[];
  /** Options of other blocks. This block accepts them, ignores them, and warns of them. */
  readonly unusedOptions: readonly string[];
  /** JSON Schema of the answer's `params`. */
  readonly outputSchema: JsonSchema;
};

/** A block that filters a dataset; its fields determine its parameters and its output. */
export type DatasetBlock = AnyBlock & {
  readonly answers: 'rows';
  readonly fields: readonly Field[];
  /** The plural noun for its rows. */
  readonly noun: string;
  /** The fields that come first in a form and in a table. */
  readonly keyFields: readonly string[];
  /** Where to draw its rows on a map; absent if they have no location. */
  readonly geometry?: Geometry;
  /** The field whose values name areas of a map. */
  readonly areaField?: string;
  /** The fields whose values together identify a row. */
  readonly primaryKey?: readonly string[];
  readonly origin?: Origin;
  /** The arguments that its page opens with; absent if these follow from the data. */
  readonly first?: Example['arguments'];
  /** The figures that its page opens with, in their order. */
  readonly figures?: readonly BlockFigure[];
};

/** The field with the names of a block's rows. Undefined if it has none. */
export function nameFieldOf({ fields, keyFields }: DatasetBlock): string | undefined {
  return keyFields.find((name) =>
    fields.some((field) => field.name === name && typeOf(field).isName),
  );
}

/** What a dataset block declares of itself. Everything else follows from it. */
export type DatasetDeclaration = Declared &
  Pick<
    DatasetBlock,
    'fields' | 'geometry' | 'areaField' | 'primaryKey' | 'origin' | 'first' | 'figures'
  > &
  Partial<Pick<DatasetBlock, 'noun' | 'keyFields'>>;

/** Declares a block that filters a dataset. Throws a DeclarationFault if a declaration is invalid. */
export function datasetBlock(declared: DatasetDeclaration): DatasetBlock {
  checkTypes(declared);
  const block = checkedDatasetBlock(declared);
  const { fields, parameters } = block;
  const names = fields.map(({ name }) => name);
  const ofEnds = parameters.filter(({ op }) => op === 'min' || op === 'max');
  checkNames(declared, [
    ...namesOf(fields, 'fields'),
    // Each end of a range is declared by its field.
    ...ofEnds.flatMap(({ name, alias = [], field }) =>
      [name, alias].flat().map((each) => ({
        name: each,
        at: ['fields', names.indexOf(field as string), 'name'],
      })),
    ),
  ]);
  checkMain(declared, fields, 'fields');
  checkGeometry(declared);
  checkAreaField(declared);
  checkFields(declared, 'keyFields');
  checkFields(declared, 'primaryKey');
  return block;
}

/**
 * A block that filters a dataset, of a declaration that is known to be valid. A deployed function
 * takes this one: the build has checked its declaration, and the checks stay out of its bundle.
 */
export function checkedDatasetBlock(declared: DatasetDeclaration): DatasetBlock {
  const { fields, geometry, areaField, noun = ROWS_NOUN } = declared;
  const names = fields.map(({ name }) => name);
  const parameters = [...parametersOfFields(fields), ...searchParameters(fields, geometry)];
  return {
    ...declared,
    noun,
    keyFields: declared.keyFields ?? names.slice(0, MOST_KEY_FIELDS),
    parameters,
    filters: filtersOf(parameters, fields),
    options: rowOptions(fields, { geometry, areaField }, declared.figures !== undefined),
    formats: formatsOf({ isRows: true, geometry }),
    groupFormats: formatsOfGroups({ geometry, areaField }),
    unusedOptions: [],
    outputSchema: schemaOfRow(geometry === undefined ? fields : [...fields, DISTANCE]),
    answers: 'rows',
  };
}

/** How many fields come first if a block does not say which. */
const MOST_KEY_FIELDS = 6;

/** A dataset's fields as people look through them: the key fields first. */
export function fieldsInOrder({
  fields,
  keyFields,
}: Pick<DatasetBlock, 'fields' | 'keyFields'>): Field[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const names = new Set([...keyFields, ...byName.keys()]);
  return [...names].flatMap((name) => byName.get(name) ?? []);
}

/** The members of a block that have the requested colour and the colours in the answer. */
export type ColorRoles = {
  /** The parameters for red, green and blue, each from 0 to 255. */
  readonly channels: readonly [string, string, string];
  /**
   * Members of the answer: the `#rrggbb` text, the colour's name, and a list of similar colours.
   */
  readonly hex: string;
  readonly name: string;
  readonly others: string;
};

/** A block that computes one value. */
export type ValueBlock = AnyBlock & {
  readonly answers: 'value';
  readonly color?: ColorRoles;
  readonly sources?: readonly VersionedSource[];
};

/** A data function. `answers` tells which of the two it is. */
export type Block = DatasetBlock | ValueBlock;

/** The block as one of a dataset; undefined if it computes a value. */
export function datasetOf(block: Block): DatasetBlock | undefined {
  return block.answers === 'rows' ? block : undefined;
}

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
  checkNames(declared, namesOf(parameters, 'parameters'));
  checkMain(declared, parameters, 'parameters');
  return {
    ...declared,
    filters: new Map(),
    options: valueOptions(Object.keys(outputSchema.properties)),
    formats: formatsOf({ isRows: false }),
    groupFormats: [],
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
        throw new Error(`Blocks ${owner} and ${name} are both called ${address}.`);
      }
      owners.set(address, name);
    }
  }
}

/** Checks rules for fields that no schema can express. */
function checkTypes({ name: block, fields }: DatasetDeclaration): void {
  for (const [i, { name, type, timeZone, local, indexed }] of fields.entries()) {
    const fault = (reason: string, member: keyof Field) =>
      new DeclarationFault(block, `${name} ${reason}`, ['fields', i, member]);
    if (indexed && !FIELD_TYPES[type].isIndexable) {
      throw fault('is indexed, and only what is compared as text is.', 'indexed');
    }
    if (timeZone !== undefined && local) {
      throw fault('is local, and has a time zone; leave one out.', 'local');
    }
    if (timeZone !== undefined && !isTimeZone(timeZone)) {
      const reason = `is in the time zone ${timeZone}; expected one of IANA's, such as America/New_York.`;
      throw fault(reason, 'timeZone');
    }
  }
}

/** Throws unless each field of the geometry exists and has the right type. */
function checkGeometry({ name, fields, geometry }: DatasetDeclaration): void {
  if (geometry === undefined) return;
  const wanted = [
    ...(['longitude', 'latitude'] as const).map((member) => ({ member, isText: false })),
    ...(geometry.kind === 'regions' ? [{ member: 'region' as const, isText: true }] : []),
  ];
  for (const { member, isText } of wanted) {
    const field = (geometry as Readonly<Record<string, string>>)[member];
    const found = fields.find((candidate) => candidate.name === field);
    if (found === undefined || (isText ? !typeOf(found).isName : !isNumeric(found))) {
      const reason = `its geometry needs a ${isText ? 'text' : 'number'} field ${field}.`;
      throw new DeclarationFault(name, reason, ['geometry', member]);
    }
  }
}

/** Throws unless the values of the field may be names or codes. */
function checkAreaField({ name, fields, areaField }: DatasetDeclaration): void {
  if (areaField === undefined) return;
  const at = ['boundaries', 'field'];
  const found = fields.find((one) => one.name === areaField);
  if (found === undefined) {
    const near = nearName(
      areaField,
      fields.map((one) => one.name),
    );
    const fix = near === undefined ? '' : ` Did you mean ${near}?`;
    throw new DeclarationFault(name, `${areaField} is not one of its fields.${fix}`, at);
  }
  if (found.type !== 'text' && found.type !== 'integer') {
    const reason = `${areaField} has the type ${found.type}; expected text or integer, for names or codes of areas.`;
    throw new DeclarationFault(name, reason, at);
  }
}

/** Throws unless each member of the list is the name of a field, and none occurs twice. */
function checkFields(declared: DatasetDeclaration, member: 'keyFields' | 'primaryKey'): void {
  const { name: block, fields, [member]: list = [] } = declared;
  const names = fields.map(({ name }) => name);
  for (const [i, name] of list.entries()) {
    const at = [member, i];
    if (!names.includes(name)) {
      const near = nearName(name, names);
      const fix = near === undefined ? '' : ` Did you mean ${near}?`;
      throw new DeclarationFault(block, `${name} is not one of its fields.${fix}`, at);
    }
    if (list.indexOf(name) < i) {
      throw new DeclarationFault(block, `${name} is in ${member} twice.`, at);
    }
  }
}

type Placed = { readonly name: string; readonly at: readonly (string | number)[] };

/** The names and aliases of all members of a list. */
function namesOf(all: readonly { name: string; alias?: string }[], list: string): Placed[] {
  return [
    ...all.map(({ name }, i) => ({ name, at: [list, i, 'name'] })),
    ...all.flatMap(({ alias }, i) =>
      alias === undefined ? [] : [{ name: alias, at: [list, i, 'alias'] }],
    ),
  ];
}

function checkMain({ name }: Declared, all: readonly (Field | Parameter)[], list: string): void {
  const [, second] = [...all.entries()].filter(([, each]) => 'main' in each && each.main);
  if (second === undefined) return;
  const at = [list, second[0], 'main'];
  throw new DeclarationFault(name, 'only one can be main, where free text goes.', at);
}

const ANY_REGIONS: Geometry = { kind: 'regions', region: '', longitude: '', latitude: '' };

/** The form of a name of a field, a parameter or an alias. */
export const FIELD_NAME = /^[A-Za-z_]\w*$/;

function optionNames(): Set<string> {
  return new Set([
    ...[...rowOptions([], { geometry: ANY_REGIONS }), ...valueOptions([])].map(({ name }) => name),
    ...[NOT, EMPTY, FILLED, Q, NEAR, WITHIN, BBOX, OR, DISTANCE.name],
  ]);
}

function checkNames({ name: block }: Declared, names: readonly Placed[]): void {
  const [seen, options] = [new Set<string>(), optionNames()];
  for (const { name, at } of names) {
    const fault = (reason: string) => new DeclarationFault(block, `${name} ${reason}`, at);
    if (!FIELD_NAME.test(name)) throw fault('cannot be a name; use letters, digits and _.');
    const why = options.has(name) ? 'it is an option' : whyReserved(name);
    if (why !== undefined) throw fault(`is reserved, since ${why}; choose another name.`);
    if (seen.has(name)) throw fault('names two things.');
    seen.add(name);
  }
}
