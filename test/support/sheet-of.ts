import { workbookOf } from './workbook-of.ts';

const STYLES = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>';

/** A workbook of one sheet with these rows; a row without cells is not in its file. */
export function sheetOf(rows: readonly (readonly (string | number | Date)[])[]): Buffer {
  const cellOf = (cell: string | number | Date) => {
    if (cell instanceof Date) return `<c s="1"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`;
    return typeof cell === 'number'
      ? `<c><v>${cell}</v></c>`
      : `<c t="inlineStr"><is><t>${cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`;
  };
  const xml = rows.map((cells, i) =>
    cells.length === 0 ? '' : `<row r="${i + 1}">${cells.map(cellOf).join('')}</row>`,
  );
  return workbookOf(`<sheetData>${xml.join('')}</sheetData>`, { 'xl/styles.xml': STYLES });
}
