import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type BlockDescription, describeBlock } from '../../src/block/describe-block.ts';
import { plainText, sections } from '../../src/channels/slack/message.ts';
import { slackRoutes } from '../../src/channels/slack/slack-routes.ts';
import type { BlockAnswer, CallBlock } from '../../src/http/call-block.ts';
import { serviceOf } from '../../src/http/service.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { SETTINGS } from '../support/ample.ts';
import { anyCharacter } from '../support/any-character.ts';
import { requestOf } from '../support/request-of.ts';
import { ROOT } from '../support/service.ts';
import { commandBody, SLACK_SECRET, signed } from './signed-request.ts';

const blocks: BlockDescription[] = (await loadBlocks(path.join(ROOT, 'functions'))).map(
  ({ block }) => JSON.parse(describeBlock(block)),
);

const BROKEN: BlockAnswer = { kind: 'answered', params: {}, warnings: [] };

async function ask(body: string | Uint8Array<ArrayBuffer>, call: CallBlock) {
  const settings = SETTINGS;
  const request = requestOf(
    serviceOf(slackRoutes({ blocks, call, secrets: async () => [SLACK_SECRET] }), settings),
  );
  const response = await request('https://data.example/integrations/slack', signed(body));
  const text = await response.text();
  return { status: response.status, text };
}

/** What of a message breaks a limit of Slack's reference, or its rule for three characters. */
function breaches(text: string): string[] {
  const { blocks: own, attachments = [], ...message } = JSON.parse(text);
  const found: string[] = [];
  const hold = (what: string, isHeld: boolean) => {
    if (!isHeld) found.push(what);
  };
  const isText = (one: unknown, most: number) =>
    typeof one === 'string' && one.trim() !== '' && one.length <= most && one.isWellFormed();
  hold('type', message.response_type === 'ephemeral');
  hold('fallback', isText(message.text, 3000));
  hold('attachments', attachments.length <= 20);
  hold('size', text.length < 250_000);
  for (const { color, fallback } of attachments) {
    hold('swatch', /^#[0-9a-f]{6}$/i.test(color) && isText(fallback, 3000));
  }
  for (const some of [own, ...attachments.map((one: { blocks: unknown }) => one.blocks)]) {
    hold('blocks', some.length >= 1 && some.length <= 50);
    for (const block of some) {
      if (block.type === 'section') hold('section', isText(block.text.text, 3000));
      else if (block.type === 'context') {
        hold('context', block.elements.length >= 1 && block.elements.length <= 10);
        for (const one of block.elements) hold('remark', isText(one.text, 3000));
      } else if (block.type === 'data_table') {
        const { rows, caption, page_size: page, row_header_column_index: header } = block;
        const cells = rows.flat();
        hold('rows', rows.length >= 2 && rows.length <= 101);
        hold('columns', rows[0].length >= 1 && rows[0].length <= 20);
        hold(
          'rectangle',
          rows.every((row: unknown[]) => row.length === rows[0].length),
        );
        hold(
          'titles',
          rows[0].every(({ type }: { type: string }) => type === 'raw_text'),
        );
        hold(
          'cells',
          cells.every((cell: { text: string }) => isText(cell.text, 10_000)),
        );
        const characters = cells.map((cell: { text: string }) => cell.text.length);
        hold('characters', characters.reduce((a: number, b: number) => a + b, 0) <= 10_000);
        hold('caption', isText(caption, 3000));
        hold('page', page >= 1 && page <= 100);
        hold('header', header >= 0 && header < rows[0].length);
      } else hold(`a block of type ${block.type}`, false);
    }
  }
  JSON.parse(text, (key, value) => {
    if (typeof value !== 'string') return value;
    // A link is the one thing that these characters are written for.
    const link = /^<https:\/\/data\.example\/[^<>|\s]*\|Open as a page>$/;
    const plain = link.test(value) ? value.slice(1, -1) : value;
    hold(`${key}: ${value}`, !/[<>]|&(?!(?:amp|lt|gt);)/.test(plain));
    return value;
  });
  return found;
}

/** Texts with what Slack reads as more than text. */
const hostile = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('<!channel>', 'J & C', '&amp;', '<a|b>', ' ', '', '*x*'),
  },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 500 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('&', '<', 'a', '😀', '\ud800', '\n', ' '),
        fc.integer({ min: 1, max: 4000 }),
      )
      .map(([one, times]) => one.repeat(times)),
  },
);
const scalar = fc.oneof(hostile, fc.double(), fc.integer(), fc.constantFrom(null, true));
const cell = fc.oneof({ weight: 9, arbitrary: scalar }, { weight: 1, arbitrary: fc.array(scalar) });
const json = <T>(arbitrary: fc.Arbitrary<T>) =>
  arbitrary.map((value): T => JSON.parse(JSON.stringify(value)));

const table = fc
  .tuple(
    fc.uniqueArray(fc.string({ minLength: 1, maxLength: 120 }), {
      minLength: 1,
      maxLength: 40,
      size: 'max',
    }),
    fc.array(cell, { minLength: 1, maxLength: 12 }),
    fc.nat(1000),
  )
  .map(([names, cells, length]) =>
    Array.from({ length }, (_, row) =>
      Object.fromEntries(names.map((name, i) => [name, cells[(row + i) % cells.length]])),
    ),
  );
const warnings = fc.array(fc.record({ title: hostile, message: hostile }), {
  maxLength: 60,
  size: 'max',
});
const help = fc.array(
  fc.record({
    parameters: fc.array(hostile, { minLength: 1, maxLength: 2 }),
    alone: fc.option(fc.nat()),
    without: fc.option(fc.nat()),
    empties: fc.option(fc.boolean()),
    containing: fc.constantFrom(null, 0, 3),
    nearest: fc.array(hostile, { maxLength: 3 }),
  }),
  { maxLength: 60, size: 'max' },
);
const rows = fc.record({
  results: table,
  total: fc.option(fc.nat()),
  next: fc.option(fc.constant('x')),
  help,
});
const color = fc.record({
  name: cell,
  hex: fc.oneof(fc.constant('#ff7f50'), hostile),
  other: cell,
  alternatives: fc.array(fc.record({ name: cell, hex: fc.constant('#123456'), distance: cell }), {
    maxLength: 60,
    size: 'max',
  }),
});
const refused = fc
  .tuple(
    fc.constantFrom('invalid-arguments', 'cursor-expired', 'store-unavailable'),
    fc.array(
      fc.record(
        { code: fc.constant('not-text'), detail: hostile, suggestion: hostile },
        { requiredKeys: ['code', 'detail'] },
      ),
      { maxLength: 60, size: 'max' },
    ),
    hostile,
  )
  .map(([code, errors, title]) => ({
    kind: 'refused' as const,
    problem: { code, errors, title, instance: 'urn:uuid:a', status: 400, detail: title },
  }));
const answers = json(
  fc.oneof(
    fc.record({ kind: fc.constant('answered'), params: rows, warnings }),
    fc.record({ kind: fc.constant('answered'), params: color, warnings }),
    refused,
  ),
) as unknown as fc.Arbitrary<BlockAnswer>;

/** What people type, and what they do not. */
const line = fc.oneof(
  hostile,
  fc
    .tuple(
      fc.constantFrom('directory', 'census', 'rgb', 'help', '?', 'x'),
      fc.array(
        fc.oneof(
          hostile,
          fc.constantFrom(
            'category:retail',
            'number:400..',
            'R:1',
            'G:2',
            'B:3',
            '#ff7f50',
            '_limit:5',
          ),
          fc.constantFrom('number>400', 'street:"a & b"', '_fields:business', '_sort:-number', '"'),
        ),
        { maxLength: 8 },
      ),
    )
    .map(([block, parts]) => [block, ...parts].join(' ')),
);

test('a text of others is one line of a message, and does not turn its direction', () => {
  const [section] = sections(['place: a\n11 of 120 businesses\u2028x\u202ey', '*bold* <!channel>']);
  expect(section).toMatchObject({
    text: {
      type: 'plain_text',
      text: 'place: a 11 of 120 businesses x y\n*bold* &lt;!channel&gt;',
    },
  });
  expect(plainText('a\r\nb').text).toBe('a  b');
});

describe("Slack's limits hold, and nothing is unescaped", () => {
  test('whatever is typed', async () => {
    await fc.assert(
      fc.asyncProperty(line, async (typed) => {
        const { status, text } = await ask(commandBody(typed), async () => BROKEN);
        expect({ status, breaches: breaches(text) }).toEqual({ status: 200, breaches: [] });
      }),
      { numRuns: 100, seed: 16 },
    );
  });

  test.each(['census canton', 'directory category:"<!channel> & co" number:400..', 'rgb #ff7f50'])(
    'whatever a block answers to %s',
    async (typed) => {
      const kinds = new Set<string>();
      await fc.assert(
        fc.asyncProperty(answers, async (answer) => {
          const { status, text } = await ask(commandBody(typed), async () => answer);
          if (text.includes('"data_table"')) kinds.add('table');
          if (text.includes('"color"')) kinds.add('swatch');
          if (text.includes('How to write it')) kinds.add('refused');
          expect({ status, breaches: breaches(text) }).toEqual({ status: 200, breaches: [] });
        }),
        { numRuns: 100, seed: 16 },
      );
      // Not only messages that say that there is no answer.
      expect(kinds).toContain('refused');
      expect(kinds).toContain(typed.startsWith('rgb') ? 'swatch' : 'table');
    },
  );

  test('whatever bytes are signed: a message, or a 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const body = Uint8Array.from([...Buffer.from('text='), ...bytes]);
        const { status } = await ask(body, async () => BROKEN);
        expect([200, 400]).toContain(status);
      }),
      { numRuns: 100, seed: 16 },
    );
  });

  test('the check sees what breaks', () => {
    const text = (one: string) => ({ type: 'section', text: { type: 'plain_text', text: one } });
    const message = (blocks: unknown[]) =>
      JSON.stringify({ response_type: 'ephemeral', text: 'x', blocks });
    expect(breaches(message([text('a')]))).toEqual([]);
    expect(breaches(message([text('')]))).toEqual(['section']);
    expect(breaches(message([text('a'.repeat(3001))]))).toEqual(['section']);
    expect(breaches(message(Array(51).fill(text('a'))))).toEqual(['blocks']);
    for (const bad of ['a & b', '<!channel>', '&quot;']) {
      expect(breaches(message([text(bad)]))).toEqual([`text: ${bad}`]);
    }
  });
});
