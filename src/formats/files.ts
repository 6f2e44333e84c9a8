import { Problem } from '../problem/errors.ts';
import type { Budget } from '../work/budget.ts';
import type { Scheduler } from '../work/scheduler.ts';
import { FORMATS, type Format, holds, isFileOfRows } from './formats.ts';

/**
 * The files of a version: each has all of its rows, is written once, and has an address of its own,
 * at which programs read the parts that they need.
 */

/** A kind of file. */
export type FileKind = {
  readonly format: Format;
  /** What people call it. */
  readonly title: string;
  /** The end of its address. */
  readonly extension: string;
  readonly contentType: string;
  /** Whether it is compressed as a whole, by gzip. */
  readonly isPacked?: true;
};

/** The kinds of files that a block with these formats has. */
export function fileKindsOf(formats: readonly Format[]): FileKind[] {
  return formats.filter(isFileOfRows).flatMap((format): FileKind[] => {
    const { title, contentType, extension = format, isPackedToo } = FORMATS[format];
    const plain = { format, title, extension, contentType };
    if (isPackedToo === undefined) return [plain];
    const packed = { title: `${title}, gzip`, extension: `${extension}.gz` };
    return [plain, { ...plain, ...packed, contentType: 'application/gzip', isPacked: true }];
  });
}

/** A file that is written. */
export type FileOfVersion = {
  readonly bytes: number;
  /** A strong ETag, by its bytes. */
  readonly etag: string;
  /** Its bytes from one position to before another. Throws if it has fewer. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
  /** Where parts with more bytes than `above` are read instead; absent if all are read here. */
  readonly elsewhere?: {
    readonly above: number;
    /** An address with all of its bytes, for some time. */
    address(): Promise<string>;
  };
};

/** Writes a file with all rows, in pieces. */
export type WriteFile = (budget: Budget) => AsyncIterable<string | Uint8Array>;

/** Where the files of one version are. */
export type VersionFiles = {
  /** Whether there is a file of a kind; there is one of each if absent. */
  has?(kind: FileKind): boolean;
  /** How long a file is; undefined if that is not known before it is written. */
  bytesOf(kind: FileKind): number | undefined;
  /**
   * Opens a file. If it is not there, `write` makes it, once for all who ask for it meanwhile: it
   * goes on if they leave.
   */
  open(kind: FileKind, write: WriteFile, scheduler: Scheduler): Promise<FileOfVersion>;
};

/** A file as documents and pages name it. */
export type ListedFile = FileKind & {
  /** Absent if it is not known yet. */
  readonly bytes?: number | undefined;
};

/** The files that a block with this number of rows has; none if they are nowhere. */
export function listFiles(
  formats: readonly Format[],
  rows: number,
  files: VersionFiles | undefined,
): readonly ListedFile[] {
  if (files === undefined) return [];
  return fileKindsOf(formats)
    .filter((kind) => holds(kind.format, rows) && files.has?.(kind) !== false)
    .map((kind) => ({ ...kind, bytes: files.bytesOf(kind) }));
}

/** A mark that differs where a document names other files, or says that they are longer. */
export function markOfFiles(files: readonly ListedFile[]): string {
  return files.map(({ bytes }) => `-${bytes ?? ''}`).join('');
}

/** The refusal of a file with more bytes than are kept. */
export function fileTooLong(most: number): Problem {
  const detail = `The file would have more than ${Math.ceil(most / 1e9)} GB, which is the most that is kept. Ask for Parquet, which is shorter, or filter for fewer rows: without .csv and the like, the block's address takes filters.`;
  return new Problem('result-too-large', detail);
}
