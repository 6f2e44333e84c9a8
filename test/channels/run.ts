import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandThatWorks } from '../support/command.ts';
import { ROOT } from '../support/service.ts';
import { virtualEnvironment } from '../support/virtual-environment.ts';

/**
 * `npm run test:channels`: other people's programs, installed here; then the tests that run them.
 * With `--install` alone the programs are installed.
 */
const TOOLS = path.join(import.meta.dirname, 'tools');

// The lock of what is installed; npm ci installs all anew.
const installed = path.join(TOOLS, 'node_modules', '.lock-of-these');
const lock = readFileSync(path.join(TOOLS, 'package-lock.json'), 'utf8');
if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
  await commandThatWorks('npm', ['--prefix', TOOLS, 'ci', '--no-audit', '--no-fund'], {
    cwd: ROOT,
    env: process.env,
    withinMs: 300_000,
  });
  writeFileSync(installed, lock);
}
const python = await virtualEnvironment('channels', path.join(TOOLS, 'requirements.txt'));
if (process.argv[2] === '--install') process.exit();
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
jest.push(path.join(ROOT, 'node_modules/jest/bin/jest.js'), '--config=jest.channels.config.js');
const tests = spawn(process.execPath, [...jest, ...process.argv.slice(2)], {
  cwd: ROOT,
  env: {
    ...process.env,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    CHANNELS_PYTHON: python,
  },
  stdio: 'inherit',
});
tests.once('error', (error) => {
  throw error;
});
tests.once('close', (code) => process.exit(code ?? 1));
