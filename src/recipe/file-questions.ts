import { type Dialect, nameOfDelimiter } from '../block/declaration.ts';
import { type findEncoding, likelyEncoding } from '../files/encoding.ts';
import type { Alternative, TableChoice } from '../files/file-format.ts';
import type { SourceTable } from '../files/source-table.ts';
import { inOneLine, numberText, showCell } from '../text/wording.ts';
import { answer, few, type Question } from './questions.ts';

export function encodingQuestion({
  line,
  reads,
  readings,
}: Required<Awaited<ReturnType<typeof findEncoding>>>['needsAsking']): Question {
  return {
    text: `Line ${line} is not UTF-8. As windows-1252 it reads ${reads}. If letters are wrong there: --encoding NAME, such as ${likelyEncoding(reads, 'macintosh or shift_jis')}.`,
    readings: readings.map(({ label, encoding, badBytes }) => ({
      label,
      option: badBytes ? `--bad-bytes ${badBytes}` : `--encoding ${encoding}`,
      given: { encoding, badBytes },
    })),
  };
}

export function axisOrderQuestion(
  file: string,
  { position, line }: NonNullable<SourceTable['mayBeLatitudeFirst']>,
): Question {
  const said = `${inOneLine(file)}, feature ${line}: the position ${position} is on no map`;
  return {
    text: `${said}; with the latitude first, all positions of the file are on one.`,
    readings: [
      answer('each position is a latitude and a longitude', 'axis-order', 'axisOrder', 'lat-lon'),
      answer('the longitude is first; others are faulty', 'axis-order', 'axisOrder', 'lon-lat'),
    ],
  };
}

export function tablesQuestion(
  file: string,
  tables: readonly TableChoice[],
  counts: 'line' | 'row',
): Question {
  const readingOf = (table: number | 'all', label: string) =>
    answer(label, 'table', 'table', table);
  return {
    text: `${inOneLine(file)} has ${numberText(tables.length)} tables with a header each.`,
    readings: [
      ...tables.slice(0, MOST_TABLES).map(({ table, line, rows, header }) => {
        const names = few(
          header.slice(0, 4).map((name) => showCell(name, 24)),
          ', ',
          'columns',
        );
        const count = `${numberText(rows)} ${rows === 1 ? 'row' : 'rows'}`;
        return readingOf(table, `the one from ${counts} ${numberText(line)}, ${count}: ${names}`);
      }),
      readingOf('all', `all ${counts}s are one table`),
    ],
  };
}

/** Tables of a file that a question names as choices. */
const MOST_TABLES = 10;

/** Asks whether the header has all these rows, or only the first ones. */
export function headerRowsQuestion(file: string, sure: number, rows: number): Question {
  const isOne = rows === sure + 1;
  const are = isOne
    ? `row ${rows} of the table has`
    : `rows ${sure + 1} to ${rows} of the table have`;
  const [alone, joined] = isOne
    ? ['it is a row like the others', 'it is joined with the names above it']
    : ['they are rows like the others', 'they are joined with the names above them'];
  return {
    text: `${inOneLine(file)}: ${are} words above values, as a header has.`,
    readings: [
      answer(alone, 'header-rows', 'headerRows', sure),
      answer(joined, 'header-rows', 'headerRows', rows),
    ],
  };
}

export function dialectQuestion(
  best: Dialect,
  alternatives: readonly Alternative[],
): Question | undefined {
  if (alternatives.length === 0) return undefined;
  const all = [{ dialect: best, why: 'the likelier reading' }, ...alternatives];
  return {
    text: 'The file can be cut into rows and cells in several ways.',
    readings: all.map(({ dialect, why }) => {
      const { delimiter = ',', header = true } = dialect;
      const isHeaderOpen = all.some((other) => (other.dialect.header ?? true) !== header);
      const name = nameOfDelimiter(delimiter);
      const said = { delimiter, header: isHeaderOpen ? header : undefined };
      return {
        label: `${name}${isHeaderOpen ? (header ? ', with a header' : ', no header') : ''}: ${why.replace(`${name}: `, '')}`,
        option: optionsOf(said),
        given: said,
      };
    }),
  };
}

function optionsOf({ delimiter, header }: { delimiter: string; header?: boolean }): string {
  const name = delimiter === '\t' ? 'tab' : `'${delimiter}'`;
  const rest = header === undefined ? '' : ` --header ${header ? 'yes' : 'no'}`;
  return `--delimiter ${name}${rest}`;
}
