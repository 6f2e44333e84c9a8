import { isBlank, type Members } from '../arguments/given.ts';
import type { BlockDescription } from '../block/describe-block.ts';
import { fieldsAskedAbout, isGrouped } from '../query/answer-in-words.ts';
import { DISTANCE } from '../values/places.ts';
import { SLACK_LIMITS } from './limits.ts';

/** The fields of a block's rows, each with its title. */
export function fieldTitles({ output_schema }: BlockDescription): ReadonlyMap<string, string> {
  const { properties } = output_schema as RowsSchema;
  const fields = properties?.results?.items?.properties ?? {};
  return new Map(Object.entries(fields).map(([name, { title }]) => [name, title ?? name]));
}

type RowsSchema = {
  readonly properties?: {
    readonly results?: {
      readonly items?: { readonly properties?: Readonly<Record<string, { title?: string }>> };
    };
  };
};

/**
 * The arguments to send to a block: for rows, at most a table's number of rows, and only the key
 * fields and those that the arguments are about, unless the caller chose otherwise.
 */
export function argumentsToRun(block: BlockDescription, given: Members): Members {
  const { key_fields: keyFields } = block;
  if (keyFields === undefined) return given;
  const isGiven = (name: string) => Object.hasOwn(given, name) && !isBlank(given[name]);
  // It is in each row, whatever fields are asked for.
  const all = [...fieldTitles(block).keys()].filter((name) => name !== DISTANCE.name);
  const fields = fieldsAskedAbout(keyFields, block.parameters, given, all);
  return {
    ...given,
    ...(isGiven('_fields') || isGrouped(given)
      ? {}
      : { _fields: fields.slice(0, SLACK_LIMITS.tableColumns) }),
    ...(isGiven('_limit') ? {} : { _limit: SLACK_LIMITS.tableRows - 1 }),
  };
}
