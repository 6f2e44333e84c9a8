import stringWidth from 'string-width';

export type TextColumn = { readonly name: string; readonly isNumber: boolean };

/** Spaces between columns. */
const GAP = 2;
/** The least width to which a text column is cut. */
const LEAST = 8;

/**
 * Rows as lines of text with aligned columns, numbers to the right. If the lines are wider than
 * `width`, texts are cut and end with `…`, the widest column first; numbers are never cut.
 */
export function drawTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string[] {
  const all = [columns.map(({ name }) => name), ...rows];
  const widths = columns.map((_, i) => Math.max(...all.map((row) => stringWidth(row[i] ?? ''))));
  let over = widths.reduce((sum, one) => sum + one + GAP, -GAP) - width;
  while (over > 0) {
    const cuttable = widths.map((one, i) => (columns[i]?.isNumber || one <= LEAST ? 0 : one));
    const widest = Math.max(...cuttable);
    if (widest === 0) break;
    widths[cuttable.indexOf(widest)] = widest - 1;
    over--;
  }
  return all.map((row) =>
    columns
      .map(({ isNumber }, i) => fitted(row[i] ?? '', widths[i] as number, isNumber))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

function fitted(text: string, width: number, isNumber: boolean): string {
  const shown = isNumber ? text : cutTo(text, width);
  const space = ' '.repeat(Math.max(0, width - stringWidth(shown)));
  return isNumber ? space + shown : shown + space;
}

function cutTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let shown = '';
  let used = 1;
  for (const { segment } of CHARACTERS.segment(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    shown += segment;
  }
  return `${shown}…`;
}

const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Wraps a text at its spaces into lines of at most `columns`; a longer word is not cut. */
export function wrapped(text: string, columns = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(' ')) {
    const longer: string = line === undefined ? word : `${line} ${word}`;
    if (line === undefined || stringWidth(longer) <= columns) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line ?? ''];
}
