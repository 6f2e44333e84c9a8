import type { Block, DatasetBlock } from '../block/block.ts';
import type { Parameter } from '../block/parameter.ts';
import { NEAR } from '../block/search-parameters.ts';
import { quotedValue } from '../fields/quoted-value.ts';
import { DISTANCE } from '../query/distance.ts';
import { columnsOf, groupingOf } from '../query/grouping.ts';
import { choiceOf } from './choice.ts';
import { type ArgumentFault, faultOf } from './fault.ts';
import type { Members } from './given.ts';

/**
 * Reads the options that name columns of the answer, once `_group` and `_measure` are known to be
 * valid: these decide which columns there are. Returns their values, and what is wrong with them.
 */
export function readColumns(
  block: Block,
  values: Members,
): { readonly values: Members; readonly faults: readonly ArgumentFault[] } {
  const asked = block.options.filter(({ name, ofColumns }) => ofColumns && name in values);
  const isGrouped = values._group !== undefined || values._measure !== undefined;
  if (block.answers !== 'rows' || (asked.length === 0 && !isGrouped)) return { values, faults: [] };
  const { fields } = block as DatasetBlock;
  const grouping = groupingOf({ fields }, values);
  const columns = grouping === undefined ? fields : columnsOf(grouping);
  const names = columns.map(({ name }) => name);
  const twice = names.filter((name, i) => names.indexOf(name) < i);
  if (grouping !== undefined && twice.length > 0) {
    return { values, faults: twice.map((name) => sameName(name, values)) };
  }
  const read: Record<string, unknown> = Object.assign(Object.create(null), values);
  const faults: ArgumentFault[] = [];
  for (const option of asked) {
    const value = values[option.name];
    const isSort = option.list === undefined;
    const choices = isSort ? names.flatMap((name) => [name, `-${name}`]) : names;
    const { ofColumns, ...plain } = option;
    const parameter: Parameter = { ...plain, choices };
    const known = [value].flat().map((one) => choiceOf(one, choices));
    read[option.name] = isSort ? known[0] : known;
    for (const [i, one] of known.entries()) {
      if (choices.includes(one as string)) continue;
      const fault = faultOf('enum', parameter, values, isSort ? undefined : String(i));
      const why =
        grouping === undefined ? ofDistance(one, isSort, block as DatasetBlock) : undefined;
      faults.push(why === undefined ? fault : { ...fault, detail: `${option.name} is ${why}` });
    }
  }
  return { values: read, faults };
}

/** What can be asked of distances, to whoever takes them for a field of the rows. */
function ofDistance(
  value: unknown,
  isSort: boolean,
  { geometry }: DatasetBlock,
): string | undefined {
  const names = [DISTANCE.name, `-${DISTANCE.name}`];
  const isMeant = names.includes(choiceOf(value, names) as string);
  if (!isMeant || geometry === undefined) return undefined;
  return isSort
    ? `${quotedValue(value)}, but rows cannot be sorted by it: ${NEAR} without _sort has the nearest first, and the farthest first cannot be asked.`
    : `${quotedValue(value)}, which is no field: with ${NEAR} each row has it, whatever _fields says.`;
}

function sameName(name: string, { _measure: measure }: Members): ArgumentFault {
  const detail = `Two columns of the answer would be called ${name}. Leave one out, or ask in two requests.`;
  const parameter = measure === undefined ? '_group' : '_measure';
  return { code: 'same-name', detail, parameter };
}
