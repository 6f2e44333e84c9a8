import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Block } from '../../src/block/block.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { snippetsOf } from '../../src/snippets/snippets-of.ts';
import { expectedArguments } from '../snippets/expected-arguments.ts';
import { ATTACKS, hostileBatch } from '../snippets/hostile-arguments.ts';
import { type Recorder, startRecorder } from '../snippets/recorder.ts';
import { RUNTIMES, runPrograms } from '../snippets/run-programs.ts';
import { ROOT, type Service, startService } from '../support/service.ts';
import { isInstalled } from '../support/tools.ts';

type Arguments = Readonly<Record<string, unknown>>;
type Call = { readonly block: Block; readonly arguments: Arguments };

const blocks = (await loadBlocks(path.join(ROOT, 'functions'))).map(({ block }) => block);

// With a digit, which a phone number needs. Half a character is refused in an address.
const HOSTILE = ATTACKS.filter((attack) => attack.isWellFormed()).map((attack) => `${attack}7`);

/** Every example; where it filters by a text, also with hostile ones beside it, a few at a time. */
const CALLS: readonly Call[] = blocks.flatMap((block) =>
  block.examples.flatMap(({ arguments: plain }) => {
    const text = block.parameters.find(
      ({ type, name }) => ['text', 'phone'].includes(type) && name in plain,
    )?.name;
    const calls = [{ block, arguments: plain }];
    for (let i = 0; text !== undefined && i < HOSTILE.length; i += 4) {
      const texts = [...HOSTILE.slice(i, i + 4), plain[text]].flat();
      calls.push({ block, arguments: { ...plain, [text]: texts } });
    }
    return calls;
  }),
);

/** For each block a call that is refused. */
const REFUSED: readonly Call[] = blocks.map((block) => ({
  block,
  arguments: { ...block.examples[0]?.arguments, _handling: ATTACKS[0] },
}));

const LANGUAGES = Object.entries(RUNTIMES).filter(([, { command }]) =>
  isInstalled(command[0] as string),
);

let service: Service;
let recorder: Recorder;
beforeAll(async () => {
  service = await startService();
  recorder = await startRecorder();
});
afterAll(() => Promise.all([service.close(), recorder.close()]));

const textOf = (language: string, url: string, sent: Arguments) =>
  snippetsOf({ url, arguments: sent }).find((snippet) => snippet.language === language)?.text ?? '';
const textOfCall = (language: string, { block, arguments: sent }: Call) =>
  textOf(language, `${service.url}/api_v2/blocks/${block.name}`, sent);
const answerTo = ({ block, arguments: sent }: Call) => service.post(block.name, sent);

test('every example of every block is a call, and hostile texts are among them', () => {
  expect(new Set(CALLS.map(({ block }) => block.name)).size).toBe(blocks.length);
  expect(CALLS.length).toBeGreaterThan(HOSTILE.length);
});

describe.each(LANGUAGES)('%s', (language) => {
  test('prints what the same call as JSON answers, for every block', async () => {
    const { outputs, ...ran } = await runPrograms(
      language,
      CALLS.map((call) => textOfCall(language, call)),
    );
    expect(ran).toEqual({ code: 0, err: '', left: [] });
    expect(outputs).toHaveLength(CALLS.length);
    for (const [i, call] of CALLS.entries()) {
      const { status, body } = await answerTo(call);
      expect(status).toBe(200);
      const output = outputs[i] as string;
      if (language === 'r') expectRows(csvBehindTable(output), body.params);
      else if (language === 'curl') expect(JSON.parse(output)).toEqual(body);
      else expect(JSON.parse(output)).toEqual(body.params);
    }
  });

  test('says what was wrong with a call that is refused', async () => {
    for (const call of REFUSED) {
      const { status, body } = await answerTo(call);
      expect(status).toBe(400);
      const { outputs, code, err } = await runPrograms(language, [textOfCall(language, call)]);
      if (language === 'curl') expect(JSON.parse(outputs[0] as string).detail).toBe(body.detail);
      // R has no way to the body of a refusal.
      else expect(err).toContain(language === 'r' ? '400 Bad Request' : body.detail);
      expect(code === 0).toBe(language === 'curl');
    }
  });

  test('sends hostile values as they are, and runs none of them', async () => {
    recorder.received.length = 0;
    const calls = hostileBatch(9, 250);
    const texts = calls.map((sent) => textOf(language, recorder.url, sent));
    const { code, left, outputs, err } = await runPrograms(language, texts);
    expect({ code, left, err }).toEqual({ code: 0, left: [], err: '' });
    expect(outputs).toHaveLength(calls.length);
    expect(recorder.received).toHaveLength(calls.length);
    for (const [i, sent] of calls.entries()) {
      const { as, arguments: received } = recorder.received[i] as (typeof recorder.received)[0];
      const { _format, ...others } = sent;
      // A GET without any argument describes the block.
      const asked = Object.keys(sent).length === 0 ? { _format: 'json' } : sent;
      const whole = { curl: asked, r: { ...sent, _format: 'csv' } }[language] ?? others;
      expect(JSON.stringify(received)).toBe(JSON.stringify(expectedArguments(whole, as)));
    }
  });

  test('sends a key as a header', async () => {
    recorder.received.length = 0;
    const keyed = snippetsOf({ url: recorder.url, arguments: { R: 1 }, key: 'aB3-._~+/=' });
    const text = keyed.find((snippet) => snippet.language === language)?.text as string;
    const { code, err } = await runPrograms(language, [text]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(recorder.received.map(({ key, url }) => [key, url.includes('api_key')])).toEqual([
      ['aB3-._~+/=', false],
    ]);
  });
});

describe('spreadsheet', () => {
  test('its address answers the rows of the same call as JSON, for every block', async () => {
    for (const call of CALLS) {
      const { body } = await answerTo(call);
      const formula = textOfCall('spreadsheet', call);
      const response = await fetch(addressIn(formula));
      expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
      expectRows(await response.text(), body.params);
    }
  });

  test('its address has the key', async () => {
    recorder.received.length = 0;
    const keyed = snippetsOf({ url: recorder.url, arguments: { R: 1 }, key: 'aB3+/=' });
    await fetch(addressIn(keyed.at(-1)?.text as string));
    expect(recorder.received[0]?.arguments).toEqual({ R: '1', _format: 'csv', api_key: 'aB3+/=' });
  });
});

function addressIn(formula: string): string {
  const quoted = /^=IMPORTDATA\("((?:[^"]|"")*)"\)$/.exec(formula)?.[1] as string;
  return quoted.replaceAll('""', '"');
}

/** What R read, written by it as CSV behind the table that it prints. */
function csvBehindTable(output: string): string {
  return output.slice(output.indexOf('\n"') + 1);
}

/** Compares a CSV with rows, or with the one value, cell by cell. */
function expectRows(csv: string, params: Record<string, unknown>): void {
  const rows = (params.results ?? [params]) as Record<string, unknown>[];
  const cells: Record<string, string>[] = parse(csv, { columns: true });
  expect(cells).toHaveLength(rows.length);
  for (const [i, row] of rows.entries()) {
    const record = cells[i] as Record<string, string>;
    expect(Object.keys(record)).toEqual(Object.keys(row));
    for (const [name, value] of Object.entries(row)) {
      if (typeof value === 'number') expect(Number(record[name])).toBeCloseTo(value, 9);
      else expect(record[name]).toBe(cellOf(value));
    }
  }
}

function cellOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
