import type { Dialect, TotalsRule } from '../block/declaration.ts';
import { endsOfWords } from '../text/ends-of-words.ts';
import { numberText, showCell } from '../text/wording.ts';
import { repeatable, SeedError, type SourceRecord, type SourceTable } from './source-table.ts';

/** Words for totals in the known languages. */
const WORDS =
  '(?:grand|sub|overall|running)?[ -]?totals?(?: general)?|sum|summe|(?:zwischen|teil|gesamt)summe|gesamt(?:ergebnis)?|insgesamt|totaal|totale(?: generale)?|subtotale|(?:sous-)?total général|sous-total|ensemble|suma|soma|razem|celkem|yhteensä|summa|i alt|всего|итого|合計|合计|总计|總計|小計|小计';
const TOTAL = new RegExp(`^(?:${WORDS})\\s*:?$`, 'iu');

/** Words for a figure of all rows that is no sum, in the known languages. */
const FIGURES =
  'average|avg|(?:arithmetic )?mean|median|min(?:imum)?|max(?:imum)?|standard deviation|std|st(?:d|andard)?\\.? ?dev|durchschnitt|mittel(?:wert)?|standardabweichung|gemiddelde|mediaan|moyenne|médiane|médian|écart[- ]type|promedio|media|mediana|mínimo|máximo|desviación (?:estándar|típica)|média|desvio padrão|minimo|massimo|deviazione standard|średnia|maksimum|průměr|medián|keskiarvo|mediaani|minimi|maksimi|medelvärde|medeltal|genomsnitt|gennemsnit|gjennomsnitt|middelværdi|среднее(?: значение)?|медиана|минимум|максимум|平均[値值]?|中央値|中位数|最小[値值]?|最大[値值]?';
const FIGURE = new RegExp(`^(?:${FIGURES})\\.?\\s*:?$`, 'iu');

/** The total of a group that the cell also names: `Total North`, `North: total`. */
const TOTAL_BEFORE = new RegExp(`^((?:${WORDS})[ :–-]+)\\S`, 'iu');
const TOTAL_BEHIND = new RegExp(`\\S([ :–-]+(?:${WORDS}))$`, 'iu');

/** A longer cell is not a word for a total. */
const MOST_LENGTH = 24;
const MOST_LENGTH_OF_NAMED = 80;

/** The first and last words of names for totals. Most cells begin and end with other words. */
const FIRST_WORDS = new Set(
  'grand sub overall running total totals subtotal subtotals grandtotal sum summe zwischensumme teilsumme gesamtsumme gesamt gesamtergebnis insgesamt totaal totale subtotale sous ensemble suma soma razem celkem yhteensä summa i всего итого 合計 合计 总计 總計 小計 小计'.split(
    ' ',
  ),
);
const LAST_WORDS = new Set([...FIRST_WORDS, 'general', 'generale', 'général', 'alt']);

/** Letters with which these words begin, in both cases. Most cells begin with other characters. */
const FIRST_LETTERS = endsOfWords(LAST_WORDS, 'first');
const LAST_LETTERS = endsOfWords(LAST_WORDS, 'last');

const MOST_LENGTH_OF_WORD = Math.max(...[...LAST_WORDS].map(({ length }) => length));

/** The first letters of words for figures. */
const FIRST_OF_FIGURES = endsOfWords('admspśgékмс平中最', 'first');

/** Whether a character separates the word from the name of a group. */
function isApart(code: number): boolean {
  return code === 0x20 || code === 0x3a || code === 0x2d || code === 0x2013;
}

/** Whether a cell is a word for a total. */
export function isTotalWord(cell: string): boolean {
  const text = cell.trim();
  if (text.length > MOST_LENGTH || FIRST_LETTERS[text.charCodeAt(0)] !== 1) return false;
  return TOTAL.test(text);
}

/**
 * The word for a total in a cell that names a group, with `*` for the name: `Total *`, `* total`.
 * Undefined for other cells.
 */
function namedTotal(cell: string): string | undefined {
  const text = cell.trim();
  const { length } = text;
  if (length > MOST_LENGTH_OF_NAMED) return undefined;
  if (FIRST_LETTERS[text.charCodeAt(0)] === 1) {
    let end = 1;
    while (end <= MOST_LENGTH_OF_WORD && end < length && !isApart(text.charCodeAt(end))) end++;
    if (FIRST_WORDS.has(text.slice(0, end).toLowerCase())) {
      const before = TOTAL_BEFORE.exec(text)?.[1];
      if (before !== undefined) return `${before}*`;
    }
  }
  if (LAST_LETTERS[text.charCodeAt(length - 1)] !== 1) return undefined;
  let from = length - 1;
  while (length - from <= MOST_LENGTH_OF_WORD && from > 0 && !isApart(text.charCodeAt(from - 1))) {
    from--;
  }
  if (from === 0 || !LAST_WORDS.has(text.slice(from).toLowerCase())) return undefined;
  const behind = TOTAL_BEHIND.exec(text)?.[1];
  return behind === undefined ? undefined : `*${behind}`;
}

/** Whether a cell is a word for a figure of all rows that is no sum: `Average`. */
function isFigureWord(cell: string): boolean {
  const text = cell.trim();
  if (text.length > MOST_LENGTH || FIRST_OF_FIGURES[text.charCodeAt(0)] !== 1) return false;
  return FIGURE.test(text);
}

/**
 * The column in which a row is called a total, and the word for it. The word is blank if the row is
 * the last one and has no word.
 */
export type CalledTotal = { readonly column: number; readonly is: string };

/**
 * Finds the first cell that is a word for a total, or else the first that names a group with one.
 * Undefined if there is none, or if all other cells are blank: then the row is not a total.
 */
export function calledTotal(cells: readonly string[]): CalledTotal | undefined {
  let found: CalledTotal | undefined;
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column] as string;
    if (!mayBeTotal(cell)) continue;
    if (isTotalWord(cell)) {
      found = { column, is: cell.trim() };
      break;
    }
    const is = found === undefined ? namedTotal(cell) : undefined;
    if (is !== undefined) found = { column, is };
  }
  if (found === undefined) return undefined;
  const { column } = found;
  const hasMore = cells.some((cell, at) => at !== column && cell.trim() !== '');
  return hasMore ? found : undefined;
}

/** Whether a cell begins or ends with such a letter, or with what may be white space. */
function mayBeTotal(cell: string): boolean {
  const first = cell.charCodeAt(0);
  const last = cell.charCodeAt(cell.length - 1);
  const isOfLetter = FIRST_LETTERS[first] === 1 || LAST_LETTERS[last] === 1;
  return isOfLetter || isPerhapsSpace(first) || isPerhapsSpace(last);
}

function isPerhapsSpace(code: number): boolean {
  return code <= 0x20 || code > 0x7f;
}

/**
 * Finds out whether a row sums up others if no other row is below it: its first text is a word such
 * as `Average`, or it has no text and a blank cell. All its other values may be numbers.
 */
export function calledAtEnd(cells: readonly string[]): CalledTotal | undefined {
  let word: CalledTotal | undefined;
  let blank: number | undefined;
  let hasNumber = false;
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column] as string;
    if (cell === '' || cell.trim() === '') blank ??= column;
    else if (mayBeNumber(cell)) hasNumber = true;
    else if (word === undefined && !hasNumber && isFigureWord(cell))
      word = { column, is: cell.trim() };
    else if (word === undefined || !NOTHING.test(cell.trim())) return undefined;
  }
  if (!hasNumber) return undefined;
  return word ?? (blank === undefined ? undefined : { column: blank, is: '' });
}

/** What a cell tells about its row, as bits: whether the row may be a total or sum up others. */
const BLANK = 1;
const NUMBER = 2;
/** A word for a figure, or a text where nothing is added. */
const UNADDED = 4;
const OTHER = 8;
/** A byte order mark, or a word for a total. */
const DOUBTFUL = 16;

/** The bits of a cell that is not blank. */
export const FILLED = NUMBER | UNADDED | OTHER | DOUBTFUL;

/** Whether a row is surely no total, by all bits of its cells. */
export function isPlainRow(all: number): boolean {
  // `calledAtEnd` takes no row with another text, and of those with numbers alone one with a blank.
  return (all & DOUBTFUL) === 0 && ((all & OTHER) !== 0 || (all & (BLANK | UNADDED)) === 0);
}

/** What most cells tell about their rows, by the codes of their characters. 0 for the others. */
export function plainTraitsIn(codes: Uint16Array, start: number, end: number): number {
  if (start === end) return BLANK;
  // No word for a total or a figure ends with a digit; one that names a group may.
  if (end - start > MOST_LENGTH_OF_NUMBER || !isDigit(codes[end - 1] as number)) return 0;
  const [first, second] = [codes[start] as number, codes[start + 1] as number];
  if (isDigit(first) || (first === 0x2d && isDigit(second))) return NUMBER;
  const isLetter = first > 0x40 && first < 0x80;
  if (isLetter && isDigit(second)) return OTHER;
  // A currency's code is in capitals.
  const isWord = isLetter && second > 0x60 && second < 0x7b;
  return isWord && FIRST_LETTERS[first] !== 1 ? OTHER : 0;
}

/** What a cell tells about its row. */
export function traitsOf(cell: string): number {
  if (cell.trim() === '') return BLANK;
  const isCalled = mayBeTotal(cell) && (isTotalWord(cell) || namedTotal(cell) !== undefined);
  if (cell.charCodeAt(0) === MARK || isCalled) return DOUBTFUL;
  if (mayBeNumber(cell)) return NUMBER;
  return isFigureWord(cell) || NOTHING.test(cell.trim()) ? UNADDED : OTHER;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Whether a cell begins as a number does, perhaps with a sign or a currency. */
function mayBeNumber(cell: string): boolean {
  if (cell.length > MOST_LENGTH_OF_NUMBER) return false;
  const first = cell.charCodeAt(0);
  if (first <= 0x39) return first >= 0x30 || /^[^\p{L}]*\d/u.test(cell);
  return first !== MARK && /^(?:[A-Z]{3}|\p{Sc}|\u2212) ?[-+\u2212]?\d/u.test(cell);
}

/** A longer cell is not a number that a table adds up. */
const MOST_LENGTH_OF_NUMBER = 60;

/** A byte order mark. Rows with one are counted. */
const MARK = 0xfeff;

/** Texts of a total's cell where nothing is added. */
export const NOTHING = /^(?:n\/?a|n\.a\.|null|all|[-\u2013\u2014.?/*x]+)$/i;

/** Whether a row sums up all others, whatever it is called and whatever number of cells it has. */
export function isSummary(cells: readonly string[]): boolean {
  return (calledTotal(cells) ?? calledAtEnd(cells)?.is ?? '') !== '';
}

/** Whether a row is called by a word for a figure that is no sum. */
export function isFigure({ is }: Pick<CalledTotal, 'is'>): boolean {
  return isFigureWord(is);
}

/** Whether a word for a total includes the name of a group. */
export function isNamed({ is }: Pick<CalledTotal, 'is'>): boolean {
  return is.includes('*');
}

/**
 * Makes a function that returns the index of the rule which makes a row a total, or -1. `names` are
 * made from the headers.
 */
export function ruleTest(
  rules: readonly TotalsRule[],
  names: readonly string[],
): (cells: readonly string[]) => number {
  const columns = rules.map(({ column }) => names.indexOf(column));
  return (cells) => {
    const called = calledTotal(cells) ?? calledAtEnd(cells);
    if (called === undefined) return -1;
    return rules.findIndex(({ is }, i) => {
      const column = columns[i] as number;
      return called.is === is && (is === '' ? isBlank(cells[column]) : called.column === column);
    });
  };
}

/**
 * Leaves the rows that are totals out of a table, with a note. Throws a SeedError if a column is
 * gone, or at a short row that is not a total.
 */
export function withoutTotals(
  table: SourceTable,
  { totals: rules = [], badRows }: Pick<Dialect, 'totals' | 'badRows'>,
  names: readonly string[],
  file: string,
): SourceTable {
  const gone = rules.find(({ column }) => !names.includes(column));
  if (gone !== undefined) {
    const { column } = gone;
    throw new SeedError(file, 'the header has no such column, and totals stand in it', { column });
  }
  const ruleOf = ruleTest(rules, names);
  let notes: string[] = [];
  const { headers, counts } = table;
  return {
    ...table,
    get notes() {
      return [...table.notes, ...notes];
    },
    records: repeatable(async function* (): AsyncGenerator<SourceRecord> {
      const leftOut = rules.map(() => 0);
      // A row without a word is a total only if no other is below it.
      let last: SourceRecord | undefined;
      for await (const record of table.records) {
        const which = ruleOf(record.cells);
        if (last !== undefined && (rules[which]?.is === '' || !isSummary(record.cells))) {
          yield last;
          last = undefined;
        }
        if (rules[which]?.is === '') {
          last = record;
        } else if (which < 0) {
          if (record.bad !== undefined && badRows === undefined) {
            const reason = `the header has ${numberText(headers.length)} columns, this row fewer`;
            throw new SeedError(file, reason, { line: record.line, counts });
          }
          yield record;
        } else leftOut[which] = (leftOut[which] as number) + 1;
      }
      const nameless = rules.findIndex(({ is }) => is === '');
      if (last !== undefined) leftOut[nameless] = 1;
      notes = rules.map(({ is, column }, i) => leftOutText(leftOut[i] as number, is, column));
    }),
  };
}

/** `2 rows are left out: "Total" in state`. */
export function leftOutText(count: number, is: string, column: string): string {
  const rows = count === 1 ? '1 row is' : `${numberText(count)} rows are`;
  return `${rows} left out: ${calledText(is, column)}`;
}

/** `"Total" in state`. */
export function calledText(is: string, column: string): string {
  return is === '' ? `the last one, blank in ${column}` : `${showCell(is)} in ${column}`;
}

function isBlank(cell = ''): boolean {
  return cell.trim() === '';
}
