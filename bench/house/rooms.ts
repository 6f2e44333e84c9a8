import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What a room of the house has, or may have. */
export type Size = {
  /** Lines of code: no blank lines, comments or imports. */
  readonly lines: number;
  /** Words that mark a dialect, in comments, messages and names of tests. */
  readonly dialect: number;
};

/** The folders of the code. Those in the first ones are rooms of their own. */
const FOLDERS = ['src', 'test', 'lib', 'lambda', 'bin', 'functions'];
const OF_ROOMS = ['src', 'test'];

/** Words by which a reader notices that English is not the writer's own. They may only become fewer. */
const DIALECT = /\b(?:so many|of which|nobody|whoever|behind|stands?)\b/gi;

/** Comments, strings and templates. What is left is code. */
const WORDS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** Lines that are neither blank, nor a comment, nor part of an import. */
export function codeLines(text: string): number {
  return text
    .replace(/^import\s[^;]*;$/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*|$)/.test(line)).length;
}

/** The marks of a dialect in a file; `its` is one as a name in code. */
export function dialectIn(text: string): number {
  const words = (text.match(WORDS) ?? []).join('\n');
  const names = text.replace(WORDS, '').match(/\bits\b/g) ?? [];
  return (words.match(DIALECT) ?? []).length + names.length;
}

/** The files of code of a checkout, each with the room that it is in. */
export function filesOfRooms(root: string): { readonly room: string; readonly file: string }[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:tsx?|m?js)$/.test(file) && !file.includes('node_modules'))
      .map((file) => {
        const [first = '', second] = file.split(path.sep);
        const isRoom = OF_ROOMS.includes(folder) && second !== undefined;
        return { room: isRoom ? `${folder}/${first}` : folder, file: path.join(folder, file) };
      }),
  );
}

/** What each room has. */
export function sizesOfRooms(root: string): Record<string, Size> {
  const sizes: Record<string, Size> = {};
  for (const { room, file } of filesOfRooms(root)) {
    const text = readFileSync(path.join(root, file), 'utf8');
    const { lines, dialect } = sizes[room] ?? { lines: 0, dialect: 0 };
    sizes[room] = { lines: lines + codeLines(text), dialect: dialect + dialectIn(text) };
  }
  return Object.fromEntries(Object.entries(sizes).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The rooms that have more than they may, each as a line. */
export function overBudget(
  sizes: Readonly<Record<string, Size>>,
  budget: Readonly<Record<string, Size>>,
): string[] {
  return Object.entries(sizes).flatMap(([room, { lines, dialect }]) => {
    const may = budget[room] ?? { lines: 0, dialect: 0 };
    return [
      ...(lines > may.lines
        ? [`${room} has ${lines} lines of code; it may have ${may.lines}`]
        : []),
      ...(dialect > may.dialect
        ? [`${room} has ${dialect} words of the dialect; it may have ${may.dialect}`]
        : []),
    ];
  });
}
