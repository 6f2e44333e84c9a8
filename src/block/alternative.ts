import type { Parameter } from './parameter.ts';

/** The alternatives of which a row must match at least one: `_or.1.f`, or a list of objects. */
export const OR = '_or';
export const MOST_ALTERNATIVES = 4;

/** A name such as `_or.2.f` or `_or.2._not.f`: its alternative, and the filter's own name. */
export type AlternativeName = {
  readonly number: number;
  readonly prefix: string;
  readonly name: string;
};

const NAMED = /^_or\.([1-4])\.(.+)$/s;

export function alternativeName(name: string): AlternativeName | undefined {
  if (!name.startsWith(OR)) return undefined;
  const [, number, own] = NAMED.exec(name) ?? [];
  if (number === undefined || own === undefined) return undefined;
  return { number: Number(number), prefix: prefixOf(Number(number)), name: own };
}

/** What the names of an alternative's filters begin with, counted from 1. */
export function prefixOf(number: number): string {
  return `${OR}.${number}.`;
}

/** An alternative's filters, by their own names. */
export type Alternative = {
  readonly prefix: string;
  readonly values: Readonly<Record<string, unknown>>;
};

/** The alternatives among some arguments, in the order of their numbers. */
export function alternativesIn(values: Readonly<Record<string, unknown>>): Alternative[] {
  const found = new Map<number, Alternative & { values: Record<string, unknown> }>();
  for (const given of Object.keys(values)) {
    const its = alternativeName(given);
    if (its === undefined) continue;
    const { number, prefix, name } = its;
    const alternative = found.get(number) ?? { prefix, values: Object.create(null) };
    alternative.values[name] = values[given];
    found.set(number, alternative);
  }
  return [...found].sort(([a], [b]) => a - b).map(([, alternative]) => alternative);
}

/** A filter as a parameter of an alternative. Made when it is asked for: there are many. */
export function alternativeParameter(
  name: string,
  parameterOf: (name: string) => Parameter | undefined,
): Parameter | undefined {
  const its = alternativeName(name);
  const parameter = its && parameterOf(its.name);
  return parameter?.field === undefined ? undefined : { ...parameter, name };
}
