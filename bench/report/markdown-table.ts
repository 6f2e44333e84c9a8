/** A table in Markdown; the first column is text, and those of `texts`; the others are numbers. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  texts: readonly number[] = [],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(header),
    line(header.map((_, i) => (i === 0 || texts.includes(i) ? '---' : '---:'))),
    ...rows.map(line),
  ]
    .join('\n')
    .concat('\n');
}

/** A number with three figures that count: 12345 as 12,300, 0.0123456 as 0.0123. */
export function figures(value: number): string {
  if (!Number.isFinite(value)) return '—';
  if (value >= 100) return Number(value.toPrecision(3)).toLocaleString('en-US');
  return value.toPrecision(3);
}
