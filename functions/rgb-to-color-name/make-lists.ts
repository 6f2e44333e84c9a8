import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { colorNameFiles } from './color-names.ts';

// `node --import tsx functions/rgb-to-color-name/make-lists.ts FOLDER` writes the colour lists of
// seed-data, from the unpacked package color-name-list. That is no dependency, because it is 18 MB and
// wants a newer Node than the rest.
const [, , folder] = process.argv;
if (folder === undefined) throw new Error('Name the folder of the unpacked package.');
const root = fileURLToPath(new URL('../../', import.meta.url));
const files = colorNameFiles((file) => readFileSync(path.join(folder, file), 'utf8'));
for (const { path: name, text } of files) {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text());
  console.log(`${name} written.`);
}
