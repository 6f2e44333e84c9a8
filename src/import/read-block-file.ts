import { parse, tokenize, type ValueNode } from '@humanwhocodes/momoa';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type DatasetBlock, type DatasetDeclaration, datasetBlock } from '../block/block.ts';
import { DeclarationFault } from '../block/declaration.ts';
import { SeedError } from '../files/source-table.ts';
import { type BlockFile, type BoundariesFile, declarationOf } from '../recipe/recipe.ts';
import { nearName } from '../text/near-name.ts';
import { numberText } from '../text/wording.ts';
import { quotedValue } from '../values/field-type.ts';
import { BLOCK_NAME, blockFileSchema } from './block-file-schema.ts';

/** A block file, its declaration, and the block made from that. */
type ReadBlockFile = {
  readonly file: BlockFile;
  readonly declared: DatasetDeclaration;
  readonly block: DatasetBlock;
};

/**
 * Reads the text of a folder's `block.json`. Throws a SeedError for the first fault, in one line:
 * the place in the file, what is wrong, what was expected, and the likely fix.
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

/** Checks what a schema cannot say. */
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
  if (geometry?.kind === 'regions' && boundaries?.property === undefined) {
    const reason = '"property" is missing; expected the property that names each region';
    throw json.fault(reason, ['boundaries']);
  }
  if (boundaries !== undefined) checkBoundaries(boundaries, geometry, json);
}

/** Areas are those of a file or known ones, and a field or the regions of the geometry name them. */
function checkBoundaries(
  { file, sources, areas, field, property, within }: BoundariesFile,
  geometry: BlockFile['geometry'],
  json: PlacedJson,
): void {
  const fault = (reason: string, ...way: string[]) => json.fault(reason, ['boundaries', ...way]);
  if (areas === undefined) {
    if (file === undefined) throw fault('"file" is missing; expected it, or "areas"');
    if (sources === undefined) throw fault('"sources" is missing; expected where the file is from');
    if (field !== undefined && property === undefined) {
      throw fault('"property" is missing; expected the property that names each area');
    }
  } else {
    if (file !== undefined)
      throw fault('"areas" and "file" are both given; leave one out', 'areas');
    if (field === undefined) throw fault('"field" is missing; expected the field that names areas');
  }
  if (within !== undefined && areas !== 'us-counties') {
    throw fault('"within" is of "areas": "us-counties" alone; leave it out', 'within');
  }
  if (field !== undefined && geometry?.kind === 'regions') {
    throw fault('"field" is given, and "geometry" names the regions; leave one out', 'field');
  }
  if (field === undefined && geometry === undefined) {
    throw fault('"field" is missing; expected the field that names areas, or "geometry"');
  }
}

let validate: ValidateFunction | undefined;

/** Throws the first fault in the file's order. Unknown names come before all others. */
function checkForm(json: PlacedJson): void {
  // `verbose` adds the schema concerned to each error.
  validate ??= new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    verbose: true,
    // As in `newAjv`.
    meta: false,
    validateSchema: false,
  })
    .addVocabulary(['patternErrorMessage'])
    .compile(blockFileSchema());
  if (validate(json.value)) return;
  const [first] = (validate.errors ?? [])
    // Ajv repeats these errors for the keyword that contains them.
    .filter(({ keyword, schemaPath }) => keyword !== 'if' && !schemaPath.includes('/anyOf/'))
    .map((error) => faultOf(error, json))
    .sort((a, b) => Number(b.isName) - Number(a.isName) || a.offset - b.offset);
  throw first?.error;
}

type MemberFault = { readonly isName: boolean; readonly offset: number; readonly error: SeedError };

function faultOf(error: ErrorObject, json: PlacedJson): MemberFault {
  const { keyword, params, instancePath, parentSchema } = error;
  // A JSON Pointer (RFC 6901).
  const way: Way = instancePath
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword !== 'additionalProperties') {
    const fault = json.fault(reasonOf(error, way), way);
    return { isName: false, offset: json.offset(way), error: fault };
  }
  const name: string = params.additionalProperty;
  const fix = fixOf(name, Object.keys(parentSchema?.properties ?? {}));
  const place = [[...way, name], 'name'] as const;
  const fault = json.fault(`${quotedValue(name)} is not known here; ${fix}`, ...place);
  return { isName: true, offset: json.offset(...place), error: fault };
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
    case 'minProperties':
      return `${label} is empty; expected at least one`;
    case 'minimum':
      return `${is}; expected at least ${schema}`;
    default:
      return `${is}; expected ${keyword} ${schema}`;
  }
}

/** Names the member, or the list that the entry is in. */
function labelOf(way: Way): string {
  const last = way.findLast((step) => !/^\d+$/.test(String(step)));
  if (last === undefined) return 'the file';
  return last === way.at(-1) ? `"${last}"` : `an entry of "${last}"`;
}

/** Says what a missing member should be, from its description in the schema. */
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

/** The path from a JSON text's root to a part of it: names of members, and indexes in lists. */
type Way = readonly (string | number)[];

/** The value of a JSON text, with the places of its parts. */
type PlacedJson = {
  readonly value: unknown;
  /** Makes an error about a part. If the part is absent, the error is about its parent. */
  fault(reason: string, way: Way, of?: 'name' | 'value'): SeedError;
  /** Where a part begins in the text, in UTF-16 units. */
  offset(way: Way, of?: 'name' | 'value'): number;
};

/** A `block.json`. This is some 5,000 fields. */
const MOST_LENGTH = 2 ** 20;

/** Nested objects and lists in a `block.json`. The parser recurses; a valid file needs five. */
const MOST_DEPTH = 16;

/** Parses JSON and refuses repeated names. Throws a SeedError with the line and column. */
function readPlacedJson(text: string, file: string): PlacedJson {
  if (text.length > MOST_LENGTH) {
    throw new SeedError(
      file,
      `over ${numberText(MOST_LENGTH)} characters; that is more than it may have`,
    );
  }
  const json = text.replace(/^\ufeff/, '');
  checkTokens(json, file);
  const root = rootOf(json, file);
  const partOf = (way: Way, of: 'name' | 'value') => {
    let node: ValueNode = root;
    for (const [i, step] of way.entries()) {
      const found = childOf(node, step);
      if (found === undefined) return node;
      if (of === 'name' && i === way.length - 1) return found.name ?? found.value;
      node = found.value;
    }
    return node;
  };
  const placed: PlacedJson = {
    value: JSON.parse(json),
    fault: (reason, way, of = 'value') => faultAt(file, reason, partOf(way, of).loc.start),
    offset: (way, of = 'value') => partOf(way, of).loc.start.offset,
  };
  checkNames(root, file);
  return placed;
}

type LineAndColumn = { readonly line: number; readonly column: number };

function faultAt(file: string, reason: string, { line, column }: LineAndColumn): SeedError {
  return new SeedError(file, reason, { line, column: String(column) });
}

/** Limits the depth, and refuses what the parser accepts although JSON forbids it. */
function checkTokens(json: string, file: string): void {
  let depth = 0;
  for (const { type, loc } of asJson(json, file, () => tokenize(json, { mode: 'json' }))) {
    if (type === 'LBrace' || type === 'LBracket') depth++;
    if (type === 'RBrace' || type === 'RBracket') depth--;
    if (depth > MOST_DEPTH) {
      throw faultAt(file, `over ${MOST_DEPTH} objects and lists in each other`, loc.start);
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids these in a text
    if (type === 'String' && /[\0-\x1f]/.test(json.slice(loc.start.offset, loc.end.offset))) {
      const reason = 'a text has a line end or a tab in it; write \\n or \\t, or close its quotes';
      throw faultAt(file, reason, loc.start);
    }
  }
}

function rootOf(json: string, file: string): ValueNode {
  return asJson(json, file, () => parse(json, { mode: 'json' }).body);
}

/** Says in our words where a text is not JSON. */
function asJson<T>(json: string, file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { line, column, offset } = error as LineAndColumn & { offset?: number };
    if (offset === undefined) throw error;
    const found = json[offset];
    const what =
      found === undefined ? 'it ends too early' : `${JSON.stringify(found)} is unexpected`;
    throw faultAt(file, `not valid JSON: ${what}; ${hintOf(found)}`, { line, column });
  }
}

function hintOf(found: string | undefined): string {
  if (found === undefined) return 'a } or ] is missing';
  if (found === '}' || found === ']') return 'there may be a comma too many, or a value missing';
  if (found === '/' || found === '#') return 'JSON has no comments';
  if (found === '"' || found === '{' || found === '[') return 'a comma or colon may be missing';
  return 'names and texts stand in double quotes';
}

function childOf(node: ValueNode, step: string | number) {
  if (node.type === 'Array') {
    const value = node.elements[Number(step)]?.value;
    return value && { name: undefined, value };
  }
  if (node.type !== 'Object') return undefined;
  return node.members.find(({ name }) => nameOf(name) === step);
}

type NameNode = Extract<ValueNode, { type: 'Object' }>['members'][number]['name'];

function nameOf(name: NameNode): string {
  return name.type === 'String' ? name.value : name.name;
}

/** Throws for the first name that is twice in an object. Most readers silently take the last. */
function checkNames(node: ValueNode, file: string): void {
  if (node.type === 'Array') for (const { value } of node.elements) checkNames(value, file);
  if (node.type !== 'Object') return;
  const first = new Map<string, number>();
  for (const { name, value } of node.members) {
    const known = first.get(nameOf(name));
    if (known !== undefined) {
      const reason = `${JSON.stringify(nameOf(name))} is given twice, first in line ${known}; leave one out`;
      throw faultAt(file, reason, name.loc.start);
    }
    first.set(nameOf(name), name.loc.start.line);
    checkNames(value, file);
  }
}
