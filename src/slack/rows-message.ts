import { writeFilter } from '../chat/write-command.ts';
import { countText } from '../core/count-text.ts';
import { ANSWER_CUT, type Warning } from '../core/errors.ts';
import { helpSentence } from '../core/help-sentence.ts';
import type { FilterHelp } from '../core/zero-result-help.ts';
import type { AskedCommand } from './asked-command.ts';
import { type Column, dataTable, type FittedTable } from './data-table.ts';
import { ephemeral, remarks, type SlackMessage, sections } from './message.ts';
import { fieldTitles } from './shown-fields.ts';

/** What a block with rows answers with. */
export type FoundRows = {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly total: number | null;
  readonly next: string | null;
  readonly help?: readonly FilterHelp[];
};

/** Rows as a message: how many there are, a table of them, and what of it is not here. */
export function rowsMessage(
  asked: AskedCommand,
  found: FoundRows,
  warnings: readonly Warning[],
): SlackMessage {
  const { results, help = [] } = found;
  const count = countOf(asked, found);
  // That it is cut is for programs: the remarks say it in this message's numbers.
  const told = warnings.filter(({ title }) => title !== ANSWER_CUT).map(({ message }) => message);
  if (results.length === 0) {
    const filterOf = ({ parameters }: FilterHelp) =>
      writeFilter(asked.block, asked.given, parameters);
    const reasons = help.map((one) => helpSentence(one, filterOf(one), nounOf(asked)));
    return ephemeral(count, [
      ...sections([count, asked.line, ...reasons]),
      ...remarks(told),
      ...asked.link,
    ]);
  }
  const columns = columnsOf(asked, results[0] ?? {});
  const header = asked.block.parameters.find(({ main }) => main)?.name;
  const fitted = dataTable({
    caption: count,
    columns,
    rows: results,
    ...(header === undefined ? {} : { header }),
  });
  return ephemeral(count, [
    ...sections([count, asked.line]),
    fitted.table,
    ...remarks([...leftOut(found, fitted, columns), ...told]),
    ...asked.link,
  ]);
}

/** As the page says it: what matches, of all there is. */
function countOf(asked: AskedCommand, { results, total, next }: FoundRows): string {
  const noun = nounOf(asked);
  if (total === null) {
    return `${results.length} ${noun}${next === null ? '' : ', and more may follow'}`;
  }
  return countText(total, asked.block.dataset?.rows, noun);
}

function nounOf({ block }: AskedCommand): string {
  return block.noun ?? 'rows';
}

function columnsOf({ block }: AskedCommand, row: Readonly<Record<string, unknown>>): Column[] {
  const titles = fieldTitles(block);
  return Object.keys(row).map((name) => ({ name, title: titles.get(name) ?? name }));
}

function leftOut(
  { results, total, next }: FoundRows,
  fitted: FittedTable,
  columns: readonly Column[],
): string[] {
  const isAll = fitted.rows === (total ?? results.length) && (total !== null || next === null);
  const of = total === null ? '' : ` of ${total}`;
  const fields = columns.length - fitted.columns;
  return [
    ...(isAll ? [] : [`${fitted.rows}${of} are shown here.`]),
    ...(fields === 0 ? [] : [`${fields} more fields do not fit in a table of Slack.`]),
    ...(fitted.isCut ? ['Values that end in … are longer than shown.'] : []),
  ];
}
