import type { Field } from './field.ts';
import { ROW_OPTIONS, rowOptions, valueOptions } from './options.ts';
import { type Parameter, parametersOfFields } from './parameter.ts';
import { type JsonSchema, schemaOfRow } from './schema.ts';

/** A call that works, shown in documents and run by tests. */
export type Example = {
  readonly title: string;
  readonly arguments: Readonly<Record<string, unknown>>;
};

/** A data function: what it is called, what it takes, and what it answers with. */
export type Block = {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly options: readonly Parameter[];
  /** Options that other blocks take: known here, not used, and warned of. */
  readonly unusedOptions: readonly string[];
  readonly examples: readonly Example[];
  /** JSON Schema of the answer's `params`. */
  readonly outputSchema: JsonSchema;
  readonly answers: 'rows' | 'value';
};

/** A block that filters a dataset: its parameters and its output follow from the fields. */
export type DatasetBlock = Block & { readonly answers: 'rows'; readonly fields: readonly Field[] };

type Declared = Pick<Block, 'id' | 'name' | 'title' | 'description' | 'examples'>;

/** Declares a block that filters a dataset. Throws a TypeError where a name cannot be one. */
export function datasetBlock(declared: Declared & { fields: readonly Field[] }): DatasetBlock {
  const { fields } = declared;
  const names = fields.map(({ name }) => name);
  const parameters = parametersOfFields(fields);
  const ofRanges = parameters.filter(({ kind }) => kind === 'number').map(({ name }) => name);
  checkNames(declared, [...names, ...ofRanges]);
  return {
    ...declared,
    parameters,
    options: rowOptions(names),
    unusedOptions: [],
    outputSchema: schemaOfRow(fields),
    answers: 'rows',
  };
}

/** Declares a block that computes one value from its arguments. */
export function valueBlock(
  declared: Declared & {
    parameters: readonly Parameter[];
    outputSchema: JsonSchema & { readonly properties: Readonly<Record<string, unknown>> };
  },
): Block {
  const { parameters, outputSchema } = declared;
  checkNames(
    declared,
    parameters.map(({ name }) => name),
  );
  return {
    ...declared,
    options: valueOptions(Object.keys(outputSchema.properties)),
    unusedOptions: ROW_OPTIONS,
    answers: 'value',
  };
}

/** Throws where two blocks could be meant by one address. */
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

const RESERVED = new Set([
  'api_key',
  '__proto__',
  ...[...rowOptions([]), ...valueOptions([])].map(({ name }) => name),
]);

function checkNames({ name: block }: Declared, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw new TypeError(`Block ${block}: ${name} cannot be a name; use letters, digits and _.`);
    }
    if (RESERVED.has(name)) throw new TypeError(`Block ${block}: ${name} is reserved.`);
    if (seen.has(name)) throw new TypeError(`Block ${block}: ${name} names two things.`);
    seen.add(name);
  }
}
