import { alternativesIn } from '../block/alternative.ts';
import type { DatasetBlock } from '../block/block.ts';
import { givenFilters } from '../block/filters.ts';
import { EMPTY, FILLED, type Operator, operatorName } from '../block/parameter.ts';
import { BBOX, NEAR, Q, WITHIN } from '../block/search-parameters.ts';
import type { Field } from '../fields/field-types.ts';
import { typeOf } from '../fields/field-types.ts';
import { splitAtWildcards } from '../query/pattern.ts';
import { inSentence } from './in-sentence.ts';

/** A filter in words, and the parameters that it comes from. */
export type FilterText = {
  readonly parameters: readonly string[];
  readonly text: string;
  /** If it consists of alternatives: each filter in them. */
  readonly within?: readonly FilterText[];
};

/** The filter of these parameters in words; their names if there is none. */
export function textOfFilter(
  filters: readonly FilterText[],
  parameters: readonly string[],
): string {
  const names = parameters.join(', ');
  const all = filters.flatMap((filter) => [filter, ...(filter.within ?? [])]);
  return all.find((filter) => filter.parameters.join(', ') === names)?.text ?? names;
}

/** Describes valid arguments in words: `street address contains “court st”`. */
export function describeFilters(
  block: Pick<DatasetBlock, 'fields' | 'parameters'>,
  values: Readonly<Record<string, unknown>>,
): FilterText[] {
  const texts: FilterText[] = [];
  for (const { field, parameter } of givenFilters(block, values)) {
    const { name, op = 'is' } = parameter;
    const last = texts.at(-1);
    const said = saying(field, op, values[name]);
    const title = inSentence(field.title);
    if (op === 'max' && last?.parameters[0] === operatorName(field.name, 'min')) {
      const parameters = [...last.parameters, name];
      const [low, high] = parameters.map((one) => shown(field, values[one]));
      // The unit stands once, behind both.
      const { unit: _, ...bare } = field;
      const from = shown(bare, values[parameters[0] as string]);
      const text = low === high ? `is ${low}` : `is from ${from} to ${high}`;
      texts.splice(-1, 1, { parameters, text: `${title} ${text}` });
    } else texts.push({ parameters: [name], text: `${title} ${said}` });
  }
  const have = (option: string, what: string): FilterText[] => {
    const names = (values[option] ?? []) as readonly string[];
    const titles = [...new Set(names)].map((name) =>
      inSentence(block.fields.find((field) => field.name === name)?.title ?? name),
    );
    if (titles.length === 0) return [];
    const verb = titles.length === 1 ? 'has' : 'have';
    return [{ parameters: [option], text: `${titles.join(' and ')} ${verb} ${what}` }];
  };
  return [
    ...texts,
    ...anyOf(block, values),
    ...have(EMPTY, 'no value'),
    ...have(FILLED, 'a value'),
    ...sought(values[Q] as string | undefined),
    ...inBox(values[BBOX] as string | undefined),
    ...nearby(values),
  ];
}

function anyOf(
  block: Pick<DatasetBlock, 'fields' | 'parameters'>,
  values: Readonly<Record<string, unknown>>,
): FilterText[] {
  const all = alternativesIn(values).map(({ prefix, values }) =>
    describeFilters(block, values).map(({ parameters, text }) => ({
      parameters: parameters.map((name) => prefix + name),
      text,
    })),
  );
  if (all.length === 0) return [];
  const text = all.map((texts) => texts.map((one) => one.text).join(' and ')).join(', or ');
  const within = all.flat();
  return [{ parameters: within.flatMap(({ parameters }) => parameters), text, within }];
}

function nearby({
  [NEAR]: place,
  [WITHIN]: within,
}: Readonly<Record<string, unknown>>): FilterText[] {
  if (place === undefined) return [];
  return within === undefined
    ? [{ parameters: [NEAR], text: `there is a place, nearest to ${place} first` }]
    : [{ parameters: [NEAR, WITHIN], text: `place is within ${within} of ${place}` }];
}

function sought(words: string | undefined): FilterText[] {
  return words === undefined ? [] : [{ parameters: [Q], text: `some text has “${words}”` }];
}

function inBox(box: string | undefined): FilterText[] {
  if (box === undefined) return [];
  const [west, south, east, north] = box.split(',');
  const text = `place is from ${west} to ${east} by longitude and from ${south} to ${north} by latitude`;
  return [{ parameters: [BBOX], text }];
}

function saying(field: Field, op: Operator, value: unknown): string {
  if (op === 'min') return `is at least ${shown(field, value)}`;
  if (op === 'max') return `is at most ${shown(field, value)}`;
  const members = [value].flat();
  if (typeOf(field).comparedBy === 'text') {
    const phrases = members.map((member) => matching(member as string, op === 'not'));
    return phrases.join(op === 'not' ? ' and ' : ' or ');
  }
  const values = members.map((member) => shown(field, member)).join(' or ');
  return op === 'not' ? `is not ${values}` : `is ${values}`;
}

function shown(field: Field, value: unknown): string {
  const type = typeOf(field);
  return type.comparedBy === 'number' ? type.shown(value, field) : String(value);
}

/** Says what a text filter asks for or, if `not`, what it rules out. */
function matching(text: string, not: boolean): string {
  const parts = splitAtWildcards(text);
  const [first = '', second = '', third] = parts;
  const verb = (verb: string, negated: string, what: string) => `${not ? negated : verb} “${what}”`;
  if (parts.length > 1 && parts.every((part) => part === '')) {
    return not ? 'has no value' : 'has a value';
  }
  if (parts.length === 1) return verb('is', 'is not', first);
  if (parts.length === 2 && second === '') return verb('begins with', 'does not begin with', first);
  if (parts.length === 2 && first === '') return verb('ends with', 'does not end with', second);
  if (parts.length === 3 && first === '' && third === '') {
    return verb('contains', 'does not contain', second);
  }
  return verb('matches', 'does not match', text);
}
