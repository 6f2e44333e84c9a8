import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type DatasetBlock, type DatasetDeclaration, datasetBlock } from '../block/block.ts';
import { type BlockFile, declarationOf } from '../block/block-file.ts';
import { BLOCK_NAME, blockFileSchema } from '../block/block-file-schema.ts';
import { DeclarationFault } from '../block/declaration.ts';
import type { SeedError } from '../files/source-table.ts';
import { quotedValue } from '../values/field-type.ts';
import { nearName } from '../values/near-name.ts';
import { type PlacedJson, readPlacedJson, type Way } from './placed-json.ts';

/** A block file, what it declares, and the block that it makes. */
export type ReadBlockFile = {
  readonly file: BlockFile;
  readonly declared: DatasetDeclaration;
  readonly block: DatasetBlock;
};

/**
 * Reads the text of a folder's `block.json`. Throws a SeedError for its first fault: one line with
 * the place in the file, what is wrong there, what was expected, and the likely fix.
 */
export function readBlockFile(text: string, path: string, folder: string): ReadBlockFile {
  const json = readPlacedJson(text, path);
  checkForm(json);
  const file = json.value as BlockFile;
  checkMembers(file, folder, json);
  const declared = declarationOf(file, folder);
  try {
    return { file, declared, block: datasetBlock(declared) };
  } catch (error) {
    if (!(error instanceof DeclarationFault)) throw error;
    throw json.fault(error.reason, error.at);
  }
}

/** Checks what no schema can say. */
function checkMembers({ name, geometry, boundaries }: BlockFile, folder: string, json: PlacedJson) {
  if (name !== undefined && name !== folder) {
    const reason = `"name" is ${quotedValue(name)}; expected the folder's, ${quotedValue(folder)}, or none`;
    throw json.fault(reason, ['name']);
  }
  if (!BLOCK_NAME.test(folder)) {
    const reason = `the folder is called ${quotedValue(folder)}; expected lower-case letters and digits, with single hyphens between`;
    throw json.fault(reason, []);
  }
  if (geometry?.kind === 'regions' && boundaries === undefined) {
    const reason = '"boundaries" is missing; expected the file with the shapes of its regions';
    throw json.fault(reason, ['geometry']);
  }
}

let validate: ValidateFunction | undefined;

/** Throws the first fault in the file's order, but names that are not known before all others. */
function checkForm(json: PlacedJson): void {
  // `verbose` adds to each error the schema that it is about.
  validate ??= new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    verbose: true,
  })
    .addVocabulary(['patternErrorMessage'])
    .compile(blockFileSchema());
  if (validate(json.value)) return;
  const [first] = (validate.errors ?? [])
    // Repeated by what they belong to.
    .filter(({ keyword, schemaPath }) => keyword !== 'if' && !schemaPath.includes('/anyOf/'))
    .map((error) => faultOf(error, json))
    .sort((a, b) => Number(b.isName) - Number(a.isName) || a.offset - b.offset);
  throw first?.error;
}

type Found = { readonly isName: boolean; readonly offset: number; readonly error: SeedError };

function faultOf(error: ErrorObject, json: PlacedJson): Found {
  const { keyword, params, instancePath, parentSchema } = error;
  const way: Way = instancePath.split('/').slice(1);
  if (keyword !== 'additionalProperties') {
    const fault = json.fault(reasonOf(error, way), way);
    return { isName: false, offset: json.offset(way), error: fault };
  }
  const name: string = params.additionalProperty;
  const fix = fixOf(name, Object.keys(parentSchema?.properties ?? {}));
  const its = [[...way, name], 'name'] as const;
  const fault = json.fault(`${quotedValue(name)} is not known here; ${fix}`, ...its);
  return { isName: true, offset: json.offset(...its), error: fault };
}

// biome-ignore lint/suspicious/noExplicitAny: a keyword's value in a schema is of any form
type SchemaError = ErrorObject<string, Record<string, any>, any>;

function reasonOf({ keyword, params, schema, parentSchema, data }: SchemaError, way: Way): string {
  const label = labelOf(way);
  const is = `${label} is ${quotedValue(data)}`;
  switch (keyword) {
    case 'required':
      return `"${params.missingProperty}" is missing${wantedBy(parentSchema, params.missingProperty)}`;
    case 'anyOf':
      return `${schema.map(({ required }: { required: string[] }) => `"${required}"`).join(' or ')} is missing`;
    case 'type':
      return `${is}; expected ${[schema].flat().map(nounOf).join(' or ')}`;
    case 'enum':
      return `${is}; ${fixOf(String(data), schema)}`;
    case 'const':
      return `${is}; expected ${schema}, or leave it out`;
    case 'pattern':
      return `${is}; expected ${parentSchema?.patternErrorMessage}`;
    case 'minLength':
      return `${label} is blank; expected a text`;
    case 'minItems':
      return `${label} is empty; expected at least one`;
    case 'minimum':
      return `${is}; expected at least ${schema}`;
    default:
      return `${is}; expected ${keyword} ${schema}`;
  }
}

/** The member's name, or the list's that it is in. */
function labelOf(way: Way): string {
  const last = way.findLast((step) => !/^\d+$/.test(String(step)));
  if (last === undefined) return 'the file';
  return last === way.at(-1) ? `"${last}"` : `an entry of "${last}"`;
}

/** What a missing member should be, by its description in the schema. */
function wantedBy(schema: ErrorObject['parentSchema'], name: string): string {
  const description: string | undefined = schema?.properties?.[name]?.description;
  if (description === undefined) return '';
  return `; expected ${description[0]?.toLowerCase()}${description.slice(1).replace(/\.$/, '')}`;
}

function nounOf(type: string): string {
  return (
    { string: 'a text', array: 'a list', integer: 'a whole number', boolean: 'true or false' }[
      type
    ] ?? 'an object'
  );
}

function fixOf(word: string, known: readonly string[]): string {
  const near = nearName(word, known);
  return near === undefined ? `expected one of ${known.join(', ')}` : `did you mean "${near}"?`;
}
