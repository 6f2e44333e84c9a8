import { type Fault, MOST_FAULTS, type Warning } from '../problem/errors.ts';
import { shorten } from '../words/shorten.ts';
import type { Members } from './given.ts';
import type { KnownNames, QueryNames } from './known-names.ts';
import { isBlank } from './normalise.ts';

/**
 * What a block takes and the address of one of its rows does not. A filter is refused, since the
 * row may not match it; an option that would change nothing about one row is only named.
 */
export function ofAllRows(
  query: Members,
  { ofAllRows: names }: QueryNames,
  { ofAllRows: all }: KnownNames,
): { readonly faults: readonly Fault[]; readonly warnings: readonly Warning[] } {
  const given = names.filter((name) => !isBlank(query[name]));
  const filters = given.filter((name) => all?.isParameter(name));
  const options = given.filter((name) => !all?.isParameter(name));
  return {
    faults: filters.slice(0, MOST_FAULTS + 1).map(filterOfOneRow),
    warnings: options.map(optionOfOneRow),
  };
}

function filterOfOneRow(name: string): Fault {
  const parameter = shorten(name);
  const detail = `${parameter} selects among rows, and this is the address of one row. Leave it out, or send it to the block's own address.`;
  return { code: 'unknown-parameter', detail, parameter };
}

function optionOfOneRow(name: string): Warning {
  const message = `${name} is for answers with several rows, and this is the address of one; it was not used.`;
  return { title: 'Option not used', message, parameter: name };
}
