import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import type { Language } from '../languages/language.ts';
import { ownMember, type Row } from '../values/field-type.ts';
import { isNumeric, typeOf } from '../values/field-types.ts';
import { isPlace } from './row-facts.ts';

/** Whose rows are named, and how many have which names. */
type Named = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly language: Language;
};

/** What people call a row; and the field that says just this, so that it need not be said again. */
export type RowName = { readonly name: string; readonly field?: string };

/** Characters of a row's name. */
const MOST_NAME = 300;

/**
 * A row's name: its first key field with a name, if most rows have another one there; or else its
 * primary key, or else that name all the same, or else the first key field that tells most rows apart.
 */
export function rowName({ block, manifest, language }: Named, row: Row): RowName {
  const { primaryKey, keyFields, fields, noun } = block;
  const byName = new Map(fields.map((field) => [field.name, field]));
  const isName = (name: string) => {
    const field = byName.get(name);
    return field !== undefined && typeOf(field).isName && isText(row[name]);
  };
  const tells = (name: string) => tellsApart(manifest, name);
  const named = keyFields.find(isName);
  const other = keyFields.find((name) => row[name] != null && tells(name));
  const best = named !== undefined && tells(named) ? named : undefined;
  const names = best !== undefined ? [best] : (primaryKey ?? [named ?? other ?? []].flat());
  const texts = names.flatMap((name) => {
    const value = row[name] ?? null;
    const field = byName.get(name);
    if (value === null || field === undefined) return [];
    // A number alone would not say what it is.
    return isNumeric(field) ? `${field.title} ${value}` : String(value).trim();
  });
  const name = texts.join(', ');
  if (name === '') return { name: language.say('One of the {noun}', { noun }) };
  if (name.length > MOST_NAME) return { name: `${name.slice(0, MOST_NAME).toWellFormed()}…` };
  const [field, another] = names;
  return field === undefined || another !== undefined ? { name } : { name, field };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && !isPlace(value);
}

/** Whether most rows have another value in a field. */
export function tellsApart({ fields, rows }: Manifest, name: string): boolean {
  return 2 * (ownMember(fields, name)?.distinct ?? 0) >= rows;
}
