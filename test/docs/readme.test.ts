import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';
import { anchorOf, documents, fencesOf, headingsOf, proseOf, readDocument } from './markdown.ts';
import { canRun, comparable, runSnippet, snippetsOf } from './run-snippet.ts';

const DOCUMENTS = documents();
const BLOCK_READMES = DOCUMENTS.filter((file) => /^functions\/[^/]+\/README\.md$/.test(file));
const CALLING = [
  'README.md',
  ...BLOCK_READMES,
  'docs/calling.md',
  'docs/errors.md',
  'docs/mcp.md',
  'docs/semantics.md',
];

const snippets = CALLING.flatMap((file) =>
  snippetsOf(readDocument(file)).map((snippet) => ({ file, ...snippet })),
);

describe('the snippets that call the service', () => {
  const service = suiteService();

  test.each(snippets)('$file, line $line ($lang)', async ({ shown, ...snippet }) => {
    if (!canRun(snippet)) return;
    const { code, out, err } = await runSnippet(snippet, service.url);
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
    expect(out).not.toBe('');
    if (shown?.lang === 'text') expect(out.trim()).toBe(shown.text.trim());
    if (shown?.lang === 'json') {
      const [expected, printed] = comparable(JSON.parse(shown.text), JSON.parse(out));
      expect(printed).toEqual(expected);
    }
  });
});

test.each([
  ['README.md', ['sh', 'js']],
  ['docs/calling.md', ['sh', 'js', 'python']],
])('%s shows a request with its answer, and calls from %j', (file, languages) => {
  const own = snippets.filter((snippet) => snippet.file === file);
  expect(own[0]?.shown?.lang).toBe('json');
  expect(own.filter(({ shown }) => shown === undefined)).toEqual([]);
  expect(new Set(own.map(({ lang }) => lang))).toEqual(new Set(languages));
});

describe('README.md, for a newcomer', () => {
  const lines = readDocument('README.md').trimEnd().split('\n');

  test('has at most 130 lines', () => expect(lines.length).toBeLessThanOrEqual(130));

  test('has the one command within its first ten lines, and then a picture of what it makes', () => {
    expect(lines.slice(0, 10)).toContain('npx blockyard add inspections.csv');
    expect(lines.slice(0, 15).join('\n')).toMatch(/!\[.+\]\(docs\/images\/.+\.png\)/);
  });

  test('says how to clone and install before any other command of this checkout', () => {
    const shell = fencesOf(lines.join('\n')).filter(({ lang }) => lang === 'sh');
    const [, clone] = shell.map(({ text }) => text);
    expect(clone).toMatch(/^git clone .*\ncd blockyard\nnpm ci && npm start$/);
  });
});

test.each(BLOCK_READMES)('%s shows a request with its answer', (file) => {
  const own = snippets.filter((snippet) => snippet.file === file);
  expect(own.some(({ shown }) => shown?.lang === 'json')).toBe(true);
});

describe('the commands', () => {
  const { scripts } = JSON.parse(readDocument('package.json')) as {
    scripts: Record<string, string>;
  };

  test.each(DOCUMENTS)('%s names only scripts that package.json has', (file) => {
    const document = readDocument(file);
    const named = [...document.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
      ([, run, plain]) => (run ?? plain) as string,
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('README.md starts and tests with the commands that everything else uses', () => {
    const shell = fencesOf(readDocument('README.md')).filter(({ lang }) => lang === 'sh');
    const lines = shell.flatMap(({ text }) => text.split('\n'));
    expect(lines).toContain('npm ci && npm start');
    expect(lines).toContain('npm ci && npm test');
    expect(lines).toContain('npm run deploy');
    expect(readDocument('README.md')).toContain('`npm run destroy`');
  });
});

describe('the links', () => {
  const links = DOCUMENTS.flatMap((file) =>
    [...proseOf(readDocument(file)).matchAll(/\]\(<?([^)\s>]+)>?\)/g)]
      .map(([, target]) => target as string)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => ({ file, target })),
  );

  test('there are some', () => expect(links.length).toBeGreaterThan(0));

  test.each(DOCUMENTS)('%s links to files and headings that are there', (file) => {
    const broken = links
      .filter((link) => link.file === file)
      .map(({ target }) => target)
      .filter((target) => !resolves(file, target));
    expect(broken).toEqual([]);
  });
});

function resolves(file: string, target: string): boolean {
  const [to = '', anchor] = target.split('#');
  const found = to === '' ? file : path.posix.join(path.posix.dirname(file), to);
  if (!existsSync(path.join(ROOT, found))) return false;
  if (anchor === undefined || !found.endsWith('.md')) return true;
  return headingsOf(readDocument(found)).some(({ text }) => anchorOf(text) === anchor);
}
