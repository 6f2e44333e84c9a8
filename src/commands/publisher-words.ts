import { columnNamed } from '../recipe/gather-evidence.ts';
import type { Given } from '../recipe/given.ts';
import type { Draft } from '../recipe/propose.ts';
import type { BlockFile } from '../recipe/recipe.ts';
import { listInWords } from '../text/wording.ts';
import { isDay } from './add-options.ts';
import type { Console } from './console.ts';

/**
 * Adds the publisher's words to a draft. Throws a SeedError if they name a column that is not
 * there.
 */
export function withPublisherWords(draft: Draft, given: Given): Draft {
  const { title, description, source, license, updated, lang, key, main } = given;
  const { block } = draft;
  const [first, ...others] = block.sources;
  const isLink = source !== undefined && isAddress(source);
  const before = block.sources[0]?.title ?? block.file;
  const named = {
    ...first,
    title: source === undefined || isLink ? before : source,
    path: isLink ? source : first?.path,
    date: updated ?? first?.date,
  };
  // The description begins with a title that was made from the file's name.
  const derived =
    title === undefined ? block.description : block.description.replace(block.title, () => title);
  // A key that is given is written behind the other members.
  const { primaryKey: _, ...keyless } = block;
  return {
    ...draft,
    given,
    block: {
      ...(key === undefined ? block : keyless),
      title: title ?? block.title,
      description: description ?? derived,
      lang: lang ?? block.lang,
      sources: [named, ...others],
      licenses:
        license === undefined
          ? block.licenses
          : [isAddress(license) ? { path: license } : { name: license }],
      fields: main === undefined ? block.fields : withMain(draft, main),
      primaryKey: key === undefined ? block.primaryKey : keyOf(draft, key),
    },
  };
}

/** The value of `--key` if nothing identifies a row. */
const NO_KEY = 'none';

function keyOf(draft: Draft, key: string): BlockFile['primaryKey'] {
  if (key === NO_KEY) return undefined;
  const names = key.split(',').map((column) => nameOf(draft, column.trim(), '--key'));
  return names.length === 1 ? (names[0] as string) : names;
}

function withMain(draft: Draft, column: string): BlockFile['fields'] {
  const name = nameOf(draft, column, '--main');
  return draft.block.fields.map(({ main: _, ...field }) =>
    field.name === name ? { ...field, main: true } : field,
  );
}

function nameOf({ columns, block }: Draft, column: string, option: string): string {
  return columnNamed(columns, column, option, block.sources[0]?.title ?? block.file).name;
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Questions for the person who publishes a file. Enter skips one. */
const QUESTIONS: readonly (readonly [member: PublisherWord, text: string])[] = [
  ['title', 'Title'],
  ['description', 'What is a row, in a sentence'],
  ['source', 'Who publishes the data, or their https address'],
  ['license', 'Licence, such as CC-BY-4.0 or an https address'],
  ['updated', 'The day or month the data are of, such as 2026-11'],
];

type PublisherWord = 'title' | 'description' | 'source' | 'license' | 'updated';

/** How often a person may answer with a date that is not one, before the question is skipped. */
const MOST_TRIES = 3;

/** Asks the person at the terminal for the words that the line lacks. */
export async function askPublisherWords(
  { ask }: Console,
  given: Given,
  { block }: Draft,
): Promise<Given> {
  if (ask === undefined) return given;
  let all = given;
  for (const [member, text] of QUESTIONS) {
    if (all[member] !== undefined) continue;
    const proposed = member === 'title' || member === 'description' ? ` [${block[member]}]` : '';
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const answer = await ask(`${text}${proposed} (Enter skips): `);
      // The input has ended.
      if (answer === undefined) return all;
      const word = answer.trim();
      if (word !== '' && member === 'updated' && !isDay(word)) continue;
      if (word !== '') all = { ...all, [member]: word };
      break;
    }
  }
  return all;
}

/**
 * A sentence that names what a block does not say about its data. Undefined if nothing is missing.
 */
export function missingWords({ sources: [source], licenses }: BlockFile): string | undefined {
  const missing = [
    ...(source?.publisher === undefined && source?.path === undefined && isFile(source?.title)
      ? ['source (--source)']
      : []),
    ...(licenses === undefined ? ['licence (--license)'] : []),
    ...(source?.date === undefined ? ['date (--updated)'] : []),
  ];
  return missing.length === 0 ? undefined : `Not stated yet: ${listInWords(missing, 'and')}.`;
}

function isFile(title: string | undefined): boolean {
  return title === undefined || /\.[a-z0-9]{2,8}$/i.test(title);
}
