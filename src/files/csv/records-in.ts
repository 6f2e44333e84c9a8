import type { FoundTable } from '../several-tables.ts';
import { type Cut, type ParsedRecord, RecordParser } from './record-parser.ts';

/** The number of records that begin above a line. Undefined if none begins in the line. */
export async function recordsAbove(
  text: AsyncIterable<string>,
  cut: Cut,
  line: number,
): Promise<number | undefined> {
  let above = 0;
  for await (const record of recordsIn(text, cut, { keepsStrayQuotes: true })) {
    if (record.line >= line) return record.line === line ? above : undefined;
    above++;
  }
  return undefined;
}

/** The line in which the record of this number, from 1, begins. Undefined if there are fewer. */
export async function lineOfRecord(
  text: AsyncIterable<string>,
  cut: Cut,
  number: number,
): Promise<number | undefined> {
  let count = 0;
  for await (const { line } of recordsIn(text, cut, { keepsStrayQuotes: true }))
    if (++count === number) return line;
  return undefined;
}

/** Yields the records of a text. After one that cannot be cut, continues with the next line. */
export async function* recordsIn(
  text: AsyncIterable<string>,
  cut: Cut,
  { keepsStrayQuotes = false, firstLine = 1 } = {},
): AsyncGenerator<ParsedRecord> {
  const parser = new RecordParser(cut, { keepsStrayQuotes, firstLine });
  for await (const piece of text) {
    parser.add(piece);
    yield* parser.records();
  }
  parser.end();
  yield* parser.records();
}

/** Yields only a table's lines. */
export async function* linesOf(
  text: AsyncIterable<string>,
  { from, to }: Pick<FoundTable, 'from' | 'to'>,
): AsyncGenerator<string> {
  let line = 1;
  for await (const piece of text) {
    let [start, end] = [line >= from ? 0 : piece.length, piece.length];
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) {
      line++;
      if (line === from) start = at + 1;
      if (line !== to) continue;
      end = at + 1;
      break;
    }
    if (start < end) yield piece.slice(start, end);
    if (line >= to) return;
  }
}
