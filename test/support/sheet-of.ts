import { workbookOf } from './workbook-of.ts';

/** A workbook of one sheet with these rows; a row without cells is not in its file. */
export function sheetOf(rows: readonly (readonly (string | number)[])[]): Buffer {
  const cellOf = (cell: string | number) =>
    typeof cell === 'number'
      ? `<c><v>${cell}</v></c>`
      : `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
  const xml = rows.map((cells, i) =>
    cells.length === 0 ? '' : `<row r="${i + 1}">${cells.map(cellOf).join('')}</row>`,
  );
  return workbookOf(`<sheetData>${xml.join('')}</sheetData>`);
}
