import { zipOf } from './zip-of.ts';

/** The parts of a workbook of one sheet, from the XML within its `worksheet`. */
export function workbookParts(sheet: string, more: Readonly<Record<string, string>> = {}) {
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="http://x/${type}" Target="${target}"/>`;
  return {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${[
      relation(1, 'worksheet', 'worksheets/sheet1.xml'),
      relation(2, 'styles', '/xl/styles.xml'),
      relation(3, 'sharedStrings', 'sharedStrings.xml'),
    ].join('')}</Relationships>`,
    'xl/worksheets/sheet1.xml': `<?xml version="1.0"?>\n<worksheet>${sheet}</worksheet>`,
    ...more,
  };
}

export function workbookOf(sheet: string, more: Readonly<Record<string, string>> = {}): Buffer {
  return zipOf(workbookParts(sheet, more));
}
