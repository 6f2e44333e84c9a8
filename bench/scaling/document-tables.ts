import { readFile, writeFile } from 'node:fs/promises';

/** Puts each table between its markers in a document, `<!-- begin NAME -->` and `<!-- end NAME -->`. */
export async function writeTables(file: URL, tables: Readonly<Record<string, string>>) {
  const text = await readFile(file, 'utf8');
  await writeFile(file, withTables(text, tables));
}

/** The document with its tables as they should be. Throws where it has no place for one. */
export function withTables(text: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((document, [name, table]) => {
    const begin = `<!-- begin ${name} -->\n`;
    const end = `<!-- end ${name} -->`;
    const from = document.indexOf(begin);
    const to = document.indexOf(end);
    if (from < 0 || to < from) throw new Error(`no place for the table ${name}`);
    return `${document.slice(0, from + begin.length)}\n${table}\n${document.slice(to)}`;
  }, text);
}
