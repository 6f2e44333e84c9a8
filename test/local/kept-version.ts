import { type FileKind, fileKindsOf, type VersionFiles } from '../../src/formats/files.ts';
import type { KeptFiles } from '../../src/local/kept-files.ts';
import { makeDataset } from '../support/datasets.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const { manifest } = makeDataset(tinyBlock, [{ street: 'a', number: 1 }], { title: 'Made' });

export const KINDS = fileKindsOf(tinyBlock.formats);
export const CSV = KINDS.find(({ extension }) => extension === 'csv') as FileKind;

/** The files of a version of a block; another of its declaration, if it has another title. */
export function version(files: KeptFiles, title = tinyBlock.title): VersionFiles {
  return files.of({ ...tinyBlock, title }, manifest);
}
