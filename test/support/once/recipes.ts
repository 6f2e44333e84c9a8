import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SLACK_SECRET } from '../../slack/signed-request.ts';
import { addBlock, copyCheckout, installed } from '../checkout.ts';
import { commandThatWorks } from '../command.ts';
import { cleanUp, startServer } from '../process.ts';
import { RECIPE_BLOCKS, type Recipes } from '../recipes.ts';
import { ROOT } from '../service.ts';

// One checkout proves all recipes of CONTRIBUTING.md: each addition is a file, and a line in a list,
// which is an import and a name. It goes with whoever started this.
process.on('disconnect', () => void cleanUp().finally(() => process.exit()));

const LINES = [
  ['src/values/field-types.ts', 'year', './year.ts', 'boolean };'],
  ['src/values/field-types.ts', 'email', './email.ts', 'year };'],
  ['src/measures/measures.ts', 'range', './range.ts', 'median };'],
  ['src/formats/formats.ts', 'tsv', './tsv.ts', 'svg };'],
  ['src/files/file-formats.ts', 'dcf', './read-dcf.ts', 'parquet };'],
  ['src/views/views.ts', 'facts', './facts.tsx', 'api: call };'],
] as const;

const checkout = await copyCheckout();
await cp(path.join(ROOT, 'test/fixtures/recipes'), checkout, { recursive: true });
for (const [file, name, from, last] of LINES) {
  const list = path.join(checkout, file);
  const text = await readFile(list, 'utf8');
  if (!text.includes(last)) throw new Error(`${file}: no list ends with ${last}`);
  const longer = text.replace(last, last.replace(' };', `, ${name} };`));
  await writeFile(list, `import { ${name} } from '${from}';\n${longer}`);
}
// Views have their names where their block's parameters are: no room before theirs may import them.
const names = path.join(checkout, 'src/block/views.ts');
const named = await readFile(names, 'utf8');
await writeFile(names, named.replace("'api'] as const", "'api', 'facts'] as const"));
for (const block of RECIPE_BLOCKS) await addBlock(checkout, block);
const [blockyard] = await Promise.all([
  installed(checkout),
  commandThatWorks(process.execPath, ['--import', 'tsx', 'bin/generate.ts'], {
    cwd: checkout,
    env: { PATH: process.env.PATH },
  }),
]);
const { url } = await startServer(
  {
    DATA_DIR: path.join(checkout, 'data'),
    BLOCKYARD_BLOCKS: checkout,
    SLACK_SIGNING_SECRET: SLACK_SECRET,
    ALLOW_FRAMES: '*',
  },
  blockyard,
);
const made: Recipes = { checkout, installed: blockyard, url };
process.send?.(made);
