import {
  type Arguments,
  isGrouped,
  type RawArguments,
  type ReadArguments,
} from '../arguments/given.ts';
import type { Block } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { alternativeName, NOT, type Parameter } from '../block/parameter.ts';
import type { LanguageName } from '../languages/names.ts';
import { type Fault, invalidArguments, type Problem } from '../problem/errors.ts';
import { ownMember } from '../values/field-type.ts';
import type { Budget } from '../work/budget.ts';
import type { PageState } from './links.ts';

/**
 * Reads a page's arguments. Its form keeps how rows are sorted; once it asks for groups, which have
 * other columns, that is dropped and not refused.
 */
export function readForPage(
  readArguments: ReadArguments,
  given: RawArguments,
  budget: Budget,
): Arguments {
  try {
    return readArguments(given, budget);
  } catch (error) {
    const { _sort, _fields, ...query } = given.query;
    const isOfRows = (error as Problem).faults?.every(
      ({ code, parameter = '' }) => code === 'not-a-choice' && ROWS_ALONE.includes(parameter),
    );
    if (!isGrouped(query) || !isOfRows) throw error;
    return readArguments({ ...given, query }, budget);
  }
}

const ROWS_ALONE = ['_sort', '_fields'];

/** `1.234` or `1.234,5`, and `0,5`. */
const GROUPED = /^\s*[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?\s*$/;
const DECIMAL = /^\s*[+-]?\d+,\d+\s*$/;

/** Characters of a text that may be a number. */
const MOST_LENGTH = 40;

/**
 * Refuses numbers that are written as the page writes them, if its language has points between
 * thousands: every address reads `1.234` with a decimal point, and the reader may mean 1,234. Where
 * the field's values leave no doubt, the number is read. Throws a Problem with all faults.
 */
export function refuseNumbersOf(
  language: LanguageName,
  sent: PageState,
  { block, manifest }: { readonly block: Block; readonly manifest?: Manifest },
): void {
  if (!hasPoints(language)) return;
  const faults = sent.flatMap(([name, text]): Fault[] => {
    const parameter = parameterOf(block, name);
    if (parameter === undefined || text.length > MOST_LENGTH) return [];
    if (!GROUPED.test(text) && !DECIMAL.test(text)) return [];
    const decimal = text.trim().replaceAll('.', '').replace(',', '.');
    const suggestion = GROUPED.test(decimal) ? `${decimal}0` : decimal;
    const read = text.trim();
    const known = ownMember(manifest?.fields, parameter.field ?? '');
    const min = known?.min ?? parameter.minimum;
    const max = known?.max ?? parameter.maximum;
    const isIn = (value: number) => (min ?? -Infinity) <= value && value <= (max ?? Infinity);
    if (parameter.type === 'number' && isIn(Number(read)) && !isIn(Number(suggestion))) return [];
    const other = read.includes(',') ? '' : `, or ${read}0 for a number with decimals`;
    const detail = `${name} is ${read}, which this page's language and addresses read differently; expected digits without separators, and a point before decimals. Write ${suggestion}${other}.`;
    return [{ code: 'not-a-number', detail, parameter: name, suggestion }];
  });
  if (faults.length > 0) throw invalidArguments(faults);
}

function hasPoints(language: LanguageName): boolean {
  return language !== 'en' && new Intl.NumberFormat(language).format(11_111).includes('.');
}

/** The number that a name filters by or asks for; undefined if it is none. */
function parameterOf({ parameters }: Block, sent: string): Parameter | undefined {
  const own = alternativeName(sent)?.name ?? sent;
  const name = own.startsWith(`${NOT}.`) ? own.slice(NOT.length + 1) : own;
  return parameters.find(
    (one) =>
      (one.type === 'number' || one.type === 'integer') &&
      (one.name === name || [one.alias ?? []].flat().includes(name)),
  );
}

/**
 * The arguments of a page, which uses what it can and says what it does not: a link to it may have
 * been decorated on its way.
 */
export function withoutNames(given: RawArguments, unused: readonly string[]): RawArguments {
  if (unused.length === 0) return given;
  const query = Object.assign(Object.create(null), given.query);
  for (const name of unused) delete query[name];
  return { ...given, query };
}
