import { isBlank, type Members } from '../../arguments/given.ts';
import { belowRoot, fileReference } from '../../block/addresses.ts';
import type { Block } from '../../block/block.ts';
import { type Described, sourcesOf } from '../../block/describe-block.ts';
import type { Manifest } from '../../block/manifest.ts';
import type { ListedFile } from '../../formats/files.ts';
import { ANSWER_CUT, type Warning } from '../../problem/errors.ts';
import { numberText, shorten } from '../../text/wording.ts';
import { asData, fittingLines, shortenToBytes } from './data-text.ts';

/** Characters of a warning; bytes of all warnings, and of the sources that are cited. */
const MOST_OF_A_WARNING = 300;
const MOST_WARNINGS_BYTES = 900;
const MOST_SOURCE_BYTES = 400;

/** Characters of the address with the same rows. For a longer question the model is told to POST it. */
const MOST_OF_AN_ADDRESS = 1000;

/** The address that answers the same, in a browser as a page. `sent` has each argument by its own name. */
export function addressLine(block: string, sent: Members, root: string): string {
  const pairs = Object.entries(sent).flatMap(([name, value]) =>
    isBlank(value)
      ? []
      : [value]
          .flat()
          .filter(isScalar)
          .map((one): [string, string] => [name.toWellFormed(), String(one).toWellFormed()]),
  );
  const address = new URL(belowRoot(block), root);
  address.search = new URLSearchParams(pairs).toString();
  const isReadable = !pairs.flat().some((text) => text.includes(REPLACEMENT));
  if (isReadable && address.href.length <= MOST_OF_AN_ADDRESS)
    return `The same at: ${address.href}`;
  address.search = '';
  const { href } = address;
  return `The same by POST of these arguments to: ${href.length <= MOST_OF_AN_ADDRESS ? href : belowRoot(block)}`;
}

/** A query with this, or with half a surrogate pair, is refused as one that is not UTF-8. */
const REPLACEMENT = '\ufffd';

/** Ignored names may have other values. */
function isScalar(value: unknown): boolean {
  return typeof value !== 'object';
}

/** Whose data a block has: publisher, title and date or version of each source. */
export function sourceText(described: Described): string {
  return sourcesOf(described)
    .map(({ publisher, title, date, version }) => {
      const dated = version === undefined ? date : `version ${version}`;
      return [publisher, `“${title}”`, dated].filter((text) => text !== undefined).join(', ');
    })
    .join('; ');
}

/** How to cite an answer: whose data they are, and which version of which block. */
export function citeLine(block: Block, manifest: Manifest | undefined): string {
  const text = asData(sourceText({ block, manifest }));
  const source = text === '' ? '' : `${shortenToBytes(text, MOST_SOURCE_BYTES)}; `;
  const version = manifest === undefined ? '' : `, version ${manifest.version}`;
  return `Cite as: ${source}block ${block.name}${version}, and the address.`;
}

/** Where all rows are as files, for a program: the first by its address, the others by their endings. */
export function filesLine(block: Block, files: readonly ListedFile[], root: string): string[] {
  const parquet = files.find(({ format }) => format === 'parquet') ?? files[0];
  if (parquet === undefined) return [];
  const { href } = new URL(belowRoot(fileReference(block.name, parquet.extension)), root);
  if (href.length > MOST_OF_AN_ADDRESS) return [];
  const lengthOf = ({ bytes }: ListedFile) =>
    bytes === undefined ? '' : ` (${numberText(bytes)} bytes)`;
  const others = files
    .filter((file) => file !== parquet)
    .map((file) => `.${file.extension}${lengthOf(file)}`);
  return [`All rows as a file: ${href}${lengthOf(parquet)}; also ${others.join(', ')}.`];
}

/** Warnings as notes, except that the answer is cut, which the text says in another way. */
export function notesOf(warnings: readonly Warning[]): string[] {
  const notes = warnings
    .filter(({ title }) => title !== ANSWER_CUT)
    .map(({ message }) => asData(`Note: ${shorten(message, MOST_OF_A_WARNING)}`));
  return fittingLines(notes, MOST_WARNINGS_BYTES, (more) => `${more} more notes are left out.`);
}
