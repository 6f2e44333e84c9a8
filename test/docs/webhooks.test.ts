import { describe, expect, test } from '@jest/globals';
import { suiteService } from '../support/suite-service.ts';
import { readDocument } from './markdown.ts';
import { comparable, runSnippet, snippetsOf } from './run-snippet.ts';

const snippets = snippetsOf(readDocument('docs/webhooks.md'));

describe('docs/webhooks.md', () => {
  const service = suiteService();

  test.each(snippets)('line $line answers what is shown', async ({ shown, ...snippet }) => {
    const { code, out, err } = await runSnippet(snippet, service.url);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    if (shown?.lang === 'text') return expect(out.trim()).toBe(shown.text.trim());
    const [expected, printed] = comparable(JSON.parse(shown?.text ?? 'null'), JSON.parse(out));
    expect(printed).toEqual(expected);
  });

  test('shows three senders, and what a wrong delivery gets', () => {
    const shown = snippets.map(({ text }) => text);
    for (const sent of ['X-GitHub-Event: issues', 'charge.succeeded', 'FORM_RESPONSE']) {
      expect(shown.filter((text) => text.includes(sent))).toHaveLength(1);
    }
    expect(snippets.filter(({ shown }) => shown?.text.includes('"status": 4'))).toHaveLength(1);
  });
});
