import { beforeAll, describe, expect, test } from '@jest/globals';
import { builtService, synthesizeUnchecked } from '../support/deployment.ts';
import { alarmName } from './deploying-template.ts';
import { fencesOf, headingsOf, readDocument } from './markdown.ts';

const sections = headingsOf(readDocument('docs/runbook.md'))
  .filter(({ level }) => level === 2)
  .map(({ text, body }) => ({ alarm: text, body }));

let alarms: string[];
beforeAll(async () => {
  alarms = synthesizeUnchecked(await builtService())
    .ofType('AWS::CloudWatch::Alarm')
    .map(([id]) => alarmName(id));
});

test('each alarm of the template has its section, and no section is of another', () => {
  expect(alarms.length).toBeGreaterThan(0);
  expect(sections.map(({ alarm }) => alarm)).toEqual(alarms);
});

describe.each(sections)('$alarm', ({ body }) => {
  test('says what it means, what to look at and what to do', () => {
    const parts = [...body.matchAll(/^\*\*(.+?)\.\*\* (\S.*)$/gm)];
    expect(parts.map(([, title]) => title)).toEqual([
      'What it means',
      'What to look at',
      'What to do',
    ]);
    for (const [, , text = ''] of parts) expect(text.length).toBeGreaterThan(15);
  });
});

test('its queries ask for members that lines have', () => {
  const known = new Set(
    'block code cause durationMs capacityUnits path sentBytes level message type record status success'
      .concat(' filter stats count sum max as by sort desc runs units most calls and run log')
      .split(' '),
  );
  const queries = fencesOf(readDocument('docs/runbook.md')).filter(
    ({ lang }) => lang === 'insights',
  );
  expect(queries.length).toBeGreaterThan(4);
  for (const { text } of queries) {
    const words = text.replace(/"[^"]*"/g, '').match(/[a-zA-Z]\w*/g) ?? [];
    expect(words.filter((word) => !known.has(word))).toEqual([]);
  }
});
