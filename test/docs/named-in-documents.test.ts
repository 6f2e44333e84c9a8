import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../support/service.ts';
import { documents, proseOf, readDocument } from './markdown.ts';

// What documents say of the code: files, symbols and numbers. readme.test.ts holds links and scripts.

const DOCUMENTS = documents().filter((file) =>
  /^(?:README\.md|CONTRIBUTING\.md|docs\/.*|(?:bench|seed-data|functions\/[^/]+)\/README\.md)$/.test(
    file,
  ),
);

const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => existsSync(path.join(ROOT, file)));
const FOLDERS = new Set(FILES.flatMap((file) => parentsOf(file)));

/** Files of a reader, and an address. */
const NOT_OURS = [
  ...['functions/inspections/block.json', 'functions/springfield-neighborhoods/block.json'],
  ...['program.mjs', 'openapi.json'],
];

const spansOf = (file: string) =>
  [...proseOf(readDocument(file)).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span as string);

const IS_FILE = /^[\w.@-]+(?:\/[\w.@-]+)*\.(?:tsx?|m?js|md|json|sh|css|py)$/;
const IS_FOLDER = /^(?:src|test|lib|bin|bench|docs|functions|client|seed-data)(?:\/[\w.-]+)*\/?$/;

describe('files', () => {
  test.each(DOCUMENTS)('%s names files and folders that are there', (document) => {
    const missing = spansOf(document)
      .filter((span) => IS_FILE.test(span) || IS_FOLDER.test(span))
      .filter((span) => !NOT_OURS.includes(span) && !isThere(span, path.dirname(document)));
    expect(missing).toEqual([]);
  });

  test.each(DOCUMENTS)('%s calls a file to which it links by its name', (document) => {
    const links = proseOf(readDocument(document)).matchAll(/\[`?([\w./-]+)`?\]\(([^)#\s:]+)/g);
    const misnamed = [...links].filter(([, label = '', target = '']) => {
      const file = path.posix.join('/', path.dirname(document), target);
      // The name of a file may also lead to what a document says of it.
      return IS_FILE.test(label) && !file.endsWith(`/${label}`) && !file.endsWith('.md');
    });
    expect(misnamed.map(([link]) => link)).toEqual([]);
  });
});

function isThere(named: string, folder: string): boolean {
  const name = named.replace(/\/$/, '');
  return [name, path.posix.join(folder, name)].some(
    (at) =>
      FILES.includes(at) ||
      FOLDERS.has(at) ||
      (!at.includes('/') && FILES.some((file) => path.basename(file) === at)),
  );
}

function parentsOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}

const IS_SYMBOL =
  /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]+){2,}|\w+\(\))$/;

/** Actions of AWS that documents name. */
const OF_OTHERS = ['ModifyBudget'];

describe('symbols', () => {
  const code = FILES.filter((file) => /\.(?:tsx?|m?js|py|sh)$|(?:^|\/)[\w-]+\.json$/.test(file))
    .filter((file) => !file.startsWith('docs/') && file !== 'test/docs/named-in-documents.test.ts')
    .map((file) => readDocument(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''));
  const words = new Set(code.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));

  test.each(DOCUMENTS)('%s names symbols that the code has', (document) => {
    const missing = spansOf(document)
      .filter((span) => IS_SYMBOL.test(span))
      .map((span) => settingOf(span.replace('()', '')))
      .filter((name) => !words.has(name) && !OF_OTHERS.includes(name));
    expect(missing).toEqual([]);
  });
});

/** The option of a deployment that a variable sets: names of variables are made of options' names. */
function settingOf(name: string): string {
  const [, option] = /^BLOCKYARD_(\w+)$/.exec(name) ?? [];
  if (option === undefined) return name;
  return option.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
