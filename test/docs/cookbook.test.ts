import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { COOKBOOK, COOKBOOK_PICTURES, startCookbook } from '../support/cookbook.ts';
import { ROOT } from '../support/service.ts';
import { fencesOf, headingsOf, readDocument } from './markdown.ts';
import { comparable, runSnippet, SHOWN_URL, snippetsOf } from './run-snippet.ts';

// The page's file is added as the page says, and served: the page is the test.
const document = readDocument(COOKBOOK);
const fences = fencesOf(document);
const questions = headingsOf(document).filter(({ text }) => /^\d+\. /.test(text));

let started: Awaited<ReturnType<typeof startCookbook>>;
beforeAll(async () => {
  started = await startCookbook();
});
afterAll(() => started.stop());

test('has some twenty questions, each with one call and what comes out', () => {
  expect(questions.map(({ text }) => Number.parseInt(text, 10))).toEqual(
    Array.from({ length: 23 }, (_, i) => i + 1),
  );
  for (const { text, body } of questions) {
    const [call, answer, ...more] = fencesOf(body).map(({ lang }) => lang);
    expect([text, call, answer, more]).toEqual([
      text,
      expect.stringMatching(/^(?:sh|spreadsheet|python)$/),
      expect.stringMatching(/^(?:text|json)$/),
      [],
    ]);
  }
});

/** A document has no carriage returns, which end the lines of CSV. */
const linesOf = (text: string) => text.trim().replaceAll('\r', '');

const calls = snippetsOf(document).filter(({ lang }) => lang === 'sh');

test.each(calls)('the answer shown at line $line is given', async ({ shown, ...snippet }) => {
  const { code, out, err } = await runSnippet(snippet, started.url);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  if (shown?.lang === 'text') return expect(linesOf(out)).toBe(shown.text);
  const [expected, printed] = comparable(JSON.parse(shown?.text ?? ''), JSON.parse(out));
  expect(printed).toEqual(expected);
});

test('the line that a person types prints what is shown', async () => {
  const at = fences.findIndex(({ text }) => text.startsWith('npx blockyard run '));
  const line = fences[at]?.text.replace(/^npx blockyard/, 'node bin/blockyard.js') as string;
  const env = { PATH: process.env.PATH, BLOCKYARD_URL: started.url };
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd: ROOT, env });
  expect(stdout.trimEnd()).toBe(fences[at + 1]?.text);
});

/** What the service answers to the address that a fence of a language asks for, and what is shown. */
async function addressed(language: string): Promise<{ text: string; shown: string | undefined }> {
  const at = fences.findIndex(({ lang }) => lang === language);
  const [address = ''] = new RegExp(`${SHOWN_URL}[^"]*`).exec(fences[at]?.text ?? '') ?? [];
  const response = await fetch(address.replace(SHOWN_URL, started.url));
  expect(response.status).toBe(200);
  return { text: await response.text(), shown: fences[at + 1]?.text };
}

test("the formula's address has what the spreadsheet shows", async () => {
  const { text, shown } = await addressed('spreadsheet');
  expect(linesOf(text)).toBe(shown);
});

// The quickstarts run pandas itself, in `npm run test:channels`.
test("the notebook's address has the rows whose sum is shown", async () => {
  const { text, shown } = await addressed('python');
  const rows: { cost: string }[] = parse(text, { columns: true });
  expect(rows.reduce((sum, { cost }) => sum + Number(cost), 0)).toBe(Number(shown));
});

test.each(COOKBOOK_PICTURES)('$file is what the page of $query draws', async ({ file, query }) => {
  expect(COOKBOOK_PICTURES.length).toBe(4);
  const shown = readFileSync(path.join(ROOT, file), 'utf8');
  // `npm run screenshots` writes them.
  expect(shown).toBe(await started.picture(query));
});
