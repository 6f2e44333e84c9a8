import { describe, expect, test } from '@jest/globals';
import { tooManyFiles } from '../../src/formats/parquet.ts';
import { serviceUnavailable } from '../../src/http/service.ts';
import { noRoomForAnswer } from '../../src/local/connections.ts';
import { FAULTS, PROBLEMS, type Problem } from '../../src/problem/errors.ts';
import { Budget } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { headingsOf, readDocument, tableOf } from './markdown.ts';

const document = readDocument('docs/errors.md');
const headings = headingsOf(document);
const codes = new Set(Object.keys(PROBLEMS));

describe('docs/errors.md', () => {
  test('has a section for each problem, and for no other, in the order of the code', () => {
    const start = headings.findIndex(({ text }) => codes.has(text));
    const sections = headings.slice(start).filter(({ level }) => level === 2);
    expect(sections.map(({ text }) => text)).toEqual([...codes, 'Faults']);
  });

  test.each(Object.entries(PROBLEMS))('%s: its status and title', (code, { status, title }) => {
    const { body } = headings.find(({ text }) => text === code) as { body: string };
    expect(body.trim().split('\n')[0]).toBe(`**${status}** · ${title}.`);
  });

  test.each([...codes])('%s: when it is answered, an example, and the fix', (code) => {
    const { body } = headings.find(({ text }) => text === code) as { body: string };
    expect(body).toMatch(/^When: .+/m);
    expect(body).toMatch(/^Example: .+/m);
    expect(body).toMatch(/^Fix: .+/m);
  });

  test('lists each problem with its status and title', () => {
    expect(tableOf(document, ['status', 'code', 'title'])).toEqual(
      Object.entries(PROBLEMS).map(([code, { status, title }]) => [
        String(status),
        `[${code}](#${code})`,
        title,
      ]),
    );
  });

  test('tells each detail of service-unavailable, by which one knows what to do', async () => {
    const busy: Problem = await new Budget(new Scheduler(), 1, 0)
      .pause()
      .catch((problem) => problem);
    const others = [serviceUnavailable(undefined), tooManyFiles(), noRoomForAnswer()];
    const details = [busy, ...others].map((one) => one.detail);
    const { body } = headings.find(({ text }) => text === busy.code) as { body: string };
    const told = [...body.matchAll(/^- "(.*?)": /gm)].map(([, detail]) => detail);
    expect(told.toSorted()).toEqual(details.toSorted());
  });

  test('lists each fault with its title', () => {
    const rows = tableOf(document, ['fault', 'title', 'when', 'fix']);
    expect(rows?.map(([code, title]) => [code, title])).toEqual(
      Object.entries(FAULTS).map(([code, title]) => [`\`${code}\``, title]),
    );
    for (const cells of rows ?? []) expect(cells.filter((cell) => cell === '')).toEqual([]);
  });
});
