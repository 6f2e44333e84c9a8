import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { notebookFiles } from '../../src/snippets/notebook-of.ts';
import { documents, type Fence, proseOf, readDocument, tableOf } from '../docs/markdown.ts';
import { comparable, SHOWN_URL } from '../docs/run-snippet.ts';
import { RECORDED } from '../old-clients/recorded-requests.ts';
import { commandThatWorks } from '../support/command.ts';
import { ROOT } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';
import { isInstalled, toolPython } from '../support/tools.ts';
import { programsOf, RUNNERS, runQuickstart } from './run-quickstart.ts';
import { CHROMIUM, submitForm } from './submit-form.ts';

const FOLDER = 'docs/quickstarts';
const INDEX = `${FOLDER}/README.md`;
const PAGES = documents().filter((file) => path.dirname(file) === FOLDER && file !== INDEX);
const blocks = (await loadBlocks(path.join(ROOT, 'functions'))).map(({ block }) => block);

const service = suiteService();

test('the index has every page', () => {
  const rows = tableOf(readDocument(INDEX), ['page', 'needs']) ?? [];
  const linked = rows.map(([cell]) => /\]\((.+)\)/.exec(cell as string)?.[1]);
  expect(linked.sort()).toEqual(PAGES.map((file) => path.basename(file)).sort());
});

describe.each(PAGES)('%s', (page) => {
  test('shows what each program prints, a refusal among them', () => {
    const all = programsOf(page, [...Object.keys(RUNNERS), 'html', 'spreadsheet']);
    expect(all.filter(({ shown }) => shown === undefined)).toEqual([]);
    expect(all.some(({ isRefusal }) => isRefusal)).toBe(true);
  });

  for (const { shown, isRefusal, ...program } of programsOf(page, Object.keys(RUNNERS))) {
    for (const as of page.endsWith('/javascript.md') ? ['js', 'deno'] : [program.lang]) {
      const run = isInstalled(RUNNERS[as]?.command[0] as string) ? test : test.skip;
      run(`line ${program.line}, run as ${as}`, async () => {
        const { code, out, err } = await runQuickstart(program, { as, url: service.url });
        if (isRefusal && shown?.lang === 'text') return expect(out + err).toContain(shown.text);
        if (!isRefusal) expect({ code, why: code === 0 ? '' : err }).toEqual({ code: 0, why: '' });
        expectShown(out, shown);
      });
    }
  }
});

describe('the formulas', () => {
  const page = `${FOLDER}/spreadsheet.md`;
  const a1 = /With `(.+)` in A1/.exec(readDocument(page))?.[1] as string;

  test.each(programsOf(page, ['spreadsheet']))('line $line', async ({ text, shown }) => {
    const [, address = ''] = /^=IMPORTDATA\((.*)\)$/.exec(text) as RegExpExecArray;
    const parts = address.split(' & ').map((part) => {
      if (part === 'ENCODEURL(A1)') return encodeURIComponent(a1);
      const [, quoted = ''] = /^"((?:[^"]|"")*)"$/.exec(part) as RegExpExecArray;
      return quoted.replaceAll('""', '"');
    });
    const response = await fetch(parts.join('').replace(SHOWN_URL, service.url));
    expectShown(await response.text(), shown);
  });
});

(isInstalled(CHROMIUM) ? describe : describe.skip)('the forms, in a browser', () => {
  const forms = programsOf(`${FOLDER}/html-form.md`, ['html']);
  const submit = (form: string) => submitForm(form.replaceAll(SHOWN_URL, service.url));

  test.each(forms)('line $line', async ({ text, shown }) => {
    const seen = await submit(text);
    if (shown?.lang === 'json') expectShown(seen, shown);
    else expect(seen).toContain(shown?.text);
  });

  test('by GET shows the page of the block', async () => {
    for (const { text, shown } of forms.slice(0, 2)) {
      const seen = await submit(text.replace('method="post"', 'method="get"'));
      expect(seen).not.toMatch(/^\{/);
      expect(seen).toContain(
        shown?.lang === 'json' ? JSON.parse(shown.text).params.hex : shown?.text,
      );
    }
  });
});

describe('the notebooks', () => {
  test.each(blocks.map((block) => ({ block, name: block.name })))('$name', async ({ block }) => {
    const [file] = notebookFiles([block]);
    const [call, refusal, rows] = await execute(file?.path as string);
    const sent = { ...block.examples[0]?.arguments };
    const { params } = (await service.post(block.name, sent)).body;
    const expected = (params.results ?? [params]) as Record<string, unknown>[];
    expect(call).toContain(Object.keys(expected[0] as object)[0]);
    expect(refusal).toBe('_formt is not a parameter of this block. Did you mean _format?\n');
    expect(JSON.parse(rows as string).map(asText)).toEqual(expected.map(asText));
  });

  async function execute(file: string): Promise<string[]> {
    const script = path.join(import.meta.dirname, 'execute_notebook.py');
    const printed = await commandThatWorks(
      toolPython(),
      [script, path.join(ROOT, file), SHOWN_URL, service.url],
      { cwd: ROOT, env: process.env },
    );
    return JSON.parse(printed);
  }

  /** CSV has no types: the number 11231 and the text are the same there. */
  function asText(row: Record<string, unknown>): string[] {
    return Object.entries(row).map(([name, value]) => {
      // pandas reads a number to within its last digit.
      if (typeof value === 'number') return `${name}: ${Number(value.toPrecision(14))}`;
      const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
      return `${name}: ${text ?? ''}`;
    });
  }
});

describe("the page of Blockspring's clients", () => {
  const document = readDocument(`${FOLDER}/old-clients.md`);

  test('says of each client that is not run that it was not', () => {
    const rows = tableOf(document, ['client', 'where to set the address']) ?? [];
    const named = rows.map(([client]) => client as string);
    const recorded = RECORDED.map(({ client }) => client.split(',')[0] as string);
    expect(named.filter((client) => !recorded.includes(client))).toEqual([]);
    const headings = ['JavaScript', 'Python', 'an early one'];
    expect(new Set(recorded)).toEqual(new Set([...named, ...headings]));
    expect(proseOf(document)).toContain('These clients were not run.');
  });
});

/** Holds what was printed against what a page shows. */
function expectShown(printed: string, shown: Fence | undefined): void {
  if (shown?.lang === 'json') {
    const [expected, received] = comparable(JSON.parse(shown.text), JSON.parse(printed));
    expect(received).toEqual(expected);
  } else if (shown?.lang === 'csv') expect(parse(printed)).toEqual(parse(shown.text));
  else expect(printed.trimEnd()).toBe(shown?.text);
}
