import type { ErrorObject } from 'ajv/dist/2020.js';
import { isInexact, suggestDecimal } from './decimal.ts';
import type { Fault, FaultCode } from './errors.ts';
import { nearName } from './near-name.ts';
import {
  MOST_LIST_MEMBERS,
  MOST_TEXT_LENGTH,
  MOST_TOKEN_LENGTH,
  type NumberParameter,
  type Parameter,
} from './parameter.ts';
import { shorten } from './shorten.ts';

type Values = Readonly<Record<string, unknown>>;

/** A fault of an argument, and the index of the member where it is of a list. */
export type ArgumentFault = Fault & { readonly parameter: string; readonly member?: string };

/**
 * One of ajv's errors as ours: what was wrong, what was expected, where, and the likely fix.
 * `index` is the member of a list.
 */
export function faultOf(
  error: ErrorObject,
  parameter: Parameter,
  values: Values,
  index?: string,
): ArgumentFault[] {
  const { name } = parameter;
  const whole = Object.hasOwn(values, name) ? values[name] : undefined;
  const value = index === undefined ? whole : (whole as unknown[])[Number(index)];
  const fault = (code: FaultCode, detail: string, more: Partial<Fault> = {}): ArgumentFault[] => [
    { code, detail, ...more, parameter: name, ...(index === undefined ? {} : { member: index }) },
  ];
  switch (error.keyword) {
    case 'required':
      return fault('missing-parameter', `${name} is required: ${expected(parameter)}.`);
    case 'type':
      return fault(...wrongType(parameter, value));
    case 'enum':
      return fault(...wrongChoice(parameter, value));
    case 'minimum':
    case 'maximum':
      return fault('out-of-range', `${name} is ${shown(value)}; expected ${expected(parameter)}.`);
    case 'maxLength':
      return fault('text-too-long', tooLong(parameter));
    case 'maxItems':
      return fault(
        'list-too-long',
        `${name} has more than ${MOST_LIST_MEMBERS} members, the most that are taken.`,
      );
    case 'minItems':
      return fault(...wrongChoice(parameter, value));
    case 'pattern':
      return fault('no-digits', `${name} is compared by its digits, and ${shown(value)} has none.`);
    case 'x-not-below':
      return minAboveMax(error.params.low, parameter, values);
    default:
      throw new Error(`The schema keyword ${error.keyword} has no fault of ours.`);
  }
}

function wrongType(parameter: Parameter, value: unknown): [FaultCode, string, Partial<Fault>?] {
  const { name, kind } = parameter;
  const wanted = `expected ${expected(parameter)}`;
  if (Array.isArray(value) && kind !== 'text' && kind !== 'choices') {
    return ['not-one-value', `${name} takes one value, not a list; ${wanted}.`];
  }
  if (kind === 'number') {
    if (parameter.integer && typeof value === 'number') {
      return ['not-an-integer', `${name} is ${shown(value)}; ${wanted}.`];
    }
    const suggestion = typeof value === 'string' ? suggestDecimal(value) : undefined;
    const fix =
      suggestion === undefined
        ? typeof value === 'string' && isInexact(value)
          ? ' No number here has so many digits, or is so small.'
          : ''
        : ` Write ${suggestion}.`;
    return [
      'not-a-number',
      `${name} is ${shown(value)}, which is not a number; ${wanted}.${fix}`,
      suggestion === undefined ? {} : { suggestion },
    ];
  }
  if (kind === 'text' || kind === 'token') {
    const fix =
      typeof value === 'number' && Number.isInteger(value)
        ? ' JSON rounds a number of so many digits: write it in quotes.'
        : '';
    return ['not-text', `${name} is ${shown(value)}; ${wanted}.${fix}`];
  }
  return wrongChoice(parameter, value);
}

function wrongChoice(parameter: Parameter, value: unknown): [FaultCode, string, Partial<Fault>] {
  const allowed = 'choices' in parameter ? parameter.choices : ['true', 'false'];
  const suggestion = typeof value === 'string' ? nearName(value, allowed) : undefined;
  const fix = suggestion === undefined ? expectedOneOf(allowed) : `. Did you mean ${suggestion}?`;
  return [
    'not-a-choice',
    `${parameter.name} does not know ${shown(value)}${fix}`,
    { allowed, ...(suggestion === undefined ? {} : { suggestion }) },
  ];
}

export function expectedOneOf(allowed: readonly string[]): string {
  return `; expected one of ${listed(allowed)}.`;
}

function minAboveMax(low: string, { name: high }: Parameter, values: Values): ArgumentFault[] {
  const detail = `${low} is ${shown(values[low])} and ${high} is ${shown(values[high])}: no row can match. Swap them, or leave one out.`;
  return [low, high].map((parameter) => ({ code: 'min-above-max' as const, detail, parameter }));
}

function tooLong({ name, kind }: Parameter): string {
  const most = kind === 'token' ? MOST_TOKEN_LENGTH : MOST_TEXT_LENGTH;
  return `${name} takes at most ${most} characters a value.`;
}

function expected(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'number':
      return expectedNumber(parameter);
    case 'text':
      return `text of at most ${MOST_TEXT_LENGTH} characters, or a list of at most ${MOST_LIST_MEMBERS} such texts`;
    case 'token':
      return 'text';
    case 'flag':
      return 'true or false';
    default:
      return `one of ${listed(parameter.choices)}`;
  }
}

function expectedNumber({ integer, minimum, maximum, unit }: NumberParameter): string {
  const kind = integer ? 'a whole number' : 'a number such as 5, -76.61 or 1e3';
  const range = minimum === undefined ? '' : ` from ${minimum} to ${maximum}`;
  return `${kind}${range}${unit === undefined ? '' : ` (${unit})`}`;
}

function listed(names: readonly string[]): string {
  return names.length <= 12 ? names.join(', ') : `${names.slice(0, 12).join(', ')}, …`;
}

/** A caller's value, short enough to quote. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(shorten(value));
}
