import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { Source } from '../block/manifest.ts';
import type { DatasetSource } from './dataset-source.ts';
import { SeedError } from './seed-error.ts';

/** The content of a `.source.json`: the source, and checks that the file must still pass. */
export type SourceFile = Source & { readonly rows?: number; readonly sha256?: string };

/** What the file beside another one states of it. */
export async function readSource(
  seedData: string,
  file: string,
): Promise<{ about: SourceFile; sourceFile: string }> {
  const sourceFile = sourceFileOf(file);
  return { about: parseSource(await readWhole(seedData, sourceFile), sourceFile), sourceFile };
}

/** The file that states another one's origin. */
function sourceFileOf(file: string): string {
  return file.replace(/\.[a-z]+$/, '.source.json');
}

/** A hash of all files that a dataset is made from. Throws a SeedError if one is missing. */
export async function hashOfSeed(source: DatasetSource, seedData: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of [source.file, source.boundaries?.file]) {
    if (file === undefined) continue;
    hash.update(await sha256Of(seedData, sourceFileOf(file)));
    hash.update(await sha256Of(seedData, file));
  }
  return hash.digest('hex');
}

/** Throws a SeedError if a file is not the one that its source describes. */
export async function checkChecksum(
  seedData: string,
  file: string,
  sha256: string | undefined,
  sourceFile: string,
): Promise<void> {
  if (sha256 === undefined) return;
  const found = await sha256Of(seedData, file);
  if (sha256 === found) return;
  throw new SeedError(
    file,
    `not the file that ${sourceFile} describes; if it was changed on purpose, write its sha256 there: ${found}`,
  );
}

async function sha256Of(seedData: string, file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of bytesOf(seedData, file)) hash.update(bytes);
  return hash.digest('hex');
}

/** A file's bytes, as they are read. Throws a SeedError if it cannot be. */
export async function* bytesOf(folder: string, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path.join(folder, file), { highWaterMark: 2 ** 18 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SeedError(file, code === 'ENOENT' ? `is missing in ${folder}` : message);
  }
}

export async function readWhole(folder: string, file: string): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  for await (const bytes of bytesOf(folder, file)) read.push(bytes);
  return Buffer.concat(read);
}

/** The members that every description of a dataset shows. */
const REQUIRED = ['title', 'publisher', 'license', 'date'] as const satisfies (keyof Source)[];

function parseSource(bytes: Uint8Array, file: string): SourceFile {
  const source = parseJson(bytes, file);
  for (const member of REQUIRED) {
    if (typeof source?.[member] !== 'string') {
      throw new SeedError(file, `${member} is missing; expected a text`);
    }
  }
  return source as SourceFile;
}

function parseJson(bytes: Uint8Array, file: string): Partial<SourceFile> | null {
  const text = Buffer.from(bytes).toString();
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message may quote text with line ends.
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message)?.[1];
    const where =
      position === undefined ? {} : { line: text.slice(0, Number(position)).split('\n').length };
    throw new SeedError(file, `not valid JSON: ${message.replace(/\s+/g, ' ')}`, where);
  }
}
