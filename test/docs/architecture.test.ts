import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from '../support/service.ts';
import { readDocument } from './markdown.ts';

const document = readDocument('docs/architecture.md');

test.each(['lib', 'src/build'])('every file of %s has its place', (folder) => {
  const files = readdirSync(path.join(ROOT, folder)).filter((name) => name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((name) => !document.includes(`](../${folder}/${name})`))).toEqual([]);
});
