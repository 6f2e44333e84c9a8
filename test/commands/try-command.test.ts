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
test.each(['SIGINT', 'SIGHUP'] as const)(
  'try serves a file at once, and leaves nothing behind at %s',
  async (signal) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-'));
    try {
      await writeFile(path.join(folder, 'towns.csv'), 'town,people\nBern,134591\nChur,38293\n');
      const left = () => [readdirSync(folder), readdirSync(path.join(ROOT, 'functions'))];
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
      const answer = await fetch(`${await address}?people_min=100000`);
      expect(await answer.json()).toMatchObject({
        params: { results: [{ town: 'Bern', people: 134591 }], total: 1 },
      });
      expect(printed).toContain('has whole numbers');
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(left()).toEqual(before);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  60_000,
);
