import { utf8Pieces } from './encoding.ts';
import { JsonStream } from './json-stream.ts';
import { type NumberedSlice, tableOf } from './json-table.ts';
import { listed, MAX_RECORD, type ReadBytes, SeedError, type SourceTable } from './source-table.ts';

/** Objects within objects in which the array of records is looked for. */
const MAX_WAY = 3;

/** An array in a JSON file, by the names on the way to it. */
type FoundArray = {
  readonly way: readonly string[];
  readonly elements: number;
  readonly holds: 'objects' | 'arrays';
};

/**
 * Reads an array of objects. If the file is one object, its records are the only array of objects
 * or arrays at most three names inside; of several, `at` names one (`result.records`).
 */
export async function readJson(
  readBytes: ReadBytes,
  file: string,
  at?: string,
): Promise<SourceTable> {
  const stream = new JsonStream(readBytes, file);
  const first = await stream.peek();
  if (first === '[') return tableOf(() => elementsAt([], readBytes, file), file, 'record');
  if (first !== '{') throw stream.fault('expected a JSON array or object');
  const found: FoundArray[] = [];
  const others: string[] = [];
  await findArrays(stream, [], found, others);
  await stream.end();
  const { way } = chosen(found, file, at);
  const left = others.filter((name) => name !== way[0]);
  const notes =
    left.length === 0
      ? []
      : [`left out what stands beside ${listed([way.join('.')])}: ${listed(left)}`];
  return tableOf(() => elementsAt(way, readBytes, file), file, 'record', notes);
}

async function findArrays(
  stream: JsonStream,
  way: readonly string[],
  found: FoundArray[],
  names: string[],
): Promise<void> {
  for await (const name of stream.members()) {
    if (way.length === 0) names.push(name);
    const first = await stream.peek();
    const here = [...way, name];
    if (first === '{' && here.length < MAX_WAY) {
      await findArrays(stream, here, found, names);
    } else if (first === '[') {
      let [elements, opening] = [0, ''];
      for await (const _ of stream.elements()) {
        if (elements++ === 0) opening = await stream.peek();
        await stream.skip();
      }
      if (opening === '{') found.push({ way: here, elements, holds: 'objects' });
      if (opening === '[') found.push({ way: here, elements, holds: 'arrays' });
    } else {
      await stream.skip();
    }
  }
}

function chosen(found: readonly FoundArray[], file: string, at: string | undefined): FoundArray {
  const shown = found.map((array) => `${array.way.join('.')} (${array.elements} ${array.holds})`);
  const fault = (reason: string) => new SeedError(file, reason);
  if (found.length === 0) {
    throw fault('expected an array of objects, or an object with one at most three names inside');
  }
  const named = at === undefined ? found : found.filter(({ way }) => way.join('.') === at);
  const [array] = named;
  if (array === undefined)
    throw fault(`it has no array ${listed([at ?? ''])}, but ${listed(shown)}`);
  if (named.length > 1)
    throw fault(`several arrays may be the rows: ${listed(shown)}; name one with --property`);
  if (array.holds === 'arrays') {
    throw fault(
      `${listed([shown[found.indexOf(array)] as string])}: expected objects; take the source's CSV instead`,
    );
  }
  return array;
}

async function* elementsAt(
  way: readonly string[],
  readBytes: ReadBytes,
  file: string,
): AsyncGenerator<NumberedSlice> {
  const stream = new JsonStream(readBytes, file);
  for (const wanted of way) {
    for await (const name of stream.members()) {
      if (name === wanted) break;
      await stream.skip();
    }
  }
  for await (const slice of elements(stream)) yield slice;
  // What stands behind an inner array was gone through when it was found.
  if (way.length === 0) await stream.end();
}

/** The elements of the array that begins here, numbered from 1. */
export async function* elements(stream: JsonStream): AsyncGenerator<NumberedSlice> {
  let number = 0;
  for await (const _ of stream.elements()) yield { number: ++number, slice: await stream.take() };
}

/** Reads JSON objects, one on each line; blank lines are skipped. */
export function readNdjson(readBytes: ReadBytes, file: string): Promise<SourceTable> {
  return tableOf(() => jsonLines(readBytes, file), file, 'line');
}

/** The lines that hold anything. */
export async function* jsonLines(
  readBytes: ReadBytes,
  file: string,
): AsyncGenerator<NumberedSlice> {
  let [number, before] = [0, ''];
  for await (const piece of utf8Pieces(readBytes, file)) {
    const lines = piece.split('\n');
    lines[0] = before + lines[0];
    before = lines.pop() as string;
    for (const text of lines) {
      number++;
      if (text.trim() !== '') yield { number, slice: { text, line: number, column: 1 } };
    }
    if (before.length > MAX_RECORD) {
      const reason = `a line of over ${MAX_RECORD / 1e6} million characters; is it one JSON array?`;
      throw new SeedError(file, reason, { line: number + 1 });
    }
  }
  number++;
  if (before.trim() !== '') {
    yield { number, slice: { text: before, line: number, column: 1 } };
  }
}
