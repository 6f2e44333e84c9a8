import { spawn } from 'node:child_process';
import path from 'node:path';
import { install } from '../support/install.ts';
import { ROOT } from '../support/service.ts';
import { httpfsPython } from '../support/tools.ts';
import { virtualEnvironment } from '../support/virtual-environment.ts';

/**
 * `npm run test:channels`: other people's programs, installed here; then the tests that run them.
 * With `--install` alone the programs are installed.
 */
const TOOLS = path.join(import.meta.dirname, 'tools');

await install('test/channels/tools');
const python = await virtualEnvironment('channels', path.join(TOOLS, 'requirements.txt'));
await httpfsPython();
if (process.argv[2] === '--install') process.exit();
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
jest.push(path.join(ROOT, 'node_modules/jest/bin/jest.js'), '--config=jest.channels.config.js');
const tests = spawn(process.execPath, [...jest, ...process.argv.slice(2)], {
  cwd: ROOT,
  env: { ...process.env, CHANNELS_PYTHON: python },
  stdio: 'inherit',
});
tests.once('error', (error) => {
  throw error;
});
tests.once('close', (code) => process.exit(code ?? 1));
