import type { ListedFile } from '../formats/files.ts';
import { filesOfRows } from '../formats/formats.ts';
import type { JsonSchema, Value } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { BLOCKS_PATH, fileReference } from './addresses.ts';
import {
  type Block,
  type ColorRoles,
  type DatasetBlock,
  datasetOf,
  type Example,
} from './block.ts';
import type { BlockFigure } from './block-figure.ts';
import { type FoundAreas, foundAreas } from './found-areas.ts';
import type {
  DataSource,
  DatasetProfile,
  FieldStatistics,
  Manifest,
  VersionedSource,
} from './manifest.ts';
import { filtersOf, NOT, OR, type Parameter } from './parameter.ts';
import { NOT_AS_OBJECT, OR_AS_LIST, schemaOfArguments, withNotAsObject } from './schema.ts';

/** A block as it appears in the list of blocks. */
export type BlockSummary = Pick<Block, 'id' | 'name' | 'alias' | 'title' | 'description'> & {
  readonly url: string;
};

export function summariseBlock(block: Block): BlockSummary {
  const { id, name, alias, title, description } = block;
  return { id, name, alias, title, description, url: `${BLOCKS_PATH}/${name}` };
}

/** A block and what the import learned of its dataset. Documents are made from these. */
export type Described = {
  readonly block: Block;
  readonly manifest?: Manifest;
  /** For each text field, common values to filter by. */
  readonly suggestions?: DatasetProfile['suggestions'];
  /** The files of its version as they are now. */
  readonly filesNow?: (() => readonly ListedFile[]) | undefined;
};

/** Where a block's data come from: its dataset's source, or those that it computes with. */
export function sourcesOf({
  block,
  manifest,
}: Described): readonly Partial<DataSource & VersionedSource>[] {
  if (manifest !== undefined) return [manifest.source];
  return block.answers === 'value' ? (block.sources ?? []) : [];
}

/**
 * Reads blocks from JSON. JSON cannot hold what is compiled from a declaration, so that is made
 * again.
 */
export function describedIn(json: string): Described[] {
  return JSON.parse(json).map(
    ({ block, ...learned }: Described): Described => ({
      block: { ...block, filters: filtersOf(block.parameters, datasetOf(block)?.fields ?? []) },
      ...learned,
    }),
  );
}

/** The answer of a block's address to a request without arguments; only the members used here. */
export type BlockDescription = Omit<BlockSummary, 'url'> & {
  readonly parameters: readonly DescribedParameter[];
  readonly options: readonly DescribedParameter[];
  readonly examples: readonly Example[];
  /** For a block with rows: the plural noun for them. */
  readonly noun?: string;
  /** For a block with rows: the fields that come first. */
  readonly key_fields?: readonly string[];
  /** For a block whose publisher chose figures: what each says, and its address. */
  readonly figures?: readonly FoundFigure[];
  readonly color?: ColorRoles;
  /** For a block with rows: how many there are. */
  readonly dataset?: { readonly rows: number };
  /** For a block whose values name areas: which field, whose areas, and how many were found. */
  readonly boundaries?: FoundAreas;
  /** For a block with rows: the addresses of all rows as files. */
  readonly downloads?: Readonly<Record<string, string>>;
  /** For a block with files: their addresses, by the end of each. */
  readonly files?: Readonly<Record<string, string>>;
  readonly output_schema: JsonSchema;
};

/** A figure that the publisher chose, with the address of the page that shows it alone. */
export type FoundFigure = Omit<BlockFigure, 'ask'> & { readonly url: string };

export function figuresOf(block: Block): FoundFigure[] | undefined {
  const { url } = summariseBlock(block);
  return datasetOf(block)?.figures?.map(({ title, text, ask }) => ({
    title,
    text,
    url: `${url}?${ask}`,
  }));
}

export type DescribedParameter = Pick<
  Parameter,
  'name' | 'title' | 'description' | 'alias' | 'main' | 'field' | 'op' | 'unit'
> & {
  readonly type: Parameter['type'] | 'object';
  /** The character that matches any text. */
  readonly wildcard?: '*';
  /** Whether the value may be a list. */
  readonly list?: boolean;
  readonly required: boolean;
  /** The least and the greatest value in the dataset, if the values are ordered. */
  readonly range?: { readonly min: Value; readonly max: Value };
  readonly choices?: readonly string[];
};

/**
 * Writes everything that a caller needs to know about a block, as JSON text. `manifest` is required
 * if the block has a dataset.
 */
export function describeBlock(
  block: Block,
  manifest?: Manifest,
  files: readonly ListedFile[] = [],
): string {
  const { id, name, alias, title, description, lang, parameters, options, examples } = block;
  const { sources, color } = block.answers === 'value' ? block : {};
  const dataset = datasetOf(block);
  const { noun, keyFields, primaryKey } = dataset ?? {};
  const row = primaryKey?.map((field) => `{${field}}`).join(',') ?? '{version}-{position}';
  return JSON.stringify({
    id,
    name,
    alias,
    title,
    description,
    lang,
    method: 'POST',
    parameters: [
      ...parameters
        .filter(({ op }) => op !== 'not')
        .map((parameter) => describeParameter(parameter, block, manifest)),
      ...(parameters.some(({ op }) => op === 'not') ? [NOT_PARAMETER, OR_PARAMETER] : []),
    ],
    options: options.map((option) => describeParameter(option, block)),
    examples,
    noun,
    key_fields: keyFields,
    figures: figuresOf(block),
    row_url: manifest && `${summariseBlock(block).url}/rows/${row}`,
    color,
    input_schema: {
      description: WRITTEN_ONE_WAY,
      ...withNotAsObject(schemaOfArguments([...parameters, ...options])),
    },
    output_schema: block.outputSchema,
    sources,
    boundaries: dataset && manifest && foundAreas(dataset, manifest),
    dataset: manifest && {
      ...manifest.source,
      version: manifest.version,
      rows: manifest.rows,
      bad_rows: manifest.badRows && {
        mended: manifest.badRows.mended,
        set_aside: manifest.badRows.setAside,
      },
    },
    downloads: manifest && downloadsOf(block, manifest),
    ...(manifest === undefined || files.length === 0 ? {} : filesOf(block, manifest, files)),
  });
}

/** The addresses of the current version's files, and of those of each version that is kept. */
function filesOf(block: Block, { version, rows, source }: Manifest, files: readonly ListedFile[]) {
  const addressOf = (extension: string, of?: string) =>
    `${BLOCKS_PATH}/${fileReference(block.name, extension, of)}`;
  return {
    files: Object.fromEntries(files.map(({ extension: end }) => [end, addressOf(end)])),
    versions: [
      {
        id: version,
        date: source.date,
        rows,
        files: files.map(({ extension, contentType: type, bytes }) => ({
          ...{ url: addressOf(extension, version), type, bytes },
        })),
      },
    ],
  };
}

/**
 * Marks the schema of arguments in their normal form. A program needs no other form to write them.
 */
const WRITTEN_ONE_WAY =
  "One way to write each argument. A request may write them in others too: a number as decimal text, a list of choices as one text with commas, null or blank text for what is not given, in a query or a form _not.field and _or.1.field. The block's OpenAPI document, openapi.json below its address, has all of them.";

/** The addresses of all rows as a file in each format, and of the Data Package. */
function downloadsOf(block: Block, { rows }: Manifest): Readonly<Record<string, string>> {
  const { url } = summariseBlock(block);
  const files = filesOfRows(block.formats, rows);
  return {
    ...Object.fromEntries(files.map((format) => [format, `${url}?_format=${format}`])),
    datapackage: `${url}/${DATA_PACKAGE}`,
  };
}

const NOT_PARAMETER: DescribedParameter = { name: NOT, ...NOT_AS_OBJECT, required: false };

const OR_PARAMETER: DescribedParameter = {
  name: OR,
  ...OR_AS_LIST,
  type: 'object',
  list: true,
  required: false,
};

function describeParameter(parameter: Parameter, block: Block, manifest?: Manifest) {
  const { name, title, description, alias, main, field, op, type, list } = parameter;
  const { unit, minimum, maximum, required = false, default: byDefault, choices } = parameter;
  const examples = block.examples.flatMap(({ arguments: given }) =>
    Object.hasOwn(given, name) ? [given[name]] : [],
  );
  const { field: filtered, statistics, range } = observedBy(parameter, block, manifest);
  const wildcard = filtered && typeOf(filtered).wildcard;
  const { nulls, distinct, values } = statistics ?? {};
  return {
    name,
    title,
    description,
    alias,
    main,
    field,
    op,
    type,
    list,
    wildcard,
    unit,
    minimum,
    maximum,
    required,
    default: byDefault,
    choices,
    range,
    nulls,
    distinct,
    values,
    examples: examples.length === 0 ? undefined : examples,
  };
}

/** The field that a parameter filters, and what the manifest knows of its values. */
export type Observed = {
  readonly field: Field | undefined;
  readonly statistics: FieldStatistics | undefined;
  readonly range: { readonly min: Value; readonly max: Value } | undefined;
};

export function observedBy({ name }: Parameter, block: Block, manifest?: Manifest): Observed {
  const field = block.filters.get(name)?.field;
  const statistics = field && manifest?.fields[field.name];
  return { field, statistics, range: field && rangeOf(field, statistics) };
}

/** The least and the greatest of a field's values, in the form that callers read. */
export function rangeOf(
  field: Field,
  statistics?: FieldStatistics,
): { min: Value; max: Value } | undefined {
  const type = typeOf(field);
  const { min, max } = statistics ?? {};
  if (type.comparedBy !== 'number' || min === undefined || max === undefined) return undefined;
  return { min: type.valueOf(min, field), max: type.valueOf(max, field) };
}

/** The name of the descriptor's file, under a block's address. */
export const DATA_PACKAGE = 'datapackage.json';

/** The name of the OpenAPI document of all blocks, and below a block's address of its own. */
export const OPENAPI = 'openapi.json';

const PROFILES = 'https://datapackage.org/profiles/2.0';

/** A file that a Data Package is of. */
type ResourceFile = { readonly path: string; readonly bytes?: number | undefined };

/**
 * Describes a dataset as a Data Package v2 (datapackage.org) with one resource: all rows as the CSV
 * at `path`. In that file texts must be unchanged.
 */
export function dataPackageOf(
  block: DatasetBlock,
  manifest: Manifest,
  { path, bytes }: ResourceFile,
): object {
  const { version, badRows, fields: statistics } = manifest;
  const { name, title, description, fields, primaryKey, origin } = block;
  return {
    $schema: `${PROFILES}/datapackage.json`,
    name,
    title,
    description,
    version,
    ...origin,
    badRows,
    figures: figuresOf(block),
    resources: [
      {
        $schema: `${PROFILES}/dataresource.json`,
        name,
        title,
        path,
        bytes,
        type: 'table',
        format: 'csv',
        mediatype: 'text/csv',
        encoding: 'utf-8',
        schema: {
          $schema: `${PROFILES}/tableschema.json`,
          fields: fields.map((field) => fieldOf(field, statistics[field.name])),
          missingValues: [''],
          primaryKey,
        },
      },
    ],
  };
}

function fieldOf(field: Field, statistics?: FieldStatistics): object {
  const { name, title, description, unit } = field;
  return { name, title, description, ...tableType(field, statistics), unit };
}

/** Table Schema has types of its own for JSON Schema's formats of dates and times. */
function tableType(
  field: Field,
  { min = 0, max = 0 }: Partial<FieldStatistics> = {},
): { type: string; format?: string } {
  const { json, format } = typeOf(field);
  if (format === 'date') return { type: 'date' };
  if (format === 'date-time') return { type: 'datetime' };
  // Integers this large are written with an exponent, which Table Schema allows only in numbers.
  if (json === 'integer' && Math.max(-min, max) >= 1e21) return { type: 'number' };
  return { type: json, format };
}
