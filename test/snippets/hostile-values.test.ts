import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { snippetsOf } from '../../src/snippets/snippets-of.ts';
import { expectedArguments } from './expected-arguments.ts';
import { ATTACKS, hostileArguments, hostileBatch } from './hostile-arguments.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { runPrograms } from './run-programs.ts';

// The languages that are not on every machine are run by test/channels/snippets.test.ts.

const SEED = { seed: 20_261_203, numRuns: 400 };
const url = 'http://127.0.0.1:1/api_v2/blocks/trees';

// In JSON spaces may stand: they are between double quotes, which even cmd knows.
const OF_CURL =
  /^(?: -d '\{[\w .,:/*()"\\{}[\]+-]*\}'|(?: -G)?(?: -d (?:[\w=.:/%+-]+|'[\w=.,:/%+*()~-]+'))+)$/;

function textOf(language: string, sent: Record<string, unknown>, at = url): string {
  const snippet = snippetsOf({ url: at, arguments: sent }).find((of) => of.language === language);
  return snippet?.text ?? '';
}

describe('whatever the values are', () => {
  test('no character that cannot be seen stands in a snippet', () => {
    fc.assert(
      fc.property(hostileArguments, (sent) => {
        for (const { text } of snippetsOf({ url, arguments: sent, key: 'K' })) {
          expect(text).not.toMatch(/(?![\n\t])\p{C}|[\p{Zl}\p{Zp}]|(?! )\p{Zs}/u);
        }
      }),
      SEED,
    );
  });

  test('a snippet has the lines that it has for plain ones', () => {
    const lines = (sent: Record<string, unknown>) =>
      snippetsOf({ url, arguments: sent }).map(({ text }) => text.split('\n').length);
    for (const attack of ATTACKS) {
      expect(lines({ a: attack, [attack]: 'b' })).toEqual(lines({ a: 'a', c: 'b' }));
      expect(lines({ a: [attack, true] })).toEqual(lines({ a: ['a', true] }));
    }
  });

  test('curl has no character of theirs that any shell reads', () => {
    fc.assert(
      fc.property(hostileArguments, (sent) => {
        const line = textOf('curl', sent).replace(" -H 'Content-Type: application/json'", '');
        expect(line.slice(`curl ${url}`.length)).toMatch(OF_CURL);
      }),
      SEED,
    );
  });

  test('JavaScript ends no script of a page that it stands in', () => {
    for (const attack of ATTACKS) {
      expect(textOf('javascript', { [attack]: attack })).not.toContain('<');
    }
  });

  test('JavaScript sends them as they are', async () => {
    // Only so can code with `await` be compiled here.
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
    const property = fc.asyncProperty(hostileArguments, async (sent) => {
      const { _format, ...others } = sent;
      let received = '';
      const fetch = async (_: string, { body }: { body: string }) => {
        received = body;
        return Response.json({ params: {} });
      };
      const program = new AsyncFunction('fetch', 'console', textOf('javascript', sent));
      await program(fetch, { log: () => {} });
      expect(received).toBe(JSON.stringify(expectedArguments(others, 'JSON')));
    });
    await fc.assert(property, SEED);
  });
});

describe('as they are received', () => {
  let recorder: Recorder;
  beforeAll(async () => {
    recorder = await startRecorder();
  });
  afterAll(() => recorder.close());

  test.each([
    ['curl', 'sh'],
    ['javascript', 'node'],
  ])('%s, by %s, runs none of them', async (language) => {
    recorder.received.length = 0;
    const calls = hostileBatch(7, 40);
    const texts = calls.map((sent) => textOf(language, sent, recorder.url));
    const { code, err, left, outputs } = await runPrograms(language, texts);
    expect({ code, err, left }).toEqual({ code: 0, err: '', left: [] });
    expect(outputs.map((output) => JSON.parse(output))).toHaveLength(calls.length);
    expect(recorder.received).toHaveLength(calls.length);
    for (const [i, sent] of calls.entries()) {
      const { _format, ...others } = sent;
      // A call by GET needs an argument, or it describes the block.
      const asked = Object.keys(sent).length === 0 ? { _format: 'json' } : sent;
      const { as, arguments: received } = recorder.received[i] as (typeof recorder.received)[0];
      expect(JSON.stringify(received)).toBe(
        JSON.stringify(expectedArguments(language === 'curl' ? asked : others, as)),
      );
    }
  });

  test('the address in the formula has them all', async () => {
    recorder.received.length = 0;
    const calls = hostileBatch(8, 60);
    for (const sent of calls) {
      const formula = textOf('spreadsheet', sent, recorder.url);
      const quoted = /^=IMPORTDATA\("((?:[^"]|"")*)"\)$/.exec(formula)?.[1] as string;
      await fetch(quoted.replaceAll('""', '"'));
    }
    expect(recorder.received.map(({ arguments: received }) => JSON.stringify(received))).toEqual(
      calls.map((sent) => JSON.stringify(expectedArguments({ ...sent, _format: 'csv' }, 'query'))),
    );
  });
});
