import { summaryOf } from '../chat/summary-of.ts';
import { ANSWER_CUT, type Warning } from '../problem/errors.ts';
import type { FoundRows } from '../query/answer-in-words.ts';
import { numberText } from '../values/wording.ts';
import type { AskedCommand } from './asked-command.ts';
import { type Column, dataTable, type FittedTable } from './data-table.ts';
import { ephemeral, remarks, type SlackMessage, sections } from './message.ts';
import { rowLinks } from './row-links.ts';
import { fieldTitles } from './shown-fields.ts';

/** Rows as a message: how many match, a table of them, and what does not fit. */
export function rowsMessage(
  asked: AskedCommand,
  found: FoundRows,
  warnings: readonly Warning[],
): SlackMessage {
  const { results } = found;
  const { count, reasons } = summaryOf(asked.block, asked.given, found);
  // The warning that the answer is cut is for programs; the remarks below say it with numbers.
  const told = warnings.filter(({ title }) => title !== ANSWER_CUT).map(({ message }) => message);
  if (results.length === 0) {
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
  const named = columns.find(({ name }) => name === header) ?? columns[0];
  const linked = { rows: results, addresses: (found.addresses ?? []).slice(0, fitted.rows) };
  return ephemeral(count, [
    ...sections([count, asked.line]),
    fitted.table,
    ...rowLinks(asked.root, linked, named?.name),
    ...remarks([...leftOut(found, fitted, columns), ...told]),
    ...asked.link,
  ]);
}

function columnsOf({ block }: AskedCommand, row: Readonly<Record<string, unknown>>): Column[] {
  const titles = fieldTitles(block);
  return Object.keys(row).map((name) => ({ name, title: titles.get(name) ?? name }));
}

function leftOut({ total }: FoundRows, fitted: FittedTable, columns: readonly Column[]): string[] {
  const fields = columns.length - fitted.columns;
  return [
    ...(fitted.rows === total
      ? []
      : [`${numberText(fitted.rows)} of ${numberText(total)} are shown here.`]),
    ...(fields === 0 ? [] : [`${fields} more fields do not fit in a table of Slack.`]),
    ...(fitted.isCut ? ['Values that end in … are longer than shown.'] : []),
  ];
}
