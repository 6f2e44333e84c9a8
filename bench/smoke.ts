import { command, endCommands } from '../test/support/command.ts';
import { install, PACKAGE_FOLDERS } from '../test/support/install.ts';
import { ROOT } from '../test/support/service.ts';
import { isInstalled } from '../test/support/tools.ts';
import { datasettePython } from './datasette-python.ts';
import { OF_BROWSER, SCRIPTS, SMOKED } from './smoke-list.ts';

/**
 * `npm run smoke [-- name…]`: the commands that take too long for a test, or those that are named, at
 * tiny sizes, two at a time. It first installs what they need; with `--install` it does nothing else.
 * It exits with 1 if one of them fails.
 */
const AT_ONCE = 2;
/** Mostly a command that does not take `--smoke`. */
const WITHIN_MS = 900_000;
const SHOWN_LINES = 30;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void endCommands().finally(() => process.exit(1)));
}

const asked = process.argv.slice(2).filter((one) => one !== '--install');
const unknown = asked.filter((name) => !SMOKED.includes(name));
if (unknown.length > 0) throw new Error(`Not one of ${SMOKED.join(', ')}: ${unknown.join(', ')}`);
for (const folder of PACKAGE_FOLDERS) await install(folder);
await datasettePython();
if (process.argv.includes('--install')) process.exit();

// What runs in no gate's compiler: its packages are installed by now.
await tryLine('types', 'tsc --noEmit --project bench');

const hasBrowser = isInstalled('chromium');
const named = asked.length > 0 ? asked : SMOKED;
const left = named.filter((name) => hasBrowser || !OF_BROWSER.includes(name)).values();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (const name of left) await tryLine(name, `${SCRIPTS[name]} --smoke`);
  }),
);

/** Runs a line as `npm run` would. */
async function tryLine(name: string, line: string): Promise<void> {
  const began = performance.now();
  const { code, output } = await command('sh', ['-c', line], {
    cwd: ROOT,
    env: process.env,
    withinMs: WITHIN_MS,
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
  console.log(`${seconds} s  ${name}${code === 0 ? '' : `, which ended with ${code}`}`);
  if (code === 0) return;
  process.exitCode = 1;
  console.error(output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n'));
}
