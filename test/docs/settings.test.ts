import { expect, test } from '@jest/globals';
import { runStart } from '../../bin/start.ts';
import { readDocument, tableOf } from './markdown.ts';

const rows = tableOf(readDocument('docs/settings.md'), ['setting', 'default', 'what']) ?? [];
const listed = rows.flatMap(([cell = '']) =>
  [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
);

test('docs/settings.md lists the settings of the start, each once, and no other', async () => {
  let usage = '';
  const out = (text: string) => {
    usage += text;
  };
  const told = () => new Promise<never>(() => {});
  expect(await runStart(['--help'], { out, err: out, told } as never)).toBe(0);
  const named = [...usage.matchAll(/^ {2}(--\w+|[A-Z_]+) /gm)].map(([, name]) => name);
  // These two are the environment's names for an option of the command line.
  expect([...listed].sort()).toEqual([...named, 'BLOCKYARD_BLOCKS', 'PORT'].sort());
  for (const name of listed) expect(usage).toContain(name);
});
