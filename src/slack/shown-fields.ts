import type { Members } from '../core/arguments.ts';
import type { BlockDescription } from '../core/describe-block.ts';
import { isBlank } from '../core/normalise.ts';
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
 * What to ask a block with rows for: the arguments, no more rows than a table has, and of their
 * fields those that come first and those that the arguments are about. What the caller chose stays.
 */
export function argumentsToRun(block: BlockDescription, given: Members): Members {
  const { key_fields: keyFields } = block;
  if (keyFields === undefined) return given;
  const isGiven = (name: string) => Object.hasOwn(given, name) && !isBlank(given[name]);
  const titles = fieldTitles(block);
  const named = Object.keys(given).filter(isGiven).concat(sortedBy(given));
  const asked = named
    .map((name) => block.parameters.find((one) => one.name === name)?.field ?? name)
    .filter((name) => titles.has(name));
  const fields = [...new Set([...keyFields, ...asked])].slice(0, SLACK_LIMITS.tableColumns);
  return {
    ...given,
    ...(isGiven('_fields') ? {} : { _fields: fields }),
    ...(isGiven('_limit') ? {} : { _limit: SLACK_LIMITS.tableRows - 1 }),
  };
}

function sortedBy({ _sort: sort }: Members): string[] {
  return typeof sort === 'string' ? [sort.trim().replace(/^-/, '')] : [];
}
