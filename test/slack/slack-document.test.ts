import { describe, expect, test } from '@jest/globals';
import { SLACK_LIMITS } from '../../src/channels/slack/message.ts';
import { readDocument, tableOf } from '../docs/markdown.ts';
import { comparable, runSnippet, snippetsOf } from '../docs/run-snippet.ts';
import { suiteService } from '../support/suite-service.ts';
import { commandBody, DOCUMENTED_SECRET, signed } from './signed-request.ts';

const document = readDocument('docs/slack.md');
const service = suiteService();

const snippets = snippetsOf(document);

test('the page has a call to try', () => expect(snippets).toHaveLength(1));

test.each(snippets)('line $line: the call answers what the page shows', async (snippet) => {
  const { code, out } = await runSnippet(snippet, service.url);
  expect(code).toBe(0);
  const [expected, printed] = comparable(JSON.parse(snippet.shown?.text ?? ''), JSON.parse(out));
  expect(printed).toEqual(expected);
});

describe('what to type', () => {
  const [, section = ''] = /## What to type\n([\s\S]*?)\n## /.exec(document) ?? [];
  const commands = [...section.matchAll(/`\/block ([^`]*)`/g)].map(([, text]) => text as string);
  const parts = [...section.matchAll(/`(\w+:[^`]*)`/g)].map(([, text]) => text as string);

  test('is there', () => {
    expect(commands.length).toBeGreaterThan(2);
    expect(parts.length).toBeGreaterThan(7);
  });

  test.each([...commands, ...parts.map((part) => partOf(part))])('/block %s', async (text) => {
    const { body } = await service.send(
      '/integrations/slack',
      signed(commandBody(text), { secret: DOCUMENTED_SECRET }),
    );
    const found = /^(?:\d+ of \d+|All \d+) |^Coral$/;
    expect(found.test(body.text)).toBe(!text.endsWith('help'));
  });
});

/** A part of a command, after a block that knows its name. */
function partOf(part: string): string {
  return `${/density/.test(part) ? 'census' : 'directory'} ${part}`;
}

test('the limits are those that are held', () => {
  const rows = tableOf(document, ['limit', 'at most']) ?? [];
  const held = Object.fromEntries(
    rows.map(([what = '', number = '']) => [
      what,
      (number.match(/[\d,]+\d/g) ?? []).map((one) => Number(one.replaceAll(',', ''))),
    ]),
  );
  expect(held).toMatchObject({
    'rows of a table': [SLACK_LIMITS.tableRows - 1],
    columns: [SLACK_LIMITS.tableColumns],
    'characters of all cells': [SLACK_LIMITS.tableCharacters],
    'characters of a cell': [SLACK_LIMITS.cellCharacters, SLACK_LIMITS.titleCharacters],
    'blocks of a message': [SLACK_LIMITS.blocks],
    'characters of a section': [SLACK_LIMITS.sectionCharacters],
    'attachments (swatches)': [SLACK_LIMITS.attachments],
  });
});
