import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runAdd } from '../../src/commands/add-command.ts';
import { readCsv } from '../../src/files/csv/read-csv.ts';
import { RecordScan } from '../../src/files/csv/scan-records.ts';
import { confirmGuess, guessCsv, sniffCsv } from '../../src/files/csv/sniff-csv.ts';
import { DAMAGES, damagedFile } from '../files/damaged-files.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-read-once-'));
afterAll(() => rm(folder, { recursive: true }));

const add = async (text: string) => {
  const blocks = await mkdtemp(path.join(folder, 'b-'));
  const file = path.join(blocks, 'f.csv');
  await writeFile(file, text);
  const terminal = { out: () => {}, err: () => {} };
  const code = await runAdd([file, '--yes', '--blocks', blocks], terminal, { blocks });
  return { code, blocks };
};

const ROWS = Array.from({ length: 100_000 }, (_, i) => `${i},place ${i % 977},${i % 7}.5,\n`);

/** The bytes that this process has asked the kernel for, of files and pipes. */
const bytesRead = async () =>
  Number(/^rchar: (\d+)$/m.exec(await readFile('/proc/self/io', 'utf8'))?.[1]);

test('a plain file is read three times: to find out, to copy and to import it', async () => {
  const text = `id,name,height,note\n${ROWS.join('')}`;
  await add('id,name\n1,a\n2,b\n');
  const before = await bytesRead();
  expect(await add(text)).toMatchObject({ code: 0 });
  const times = ((await bytesRead()) - before) / text.length;
  expect(times).toBeGreaterThan(2.5);
  // Its beginning is read twice more, and the block's own files.
  expect(times).toBeLessThan(4);
});

describe('what is found while a file is read is what is found by looking at it alone', () => {
  const find = async (text: string, given = {}) => {
    const readBytes = () => [Buffer.from(text)];
    const source = { readBytes, file: 'f.csv', encoding: 'utf-8' };
    const alone = await sniffCsv(source, given);
    const guess = await guessCsv(source, given);
    const scan = new RecordScan();
    const dialect = { ...guess.dialectWith([]), badRows: 'mend' as const };
    const read = async () => {
      let isSure = true;
      const { records } = await readCsv(source, { dialect, scan });
      for await (const { bad } of records) isSure &&= !bad?.text.includes('\n');
      const scanned = scan.found();
      const isRight = isSure && scanned.faults === 0;
      return isRight ? confirmGuess(guess, scanned, source, given) : undefined;
    };
    const once = await read().catch(() => undefined);
    return { alone, once };
  };

  test.each(Object.keys(DAMAGES))('%s', async (name) => {
    for (let number = 0; number < 8; number++) {
      const { text } = damagedFile(DAMAGES[name] as (typeof DAMAGES)[string], number);
      const { alone, once } = await find(text);
      if (once !== undefined) expect(once).toEqual(alone);
    }
  });

  test.each([
    ['a plain file', 'a,b\n1,x\n2,y\n3,z\n', {}],
    ['titles, a blank line and a total', 'Report of May\n\nname,n\na,1\nb,2\nTotal,3\n', {}],
    ['notes below', 'name;n\na;1\nb;2\nc;3\n\nSource: the office\n', {}],
    ['single quotes', "a,b\n'x, y',1\n'z',2\n'u',3\n", {}],
    ['two tables', 'a,b\n1,x\n2,y\n\nname,size,kind\nu,1,k\nv,2,l\nw,3,m\n', {}],
    ['no header, as was said', '1,2\n3,4\n', { header: false }],
    ['a tab, as was said', 'a,b\tc\n1,2\t3\n', { delimiter: '\t' }],
  ])('%s', async (_, text, given) => {
    const { alone, once } = await find(text, given);
    expect(once).toEqual(alone);
  });

  test('a record that cannot be cut means that the whole file must be looked at first', async () => {
    const { alone, once } = await find('size,n\n5" pipe,1\n6" pipe,2\nhose,3\n');
    expect(alone.dialect.quoteChar).toBe(null);
    expect(once).toBeUndefined();
  });
});
