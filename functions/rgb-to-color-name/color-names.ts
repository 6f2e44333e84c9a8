import { createHash } from 'node:crypto';
// @ts-expect-error: the package has no types.
import cssColors from 'color-name';

/** A colour in the form of the `color-name-list` package; hex includes its `#`. */
export interface NamedColor {
  readonly name: string;
  readonly hex: string;
}

/** A file that `make-lists.ts` writes: its text, and its path relative to the checkout. */
export interface ColorNameFile {
  readonly path: string;
  text(): string;
}

interface ListSource {
  readonly title: string;
  readonly description: string;
  readonly source: string;
  readonly version: string;
  readonly licence: string;
  readonly colors: readonly NamedColor[];
}

const FOLDER = 'seed-data/color-names';

/**
 * The packed colour lists and their sources, made from the `color-name-list` package.
 * `readPackageFile` reads a file by its path within the package.
 */
export function colorNameFiles(readPackageFile: (path: string) => string): ColorNameFile[] {
  const lists = colorLists(readPackageFile);
  const packed = Object.entries(lists).map(([id, list]) => ({
    path: `${FOLDER}/${id}.txt`,
    text: () => colorListText(list.colors),
  }));
  return [
    ...packed,
    { path: `${FOLDER}/source.json`, text: () => describeSources(lists) },
    // The package's licence requires its notice beside every copy of the names.
    { path: `${FOLDER}/LICENSE`, text: () => readPackageFile('LICENSE') },
  ];
}

/**
 * Writes a colour list as text in the given order, in the format of `parseColorList`: per colour
 * one line with `rrggbb name` and a line feed.
 */
export function colorListText(colors: readonly NamedColor[]): string {
  return colors.map(packColor).join('');
}

function packColor({ name, hex }: NamedColor): string {
  if (!/^#[0-9a-f]{6}$/.test(hex)) throw new Error(`"${name}" has the colour "${hex}".`);
  if (!/^\S(.*\S)?$/.test(name)) throw new Error(`${hex} has the name "${name}".`);
  return `${hex.slice(1)} ${name}\n`;
}

function colorLists(readPackageFile: (path: string) => string): Record<string, ListSource> {
  const { version } = JSON.parse(readPackageFile('package.json')) as { version: string };
  const fromPackage = (title: string, description: string, path: string): ListSource => ({
    title,
    description,
    source: `https://github.com/meodai/color-names (package color-name-list), ${path}`,
    version,
    licence: 'MIT',
    colors: JSON.parse(readPackageFile(path)) as NamedColor[],
  });
  return {
    full: fromPackage(
      'Full',
      'Every name of the Color Names project, historical and outside lists included.',
      'dist/colornames.json',
    ),
    bestof: fromPackage(
      'Best of',
      'The names that the Color Names project’s curators picked as the most telling.',
      'dist/colornames.bestof.json',
    ),
    short: fromPackage(
      'Short',
      'The names of the Color Names project’s best that are at most 12 characters long.',
      'dist/colornames.short.json',
    ),
    css: {
      title: 'CSS',
      description: 'The named colours of CSS, in alphabetical order.',
      source: 'https://www.w3.org/TR/css-color-4/#named-colors',
      version: 'CSS Color Module Level 4',
      licence: 'W3C Software and Document License',
      colors: Object.entries<number[]>(cssColors).map(([name, rgb]) => ({
        name,
        hex: `#${Buffer.from(rgb).toString('hex')}`,
      })),
    },
  };
}

/** `source.json`: each list's origin, and its packed text's number of colours and hash. */
function describeSources(lists: Record<string, ListSource>): string {
  const entries = Object.entries(lists).map(([id, { colors, ...source }]) => {
    const sha256 = createHash('sha256').update(colorListText(colors)).digest('hex');
    return [id, { ...source, count: colors.length, sha256 }];
  });
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
