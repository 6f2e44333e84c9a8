import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildFiles, placedFiles } from '../../src/build/build-files.ts';
import { fileKindsOf } from '../../src/formats/files.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { isOfDataset, type ServedDataset } from '../../src/http/served-block.ts';
import { builtService } from '../support/deployment.ts';
import { HOSTILE_ROWS, hostileBlock, hostileDataset } from '../support/hostile-dataset.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';

let served: ServedDataset;
beforeAll(() => {
  const { manifest, rows } = hostileDataset;
  const store = memoryRows(hostileBlock.fields, rows);
  const made = serveDataset({ block: hostileBlock, manifest, store });
  if (!isOfDataset(made)) throw new TypeError('It has rows.');
  served = made;
});
afterAll(cleanUp);

const KINDS = fileKindsOf(hostileBlock.formats).map(({ extension }) => extension);

describe('the files of a version', () => {
  test('are one of each kind, as long as they are said to be', async () => {
    const { files, tooLong } = await buildFiles(served, await temporaryFolder());
    expect(files.map(({ extension }) => extension)).toEqual(KINDS);
    expect(tooLong).toEqual({});
    for (const { file, bytes } of files) expect((await stat(file)).size).toBe(bytes);
    const textOf = async (kind: string) =>
      readFile(files.find(({ extension }) => extension === kind)?.file ?? '');
    const lines = await textOf('ndjson');
    expect(lines.toString().trimEnd().split('\n')).toHaveLength(HOSTILE_ROWS.length);
    expect(gunzipSync(await textOf('ndjson.gz')).equals(lines)).toBe(true);
  });

  test('have keys that follow from their bytes: the same again, others for another code or data', async () => {
    const [first, again, other] = [
      await buildFiles(served, await temporaryFolder()),
      await buildFiles(served, await temporaryFolder()),
      await buildFiles(
        { ...served, manifest: { ...served.manifest, version: 'f'.repeat(20) } },
        await temporaryFolder(),
      ),
    ];
    expect(placedFiles(again)).toEqual(placedFiles(first));
    expect(other.hash).not.toBe(first.hash);
    for (const { key } of first.files) {
      expect(key).toMatch(
        new RegExp(`^${hostileBlock.name}/${first.hash}/${hostileBlock.name}-[0-9a-f]{20}\\.`),
      );
    }
  });

  test('that are longer than S3 copies at once are left out, with their bound, and leave nothing', async () => {
    const folder = await temporaryFolder();
    const { files, tooLong } = await buildFiles(served, folder, ({ format }) =>
      format === 'ndjson' ? 100 : 5e9,
    );
    expect(tooLong).toEqual({ ndjson: 100, 'ndjson.gz': 100 });
    expect(files.map(({ extension }) => extension)).toEqual(
      KINDS.filter((kind) => !kind.startsWith('ndjson')),
    );
    expect((await readdir(folder)).filter((name) => name.includes('ndjson'))).toEqual([]);
  });
});

test('a built block has its files, and a function that knows where they are', async () => {
  const { blocks } = await builtService();
  for (const { block, files, code, environment, expected } of blocks) {
    const list = path.join(code, 'files.json');
    expect([block.name, existsSync(list)]).toEqual([block.name, files !== undefined]);
    if (files === undefined) continue;
    expect(environment.FILES).toBe('./files.json');
    const placed = JSON.parse(await readFile(list, 'utf8'));
    expect(placed).toEqual(placedFiles(files));
    expect(expected.files).toEqual(placed.files);
    expect(Object.keys(placed.files)).toEqual(
      fileKindsOf(block.formats).map(({ extension }) => extension),
    );
  }
});
