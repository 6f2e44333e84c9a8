import type { JsonSchema } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import type { Block, DatasetBlock } from './block.ts';
import { type Parameter, parametersOfFields } from './parameter.ts';
import { optionsOfOneRow } from './row-key.ts';
import { schemaOfArguments, schemaOfValue } from './schema.ts';

/** A block's `schema.json`. The form of each value is a definition. */
export type ArgumentSchema = JsonSchema & { readonly $defs: Readonly<Record<string, JsonSchema>> };

/** The name of the file, in a block's folder and beside its function's code. */
export const ARGUMENT_SCHEMA = 'schema.json';

/**
 * JSON Schema (2020-12) of a block's arguments and options after normalising, which ajv compiles:
 * parameters of one form share a definition. It also defines the forms of what has no fixed name:
 * filters on groups, and the options of one row.
 */
export function argumentSchema(block: Block): ArgumentSchema {
  const all = [...block.parameters, ...block.options];
  const defs = new Map<string, { readonly name: string; readonly form: JsonSchema }>();
  const names = new Set<string>();
  const refOf = (parameter: Parameter, of = ''): string => {
    const form = schemaOfValue(parameter);
    const text = JSON.stringify(form);
    const found = defs.get(text);
    if (found !== undefined) return found.name;
    const usual = of + (parameter.type === 'choice' ? parameter.name : formName(parameter));
    const name = names.has(usual) ? of + parameter.name : usual;
    defs.set(text, { name, form });
    names.add(name);
    return name;
  };
  const { $schema, ...schema } = schemaOfArguments(all, (parameter) => ({
    $ref: `#/$defs/${refOf(parameter)}`,
  }));
  if (block.answers === 'rows') {
    for (const parameter of filtersOnGroups(block)) refOf(parameter, 'groups.');
    for (const option of optionsOfOneRow(block)) refOf(option, 'row.');
  }
  return {
    $schema,
    $comment:
      'Arguments after normalising, which docs/semantics.md describes. Made by `npm run generate`.',
    title: block.title,
    ...schema,
    $defs: Object.fromEntries([...defs.values()].map(({ name, form }) => [name, form])),
  };
}

/** `number`, `text.list`, `datetime.local`. */
function formName({ type, list, local }: Parameter): string {
  return [type, local ? 'local' : '', list ? 'list' : ''].filter(Boolean).join('.');
}

/** Columns of groups are fields, counts, and parts of time, which are numbers or texts. */
function filtersOnGroups({ fields }: DatasetBlock): Parameter[] {
  const columns: Field[] = [
    { type: 'number', name: 'number', title: '' },
    { type: 'text', name: 'text', title: '' },
    ...fields,
  ];
  return parametersOfFields(columns).filter(({ op }) => op !== undefined && op !== 'not');
}
