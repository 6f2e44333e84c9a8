import type { Dialect } from '../../block/declaration.ts';
import { numberText } from '../../text/wording.ts';
import { BadRowCount } from '../bad-row.ts';
import { utf8Pieces } from '../decode-text.ts';
import type { Beginning, FileFormat } from '../file-format.ts';
import { readAsUtf8 } from '../read-as-utf8.ts';
import {
  type BadRow,
  listed,
  MAX_COLUMNS,
  MAX_RECORD,
  RECORD_SEPARATOR,
  type ReadBytes,
  RecordError,
  repeatable,
  SeedError,
  type SourceRecord,
  type SourceTable,
} from '../source-table.ts';
import { JsonColumns, type NumberedSlice } from './json-columns.ts';
import { JsonStream } from './json-stream.ts';
import { type AsObject, listsNamed, namesIn, partsOf, withKey } from './named-values.ts';

export const json: FileFormat = {
  title: 'JSON',
  endings: ['json'],
  takes: ['encoding', 'badBytes', 'property'],
  isIn: isJson,
  read: (written, { readBytes }) =>
    readAsUtf8(written, readBytes, (utf8) => readJson(utf8, written.file, written.dialect)),
};

/** One object on each line. A single object is NDJSON only by its name. */
export const ndjson: FileFormat = {
  title: 'NDJSON',
  endings: ['ndjson', 'jsonl'],
  takes: ['encoding', 'badBytes'],
  isIn: (beginning) =>
    isJson(beginning) &&
    beginning.text.startsWith('{') &&
    (firstOfSeveral(beginning) !== undefined ||
      (ndjson.endings.includes(beginning.ending) && !isOverLines(beginning))),
  read: (written, { readBytes }) =>
    readAsUtf8(written, readBytes, (utf8) => readNdjson(utf8, written.file, written.dialect)),
};

/** Whether a text is an object or an array. A header may also have brackets: `[id],[name]`. */
export function isJson({ text }: Beginning): boolean {
  return /^(?:\{\s*["'}]|\[\s*[[{\]"])/.test(text);
}

/** The object on the first line, if there are more lines. */
export function firstOfSeveral({ text }: Beginning): { readonly type?: unknown } | undefined {
  const end = text.indexOf('\n');
  if (!text.startsWith('{') || end < 0 || text.slice(end).trim() === '') return undefined;
  try {
    return JSON.parse(text.slice(0, end));
  } catch {
    return undefined;
  }
}

/** Whether the first object goes on behind the first line. */
function isOverLines({ text }: Beginning): boolean {
  return /^[^\n]*[{[,:]\s*\n/.test(text);
}

type JsonDialect = Pick<Dialect, 'property' | 'badRows'>;

/** Nested objects in which the array of records is searched. */
const MAX_NESTING = 3;

/** An array in a JSON file, by the names on its path. */
type FoundArray = {
  readonly path: readonly string[];
  readonly elements: number;
  readonly holds: 'objects' | 'arrays';
  /** The first element, if it is an array. */
  readonly first?: string;
};

/** What was found in an object: arrays, lists of names, and objects of alike objects. */
type FoundRecords = {
  readonly arrays: FoundArray[];
  readonly names: { readonly path: readonly string[]; readonly names: readonly string[] }[];
  readonly keyed: KeyedRecords[];
  /** The names at the top. */
  readonly top: string[];
};

/** An object whose members are the records, and names that all of these have. */
type KeyedRecords = {
  readonly path: readonly string[];
  readonly shared: ReadonlySet<string>;
};

/** How the records stand in the file, and what makes objects of them. */
type Records = {
  readonly path: readonly string[];
  readonly asObject?: AsObject;
  readonly isKeyed?: true;
  /** Set if the first record has the names of the others. */
  readonly isNamedByFirst?: true;
  readonly notes?: readonly string[];
};

/**
 * Reads an array of objects. If the file is one object, the records are its only array of objects
 * or arrays, at most three names inside. Of several arrays, `property` names one
 * (`result.records`). Arrays have their names in a list beside them, or in the first of them. The
 * members of an object are the records if they are alike objects.
 */
export async function readJson(
  readBytes: ReadBytes,
  file: string,
  { property, badRows }: JsonDialect = {},
): Promise<SourceTable> {
  const stream = new JsonStream(readBytes, file);
  const first = await stream.peek();
  if (first === '[') {
    const named = firstNames(await firstElement(stream), file);
    return tableOf(() => recordsAt({ path: [], ...named }, readBytes, file), {
      file,
      counts: 'record',
      badRows,
      ...named,
    });
  }
  if (first !== '{') throw stream.fault('expected a JSON array or object');
  const found: FoundRecords = { arrays: [], names: [], keyed: [], top: [] };
  await findArrays(stream, [], found);
  const behind = await stream.peek();
  if (property === undefined && (behind === '{' || behind === ',')) {
    const notes = ['each of the objects that stand one after another is a row'];
    return tableOf(() => documents(readBytes, file), { file, counts: 'record', badRows, notes });
  }
  await stream.end();
  const records = chosen(found, file, property);
  const { path, notes = [] } = records;
  const beside = path.length === 0 ? [] : found.top.filter((name) => name !== path[0]);
  return tableOf(() => recordsAt(records, readBytes, file), {
    file,
    counts: 'record',
    badRows,
    ...records,
    notes: [
      ...notes,
      ...(beside.length === 0
        ? []
        : [`left out what stands beside ${listed([path.join('.')])}: ${listed(beside)}`]),
    ],
  });
}

/** The first element of the array that begins here. Blank if there is none. */
async function firstElement(stream: JsonStream): Promise<string> {
  for await (const _ of stream.elements()) {
    return (await stream.peek()) === '[' ? (await stream.take()).text : '';
  }
  return '';
}

/** How lists are read whose first one is of their names. */
function firstNames(first: string, file: string): Omit<Records, 'path'> {
  const names = namesIn(first);
  if (names === undefined) return {};
  const notes = ['the first list has the names of the others'];
  return { asObject: listsNamed(names, file), isNamedByFirst: true, notes };
}

async function findArrays(
  stream: JsonStream,
  path: readonly string[],
  found: FoundRecords,
): Promise<readonly string[]> {
  const { arrays, names } = found;
  const members: string[] = [];
  let shared: ReadonlySet<string> | undefined;
  let areObjects = true;
  for await (const name of stream.members()) {
    members.push(name);
    if (path.length === 0) found.top.push(name);
    const first = await stream.peek();
    const inner = [...path, name];
    if (first === '{' && inner.length < MAX_NESTING) {
      const below = await findArrays(stream, inner, found);
      const before = shared;
      shared = new Set(before === undefined ? below : below.filter((one) => before.has(one)));
      continue;
    }
    areObjects = false;
    if (first === '[') {
      let [elements, opening, start] = [0, '', ''];
      const texts: string[] = [];
      for await (const _ of stream.elements()) {
        if (elements++ === 0) opening = await stream.peek();
        if (opening === '"' && elements <= MAX_COLUMNS) texts.push((await stream.take()).text);
        else if (opening === '[' && elements === 1) start = (await stream.take()).text;
        else await stream.skip();
      }
      if (opening === '{') arrays.push({ path: inner, elements, holds: 'objects' });
      if (opening === '[') arrays.push({ path: inner, elements, holds: 'arrays', first: start });
      const named = elements > MAX_COLUMNS ? undefined : namesIn(`[${texts.join(',')}]`);
      if (named !== undefined) names.push({ path: inner, names: named });
    } else {
      await stream.skip();
    }
  }
  if (areObjects && members.length > 1 && shared !== undefined && shared.size > 0) {
    found.keyed.push({ path, shared });
  }
  return members;
}

/** The outermost object whose members are the records, if no array can be. */
function keyedIn({ keyed, arrays }: FoundRecords): Records | undefined {
  const outer = keyed.toSorted((a, b) => a.path.length - b.path.length)[0];
  if (outer === undefined) return undefined;
  const { path, shared } = outer;
  const isWithin = (array: FoundArray) =>
    array.path.length > path.length + 1 && path.every((name, i) => name === array.path[i]);
  const records = new Set(arrays.map((array) => array.path[path.length]));
  const areParts = arrays.every(isWithin) && (arrays.length === 0 || records.size > 1);
  // pandas writes a column so, with the rows' numbers as names.
  if (!areParts || [...shared].every((name) => /^\d+$/.test(name))) return undefined;
  const key = ['key', 'id', 'record'].find((name) => !shared.has(name)) ?? 'name_of_record';
  const where = path.length === 0 ? 'the file' : listed([path.join('.')]);
  const notes = [`each member of ${where} is a row; ${key} has its name`];
  return { path, isKeyed: true, asObject: withKey(key), notes };
}

function chosen(all: FoundRecords, file: string, at: string | undefined): Records {
  const found = all.arrays;
  const keyed = at === undefined ? keyedIn(all) : undefined;
  if (keyed !== undefined) return keyed;
  const shown = found.map((array) => `${array.path.join('.')} (${countOf(array)})`);
  const fault = (reason: string) => new SeedError(file, reason);
  if (found.length === 0) {
    const isByColumn = all.keyed.length > 0;
    throw fault(
      isByColumn
        ? "it has its columns by the rows' numbers, as pandas writes them; write it with orient='records'"
        : 'it has no list of rows; write it as a list of objects, [{"name": "Ann", "age": 31}, …], or as CSV',
    );
  }
  const named = at === undefined ? found : found.filter(({ path }) => path.join('.') === at);
  const [array] = named;
  if (array === undefined)
    throw fault(
      `it has no list ${listed([at ?? ''])}, but ${listed(shown)}; --property names one (in block.json, the dialect's property)`,
    );
  if (named.length > 1)
    throw fault(
      `several lists may be the rows: ${listed(shown)}; --property names one: --property ${longest(found).path.join('.')}`,
    );
  const { path, holds, first = '' } = array;
  if (holds === 'objects') return { path };
  const width = partsOf(first)?.length;
  const lists = all.names.filter(({ names, path: own }) => {
    return names.length === width && own.slice(0, -1).join('.') === path.slice(0, -1).join('.');
  });
  const list = lists.find(({ path }) => NAMES.test(path.at(-1) as string)) ?? lists[0];
  if (list !== undefined) {
    const notes = [`${listed([list.path.join('.')])} has the names of the values`];
    return { path, asObject: listsNamed(list.names, file), notes };
  }
  const inFirst = firstNames(first, file);
  if (inFirst.asObject !== undefined) return { path, ...inFirst };
  throw fault(
    `${listed([shown[found.indexOf(array)] as string])}: expected objects; take the source's CSV instead`,
  );
}

function countOf({ elements, holds }: FoundArray): string {
  return `${numberText(elements)} ${elements === 1 ? holds.slice(0, -1) : holds}`;
}

function longest(found: readonly FoundArray[]): FoundArray {
  return found.reduce((most, one) => (one.elements > most.elements ? one : most));
}

/** What a list of names is called. */
const NAMES = /^(?:column|field|header|name|key|label)(?:s|_?names)?$/i;

async function* recordsAt(
  { path, isKeyed, isNamedByFirst }: Records,
  readBytes: ReadBytes,
  file: string,
): AsyncGenerator<KeyedSlice> {
  const stream = new JsonStream(readBytes, file);
  for (const wanted of path) {
    for await (const name of stream.members()) {
      if (name === wanted) break;
      await stream.skip();
    }
  }
  if (isKeyed) {
    let number = 0;
    for await (const key of stream.members()) {
      yield { number: ++number, slice: await stream.take(), key };
    }
    return;
  }
  for await (const slice of elements(stream)) {
    if (!isNamedByFirst || slice.number > 1) yield slice;
  }
  // The text after an inner array was checked when the array was found.
  if (path.length === 0) await stream.end();
}

/** Yields the elements of the array that begins here, numbered from 1. */
export async function* elements(stream: JsonStream): AsyncGenerator<NumberedSlice> {
  let number = 0;
  for await (const _ of stream.elements()) yield { number: ++number, slice: await stream.take() };
}

/** Yields the values that stand one after another, numbered from 1. */
export async function* documents(
  readBytes: ReadBytes,
  file: string,
): AsyncGenerator<NumberedSlice> {
  const stream = new JsonStream(readBytes, file);
  let number = 0;
  for await (const _ of stream.documents()) yield { number: ++number, slice: await stream.take() };
}

/** Reads JSON objects, one on each line. Skips blank lines. */
export function readNdjson(
  readBytes: ReadBytes,
  file: string,
  { badRows }: JsonDialect = {},
): Promise<SourceTable> {
  return tableOf(() => jsonLines(readBytes, file), { file, counts: 'line', badRows });
}

/** Yields the lines that are not blank. */
export async function* jsonLines(
  readBytes: ReadBytes,
  file: string,
): AsyncGenerator<NumberedSlice> {
  let [number, before] = [0, ''];
  for await (const piece of utf8Pieces(readBytes, file)) {
    const lines = piece.split('\n');
    lines[0] = before + lines[0];
    before = lines.pop() as string;
    for (const line of lines) {
      number++;
      const text = bareLine(line);
      if (text.trim() !== '') yield { number, slice: { text, line: number, column: 1 } };
    }
    if (before.length > MAX_RECORD) {
      const reason = `a line of over ${MAX_RECORD / 1e6} million characters; if it is one JSON document, let its name end in .json`;
      throw new SeedError(file, reason, { line: number + 1 });
    }
  }
  number++;
  const text = bareLine(before);
  if (text.trim() !== '') yield { number, slice: { text, line: number, column: 1 } };
}

/** A line without the separator of a sequence. */
function bareLine(line: string): string {
  return line.charCodeAt(0) === RECORD_SEPARATOR ? line.slice(1) : line;
}

/**
 * Makes a table of JSON objects. Reads them once for their columns and faults, and again for each
 * reading.
 */
async function tableOf(
  slices: () => AsyncGenerator<KeyedSlice>,
  { file, counts, badRows, asObject, notes = [] }: JsonTable,
): Promise<SourceTable> {
  const columns = new JsonColumns(file);
  const faults = new RecordFaults(file, columns, badRows !== undefined);
  const asObjectOf = (record: KeyedSlice) => {
    try {
      return (asObject as AsObject)(record);
    } catch (error) {
      // The record is one without columns, so that none of another is taken back.
      columns.cellsOf({ ...record.slice, text: '{}' });
      throw error;
    }
  };
  const read = (record: KeyedSlice) => {
    const slice = asObject === undefined ? record.slice : asObjectOf(record);
    return { cells: columns.cellsOf(slice), types: columns.types, line: record.number };
  };
  let hasAny = false;
  for await (const slice of slices()) hasAny = isGood(faults.orBad(slice, read)) || hasAny;
  if (!hasAny)
    throw faults.first ?? new SeedError(file, 'it holds no objects; write one for each row');
  return {
    headers: columns.paths.map((path) => path.join('.')),
    counts,
    headerLine: 0,
    notes: [...notes, ...columns.notes()],
    records: repeatable(async function* () {
      for await (const slice of slices()) yield faults.orBad(slice, read);
    }),
  };
}

/** The facts about a table of JSON objects before these are read. */
/** A record, and its name if that stands outside. */
type KeyedSlice = NumberedSlice & { readonly key?: string };

type JsonTable = Pick<Records, 'asObject'> & {
  readonly file: string;
  readonly counts: 'line' | 'record';
  readonly badRows: Dialect['badRows'];
  readonly notes?: readonly string[];
};

/** Makes bad rows of records with faults, if the dialect handles bad rows. */
export class RecordFaults {
  /** The first fault that was found. */
  first: RecordError | undefined;
  readonly #file: string;
  readonly #columns: JsonColumns;
  readonly #isTolerant: boolean;
  readonly #count = new BadRowCount();
  #last = 0;

  constructor(file: string, columns: JsonColumns, isTolerant: boolean) {
    this.#file = file;
    this.#columns = columns;
    this.#isTolerant = isTolerant;
  }

  /** Returns what `read` makes of a record, or a bad row. Throws at a fault of the whole file. */
  orBad<R extends SourceRecord>(
    slice: NumberedSlice,
    read: (slice: NumberedSlice) => R,
  ): R | BadRecord {
    try {
      return read(slice);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      if (!this.#isTolerant) throw error.withOption;
      this.#columns.forget();
      const { text, line } = slice.slice;
      const { reason: detail } = error;
      const bad: BadRow = { text, reason: 'faulty-record', detail, ways: [] };
      // Each later reading finds the same faults.
      if (slice.number > this.#last) {
        this.#last = slice.number;
        this.first ??= error;
        this.#count.add(bad, this.#file, { line });
      }
      return { cells: [], line: slice.number, bad };
    }
  }
}

type BadRecord = SourceRecord & { readonly bad: BadRow };

/** Whether a record is a row. */
export function isGood(record: SourceRecord): boolean {
  return record.bad === undefined;
}
