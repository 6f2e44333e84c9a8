import type { Parameter } from '../block/parameter.ts';
import { MOST_LIST_MEMBERS, MOST_TEXT_LENGTH, MOST_TOKEN_LENGTH } from '../fields/field-type.ts';
import { quotedValue } from '../fields/quoted-value.ts';
import type { Fault, FaultCode } from '../problem/errors.ts';
import { numberText } from '../words/number-text.ts';
import { argumentTypeOf } from './argument-types.ts';

type Values = Readonly<Record<string, unknown>>;

/** A fault of an argument; `member` is the index if the fault is in a list. */
export type ArgumentFault = Fault & { readonly parameter: string; readonly member?: string };

/**
 * Turns one of ajv's errors, by its keyword, into a fault: what was wrong, where, what was expected,
 * and the likely fix. `index` is the member of a list.
 */
export function faultOf(
  keyword: string,
  parameter: Parameter,
  values: Values,
  index?: string,
): ArgumentFault {
  const { name, list, mostMembers = MOST_LIST_MEMBERS } = parameter;
  const whole = Object.hasOwn(values, name) ? values[name] : undefined;
  const value = index === undefined ? whole : (whole as unknown[])[Number(index)];
  const place = { parameter: name, ...(index === undefined ? {} : { member: index }) };
  const fault = (code: FaultCode, detail: string) => ({ code, detail, ...place });
  const { expected, fault: faultOfType, readList } = argumentTypeOf(parameter);
  switch (keyword) {
    case 'required':
      return fault('missing-parameter', `${name} is required: ${expected(parameter)}.`);
    case 'minimum':
    case 'maximum':
      return fault(
        'out-of-range',
        `${name} is ${quotedValue(value)}; expected ${expected(parameter)}.`,
      );
    case 'maxLength':
      return fault('text-too-long', tooLong(parameter));
    case 'maxItems':
      return fault(
        'list-too-long',
        `${name} has more than ${mostMembers} members; expected at most ${mostMembers}.`,
      );
    case 'type':
      if (Array.isArray(value) && !list && readList === undefined) {
        const wanted = `expected ${expected(parameter)}`;
        return fault('not-one-value', `${name} takes one value, not a list; ${wanted}.`);
      }
  }
  return { ...faultOfType(value, parameter, expected(parameter)), ...place };
}

function tooLong({ name, type }: Parameter): string {
  const most = type === 'token' ? MOST_TOKEN_LENGTH : MOST_TEXT_LENGTH;
  return `${name} takes at most ${numberText(most)} characters per value.`;
}
