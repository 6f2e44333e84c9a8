import { describe, expect, test } from '@jest/globals';
import { boundsTables } from '../../bench/house/bounds.ts';
import { withTables } from '../../bench/scaling/document-tables.ts';
import { readDocument } from './markdown.ts';

const document = readDocument('docs/bounds.md');
const rows = document.split('\n').filter((line) => line.startsWith('| '));

/** The row of a constant. */
function rowOf(file: string, name: string): string | undefined {
  return rows.find((row) => row.includes(`](../${file}): `) && row.includes(`\`${name}\``));
}

/** What the page says that a constant is. */
function boundOf(file: string, name: string): string | undefined {
  const row = rowOf(file, name) ?? '';
  const [, names = ''] = /\]\([^)]+\): ((?:`\w+`(?:, )?)+)/.exec(row) ?? [];
  const [values = ''] = row.split(' | ')[1]?.split(/\. (?=[A-Z`])/) ?? [];
  return values.split('; ')[names.split(', ').indexOf(`\`${name}\``)];
}

test('the page is what the constants and their comments say', () => {
  expect(withTables(document, boundsTables())).toBe(document);
});

describe('the numbers of other documents', () => {
  test.each([
    ['docs/limits.md', '{} bytes', 'src/http/read-body.ts', 'MOST_BODY_BYTES'],
    ['docs/limits.md', '{} bytes', 'src/local/node-http.ts', 'MOST_HEADER_BYTES'],
    ['docs/limits.md', '[{}](semantics.md#formats), of', 'src/views/table-body.ts', 'MOST_CELLS'],
    ['docs/limits.md', 'and 1 s for each {}', 'src/http/answer.ts', 'LEAST_BYTES_PER_SECOND'],
    ['docs/limits.md', '| {}, and 1 s for', 'src/http/answer.ts', 'GRACE_MS'],
    ['docs/limits.md', 'nothing of it for {}', 'src/http/answer.ts', 'STALLED_MS'],
    ['docs/limits.md', '| {}, and 200 files', 'src/local/connections.ts', 'connections'],
    ['docs/limits.md', 'and {} files sent', 'src/local/connections.ts', 'streams'],
    ['docs/limits.md', '{} of answers that', 'src/local/connections.ts', 'waitingBytes'],
    ['docs/limits.md', 'at most {} as JSON', 'src/formats/parquet.ts', 'MOST_BYTES'],
    ['docs/security.md', 'a body {},', 'src/http/read-body.ts', 'MOST_BODY_BYTES'],
    ['docs/security.md', 'with headers {},', 'src/local/node-http.ts', 'MOST_HEADER_BYTES'],
    ['docs/security.md', 'a run {} and', 'src/work/budget.ts', 'RUN_WITHIN_MS'],
    ['docs/security.md', 'and {} of work', 'src/work/budget.ts', 'RUN_STEPS'],
    ['docs/security.md', 'an answer {},', 'src/values/row-texts.ts', 'MOST_ANSWER_BYTES'],
    ['docs/security.md', 'a page {} cells', 'src/views/table-body.ts', 'MOST_CELLS'],
    ['docs/security.md', 'ends after {},', 'src/http/answer.ts', 'STALLED_MS'],
    ['docs/errors.md', 'are over {} long', 'src/page/links.ts', 'MOST_STATE_LENGTH'],
  ])('%s: %s is %s %s', (file, text, source, name) => {
    const bound = boundOf(source, name) ?? 'none';
    const [, kib] = /^(\d+) KiB$/.exec(bound) ?? [];
    const ways = [bound, bound.replace(/i?B$/, 'B'), bound.replace(/ MiB$/, ' MB')];
    if (kib !== undefined) ways.push((Number(kib) * 1024).toLocaleString('en-US'), `${kib} KB`);
    const said = readDocument(file);
    expect(ways.filter((way) => said.includes(text.replace('{}', way)))).not.toEqual([]);
  });
});
