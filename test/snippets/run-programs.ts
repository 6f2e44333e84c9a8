import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runProgram } from '../support/command.ts';

export type Ran = {
  readonly code: number | null;
  /** What each program printed. */
  readonly outputs: readonly string[];
  readonly err: string;
  /** Files that the programs have left. */
  readonly left: readonly string[];
};

type Runtime = {
  readonly command: readonly string[];
  /** A program's file, and what stands in it. */
  readonly file: (i: number) => string;
  readonly program?: (text: string, i: number) => string;
  /** A program that runs the others, one after the other, in one start. */
  readonly all: (count: number) => string;
  readonly allFile: string;
};

const BETWEEN = '-- the next program --';

/** How to run the snippets of each language; more than one in one start, for time. */
export const RUNTIMES: Readonly<Record<string, Runtime>> = {
  curl: {
    command: ['sh'],
    file: (i) => `${i}.sh`,
    program: (text) => text.replace(/^curl /, 'curl -sS '),
    all: (count) => times(count, (i) => `. ./${i}.sh\necho; echo '${BETWEEN}'`),
    allFile: 'all.sh',
  },
  javascript: {
    command: [process.execPath],
    file: (i) => `${i}.mjs`,
    all: (count) => times(count, (i) => `await import('./${i}.mjs'); console.log('${BETWEEN}');`),
    allFile: 'all.mjs',
  },
  python: {
    command: ['python3'],
    file: (i) => `${i}.py`,
    all: (count) =>
      `import runpy\n${times(count, (i) => `runpy.run_path('${i}.py')\nprint('${BETWEEN}')`)}`,
    allFile: 'all.py',
  },
  ruby: {
    command: ['ruby'],
    file: (i) => `${i}.rb`,
    all: (count) => times(count, (i) => `load './${i}.rb'\nputs '${BETWEEN}'`),
    allFile: 'all.rb',
  },
  php: {
    command: ['php'],
    file: (i) => `${i}.php`,
    all: (count) => `<?php\n${times(count, (i) => `require '${i}.php'; echo "${BETWEEN}\\n";`)}`,
    allFile: 'all.php',
  },
  r: {
    command: ['Rscript'],
    file: (i) => `${i}.R`,
    // As a file too: what is printed is cut to the width of a terminal.
    program: (text) => `${text}\nwrite.csv(rows, stdout(), row.names = FALSE, na = "")`,
    all: (count) => times(count, (i) => `source('${i}.R')\ncat('${BETWEEN}\\n')`),
    allFile: 'all.R',
  },
  go: {
    command: ['go', 'run', '.'],
    file: (i) => `program${i}.go`,
    program: (text, i) => text.replace('func main()', `func program${i}()`),
    all: (count) =>
      `package main\nimport "fmt"\nfunc main() {\n${times(count, (i) => `program${i}()\nfmt.Println("${BETWEEN}")`)}\n}`,
    allFile: 'all.go',
  },
};

/** Runs programs of one language, one after the other, in a folder of their own. */
export async function runPrograms(language: string, texts: readonly string[]): Promise<Ran> {
  const { command, file, program = String, all, allFile } = RUNTIMES[language] as Runtime;
  const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-snippets-'));
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
  try {
    await write('secret', 'a secret');
    await write('go.mod', 'module snippets\n');
    await write(allFile, all(texts.length));
    await Promise.all(texts.map((text, i) => write(file(i), program(text, i))));
    const before = await readdir(folder);
    const args = command[0] === 'go' ? [] : [allFile];
    const { code, out, err } = await runProgram([...command, ...args], folder);
    const left = (await readdir(folder)).filter((name) => !before.includes(name));
    const outputs = out.split(`${BETWEEN}\n`).slice(0, texts.length);
    return { code, outputs, err, left };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function times(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join('\n');
}
