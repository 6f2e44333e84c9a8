/**
 * The document with each table between its markers, `<!-- begin NAME -->` and `<!-- end NAME -->`.
 * Throws where it has no place for one, or another place.
 */
export function withTables(text: string, tables: Readonly<Record<string, string>>): string {
  const missing = new Set(Object.keys(tables));
  const document = text.replace(
    /(<!-- begin ([\w-]+) -->\n).*?(<!-- end \2 -->)/gs,
    (_, begin: string, name: string, end: string) => {
      if (!missing.delete(name)) throw new Error(`there is no table ${name}`);
      return `${begin}${tables[name]}${end}`;
    },
  );
  if (missing.size > 0) throw new Error(`no place for ${[...missing].join(', ')}`);
  return document;
}
