import type { Filter } from '../block/filters.ts';
import { EMPTY, FILLED, operatorName } from '../block/parameter.ts';
import type { Field } from '../fields/field-types.ts';
import { typeOf } from '../fields/field-types.ts';
import { quotedValue } from '../fields/quoted-value.ts';
import type { FaultCode } from '../problem/errors.ts';
import type { ArgumentFault } from './fault.ts';
import type { Members } from './given.ts';

/**
 * Finds valid arguments that together exclude every row, which no schema can express. Each conflict
 * is reported as a fault of every argument involved, whose names in the request have a prefix.
 */
export function conflictsOf(
  values: Members,
  filters: ReadonlyMap<string, Filter>,
  prefix = '',
): ArgumentFault[] {
  const empty = (values[EMPTY] ?? []) as readonly string[];
  const filled = (values[FILLED] ?? []) as readonly string[];
  const both = empty.filter((name) => filled.includes(name));
  return [
    ...Object.keys(values).flatMap((name) => {
      const filter = filters.get(name);
      if (filter === undefined || filter.parameter.op === 'not') return [];
      const { field } = filter;
      // A row without a value matches no other filter on the field.
      const isEmpty = empty.includes(field.name);
      return [
        ...(isEmpty ? conflict(prefix + name, EMPTY, `${EMPTY} has ${field.name}`) : []),
        ...(filter.parameter.op === 'max' ? crossedEnds(field, values, prefix) : []),
      ];
    }),
    ...both.flatMap((name) => conflict(FILLED, EMPTY, `both have ${name}`)),
  ];
}

function crossedEnds(field: Field, values: Members, prefix: string): ArgumentFault[] {
  const type = typeOf(field);
  const [low, high] = [operatorName(field.name, 'min'), operatorName(field.name, 'max')];
  if (type.comparedBy !== 'number' || values[low] === undefined) return [];
  const [from, lowEnd] = type.intervalOf(values[low], field);
  const [highStart, to] = type.intervalOf(values[high], field);
  if (from <= to) return [];
  const [min, max] = [prefix + low, prefix + high];
  // Swapping them would not help if no value lies between them.
  if (highStart > lowEnd) return conflict(max, min, 'no value lies between them');
  const why = `${min} is ${quotedValue(values[low])} and ${max} is ${quotedValue(values[high])}: no row can match. Swap them, or leave one out.`;
  return faultsOf('min-above-max', why, [min, max]);
}

function conflict(name: string, other: string, why: string): ArgumentFault[] {
  const detail = `${name} and ${other} exclude each other: ${why}. Leave one out.`;
  return faultsOf('no-row-can-match', detail, [name, other]);
}

function faultsOf(code: FaultCode, detail: string, names: readonly string[]): ArgumentFault[] {
  return names.map((parameter) => ({ code, detail, parameter }));
}
