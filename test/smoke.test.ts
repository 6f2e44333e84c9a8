import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SCRIPTS, SMOKED } from '../bench/smoke-list.ts';
import { installOnce } from './support/install.ts';
import { ROOT } from './support/service.ts';

// The gate runs these themselves, or a person alone does.
const NOT_SMOKED = [
  ...[
    'start',
    'test',
    'test:deploy',
    'test:channels',
    'test:busy',
    'test:long',
    'lint',
    'lint:checkout',
    'format',
    'smoke',
  ],
  ...['deploy', 'destroy', 'try:aws', 'generate', 'prepack'],
];

describe('npm run smoke', () => {
  test('tries each command of package.json that no other step of the gate tries', () => {
    expect(SMOKED.toSorted()).toEqual(
      Object.keys(SCRIPTS)
        .filter((name) => !NOT_SMOKED.includes(name))
        .sort(),
    );
    expect(SMOKED).toContain('bench');
  });

  // A command that does not know `--smoke` would run for minutes, and write its results.
  test.each(SMOKED)('%s takes --smoke', (name) => {
    const [, file = ''] = / (\S+\.ts)$/.exec(SCRIPTS[name] as string) ?? [];
    expect(readFileSync(path.join(ROOT, file), 'utf8')).toContain('commandArguments()');
  });
});

describe('installOnce', () => {
  const folder = path.join(ROOT, '.blockyard');
  const name = `test-${process.pid}`;
  const turn = path.join(folder, `installing-${name}`);
  let installed = 0;
  const install = () =>
    installOnce(
      name,
      () => installed > 0,
      async () => {
        expect(existsSync(turn)).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, 50));
        installed++;
      },
    );

  beforeAll(() => {
    jest.spyOn(console, 'log').mockImplementation(() => {});
  });
  afterAll(() => {
    jest.restoreAllMocks();
    rmSync(turn, { force: true });
  });

  test('installs once what two want at the same time, though one that had begun has ended', async () => {
    mkdirSync(folder, { recursive: true });
    // No process has this number: it is greater than Linux's greatest.
    writeFileSync(turn, String(2 ** 22 + 1));
    await Promise.all([install(), install()]);
    expect(installed).toBe(1);
    expect(existsSync(turn)).toBe(false);
  });

  test('lets the next one try after one that failed', async () => {
    installed = 0;
    const fails = async () => {
      throw new Error('no network');
    };
    await expect(installOnce(name, () => false, fails)).rejects.toThrow('no network');
    await install();
    expect(installed).toBe(1);
  });
});
