import { isBlank } from '../arguments/given.ts';
import type { DescribedParameter } from '../block/describe-block.ts';
import { COLUMN_OF_GROUPS } from '../block/grouping.ts';
import { fold } from '../values/fold.ts';
import { nearName } from '../values/near-name.ts';
import { numberText, shorten } from '../values/wording.ts';
import { type FindTerm, fieldOf } from './terms.ts';

/**
 * A value as the service takes it. If its choices are fields, short names become the fields' names
 * (`_sort:-density`, `_fields:name,density`), and unknown names are faults here, since the service
 * would suggest long names. Any other value stays as typed.
 */
export function readChoice(
  { name, type, list = false, choices = [] }: DescribedParameter,
  value: string,
  terms: FindTerm,
): { readonly value: string } | { readonly fault: string } {
  if (name === '_measure') return { value: withWholeNames(value, terms) };
  const names = type === 'choice' ? namesOfFields(choices, terms) : undefined;
  if (names === undefined) return { value };
  // Compare as the service does.
  const folded = new Set(choices.map(fold));
  const parts = (list ? value.split(',') : [value]).map((part) => part.trim());
  const read = parts.map((part) =>
    isBlank(part) || folded.has(fold(part))
      ? part
      : (fieldNamed(part, choices, terms) ?? ofGroups(name, part, choices, terms)),
  );
  const unknown = parts.filter((_, i) => read[i] === undefined);
  return unknown.length === 0
    ? { value: read.join(',') }
    : { fault: `${name}: ${notFields(unknown, names)}` };
}

/** Short names of fields in measures become the fields' names: `sum:units`. */
function withWholeNames(value: string, terms: FindTerm): string {
  return value.replaceAll(/:([^,:]+)/g, (typed, name: string) => {
    const term = terms.find(name.trim());
    return term === undefined ? typed : `:${fieldOf(term)}`;
  });
}

/** The most unknown names to list: with more of them, something else is wrong. */
const MOST_TOLD = 3;

function notFields(unknown: readonly string[], names: readonly string[]): string {
  const told = unknown.slice(0, MOST_TOLD).map((part) => ({ part, near: nearName(part, names) }));
  const more = unknown.length - told.length;
  return [
    ...told.map(({ part, near }) => {
      const fix = near === undefined ? '' : ` Did you mean ${near}?`;
      return `“${shorten(part)}” is not a field.${fix}`;
    }),
    ...(more > 0 ? [`And ${numberText(more)} more.`] : []),
    ...(told.some(({ near }) => near === undefined) ? ['help after the block lists them.'] : []),
  ].join(' ');
}

/** The choice for the field with this short name, if there is one. */
function fieldNamed(part: string, choices: readonly string[], terms: FindTerm): string | undefined {
  const [sign, name] = signed(part);
  const term = terms.find(name);
  const choice = term === undefined ? undefined : sign + fieldOf(term);
  return choice !== undefined && choices.includes(choice) ? choice : undefined;
}

/** A part of a field, `height.10`, or a column that only groups have; undefined if it is neither. */
function ofGroups(
  name: string,
  part: string,
  choices: readonly string[],
  terms: FindTerm,
): string | undefined {
  if (name === '_sort' || name === '_fields') return COLUMN_OF_GROUPS.test(part) ? part : undefined;
  const [, whole = '', by] = /^([^.]+)\.(.+)$/.exec(part) ?? [];
  const field =
    choices.find((one) => fold(one) === fold(whole)) ?? fieldNamed(whole, choices, terms);
  return by === undefined || field === undefined ? undefined : `${field}.${by}`;
}

/** All names of each choice, the short one first; undefined if the choices are not fields. */
function namesOfFields(choices: readonly string[], terms: FindTerm): string[] | undefined {
  const found = choices.map((choice) => fieldTerm(choice, terms));
  if (found.every((term) => term === undefined)) return undefined;
  return choices.flatMap((choice, i) => {
    const [sign] = signed(choice);
    return [...new Set([...(found[i]?.names ?? []).map((name) => sign + name), choice])];
  });
}

function fieldTerm(choice: string, terms: FindTerm) {
  const [, name] = signed(choice);
  const term = terms.find(name);
  return term !== undefined && fieldOf(term) === name ? term : undefined;
}

/** Splits `-density` into its sign and its name. */
function signed(text: string): [sign: string, name: string] {
  return text.startsWith('-') ? ['-', text.slice(1)] : ['', text];
}
