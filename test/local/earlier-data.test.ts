import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { start } from '../../src/local/start.ts';
import { ROOT } from '../support/service.ts';

/** Folders that earlier versions wrote: their blocks, and what they kept of their data. */
const EARLIER = path.join(ROOT, 'test/fixtures/earlier');
const copies: string[] = [];
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true });
});

describe.each(readdirSync(EARLIER))('what was written on %s', (day) => {
  test('is started with, and answers as it did', async () => {
    const copy = mkdtempSync(path.join(tmpdir(), 'blockyard-earlier-'));
    copies.push(copy);
    cpSync(path.join(EARLIER, day), copy, { recursive: true });
    const lines: string[] = [];
    const dataFolder = path.join(copy, 'data');
    const { url, stop } = await start({
      root: ROOT,
      blocks: copy,
      port: 0,
      dataFolder,
      record: () => {},
      onProgress: (line) => lines.push(line),
    });
    try {
      const answer = await fetch(`${url}/api_v2/blocks/towns?people_min=40000&_sort=-people`);
      const { params } = (await answer.json()) as { params: { results: object[]; total: number } };
      expect([answer.status, params.total]).toEqual([200, 3]);
      expect(params.results[2]).toEqual({
        ...{ town: 'Annapolis', people: 40812, share: 0.4, founded: '1649-01-01' },
        ...{ opened: '2020-05-06T07:08:09Z', capital: true, area_code: '0410' },
        ...{ web: 'https://example.org/1', latitude: 38.978, longitude: -76.492 },
      });
      // An embedded database kept them until 2026-11-28.
      expect(lines).toEqual(
        day < '2026-11-28'
          ? [`The data in ${dataFolder} are of an earlier blockyard: they are imported again.`]
          : [],
      );
    } finally {
      await stop();
    }
  });
});
