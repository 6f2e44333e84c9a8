import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { madeOnce } from '../support/once/made-once.ts';
import { ROOT } from '../support/service.ts';

// A terminal that is closed sends SIGHUP.
const BERN = { town: 'Bern', people: 134591 };
test.each([
  ['SIGINT', 'town,people\nBern,134591\nChur,38293\n', [BERN]],
  ['SIGHUP', 'town,people\n', []],
] as const)(
  'try serves a file at once, even without rows, and leaves nothing behind at %s',
  async (signal, text, results) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-'));
    try {
      await writeFile(path.join(folder, 'towns.csv'), text);
      // The loader of TypeScript keeps a cache in the folder for temporary files.
      const left = () => [
        readdirSync(folder).filter((name) => !name.startsWith('tsx-')),
        readdirSync(path.join(ROOT, 'functions')),
      ];
      const before = left();
      const child = spawn(
        process.execPath,
        [path.join(await madeOnce<string>('package'), 'bin/blockyard.js'), 'try', 'towns.csv'],
        {
          cwd: folder,
          env: { ...process.env, PORT: '0', TMPDIR: folder, BLOCKYARD_BLOCKS: ROOT },
          stdio: 'pipe',
        },
      );
      let printed = '';
      const address = new Promise<string>((resolve, reject) => {
        child.stdout.on('data', (text) => {
          printed += text;
          const [, url] = /^(http\S+\/towns) /m.exec(printed) ?? [];
          if (url !== undefined) resolve(url);
        });
        child.once('exit', () => reject(new Error(printed)));
      });
      child.stderr.on('data', (text) => {
        printed += text;
      });
      const answer = await fetch(`${await address}?_sort=-people&_limit=1`);
      expect(await answer.json()).toMatchObject({
        params: { results, total: 2 * results.length },
      });
      expect(printed).toContain(results.length > 0 ? 'has whole numbers' : 'no value, and');
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(left()).toEqual(before);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
