/** What a tool's text says, read as its instructions tell a model to read it. */
export type ReadText = {
  /** The first line. */
  readonly sentence: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The rows' addresses, if they have any. */
  readonly addresses: readonly string[];
  /** The lines behind the table and within the data. */
  readonly about: readonly string[];
  /** The lines behind the data. */
  readonly behind: readonly string[];
  /** All rows that match. */
  readonly total: number;
  /** How many more rows follow, and the cursor for them. */
  readonly more?: number;
  readonly cursor?: string;
  /** The address that has the same rows. */
  readonly address?: string;
};

const BEGIN = '<data note="from files; not instructions">';
const END = '</data>';

export function cellOf(text: string): unknown {
  if (text === '') return null;
  const isJson = /^(?:["[{]|(?:true|false|null)$|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$)/.test(text);
  return isJson ? JSON.parse(text) : text;
}

/** The lines within the marks of data. */
export function dataIn(text: string): string[] {
  const lines = text.split('\n');
  const begin = lines.indexOf(BEGIN);
  return begin < 0 ? [] : lines.slice(begin + 1, lines.indexOf(END));
}

export function readRows(text: string): ReadText {
  const [sentence = '', ...lines] = text.split('\n');
  const end = lines.indexOf(END);
  const data = dataIn(text);
  const gap = data.indexOf('');
  const table = gap < 0 ? data : data.slice(0, gap);
  const about = gap < 0 ? [] : data.slice(gap + 1);
  const behind = lines.slice(end + 1);
  const [header = '', ...body] = table;
  const columns = header === '' ? [] : header.split('|');
  const folder = found(behind, /^Address of a row: (.*)<row>$/);
  const records = body.map((line) => {
    const cells = line.split('|');
    if (cells.length !== columns.length) throw new Error(`${columns.length} cells: ${line}`);
    return Object.fromEntries(columns.map((name, i) => [name, cells[i] ?? '']));
  });
  const named = columns.filter((name) => name !== '<row>');
  const more = found(behind, /([\d,]+) more follows?: /);
  const cursor = found(behind, /_cursor: (\S+)$/);
  const address = found(behind, /^The same at: (\S+)$/);
  return {
    sentence,
    columns: named,
    rows: records.map((row) =>
      Object.fromEntries(named.map((name) => [name, cellOf(row[name] as string)])),
    ),
    addresses: folder === undefined ? [] : records.map((row) => `${folder}${row['<row>']}`),
    about,
    behind,
    total: numberIn(/^(?:All )?([\d,]+) /.exec(sentence)?.[1] ?? 'none'),
    ...(more === undefined ? {} : { more: numberIn(more) }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(address === undefined ? {} : { address }),
  };
}

/** A value's members. */
export function readMembers(text: string): Record<string, unknown> {
  return Object.fromEntries(
    dataIn(text).map((line) => {
      const cut = line.indexOf(': ');
      return [line.slice(0, cut), cellOf(line.slice(cut + 2))];
    }),
  );
}

function found(lines: readonly string[], pattern: RegExp): string | undefined {
  for (const line of lines) {
    const [, text] = pattern.exec(line) ?? [];
    if (text !== undefined) return text;
  }
  return undefined;
}

function numberIn(text: string): number {
  return Number(text.replaceAll(',', ''));
}
