import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
// @ts-expect-error: the package has no types.
import semver from 'semver';
import { ROOT } from './support/service.ts';

type Package = {
  version?: string;
  resolved?: string;
  integrity?: string;
  /** It comes inside another package, and is covered by that one's hash. */
  inBundle?: boolean;
  engines?: { node?: string };
  optionalDependencies?: Record<string, string>;
};

// npm leaves out of the lock what it could not look up, and `npm ci` then refuses the whole lock.
describe.each([
  'package-lock.json',
  'bench/package-lock.json',
  'test/deploy/runtime/package-lock.json',
  'test/channels/tools/package-lock.json',
  'test/trust/package-lock.json',
])('%s', (file) => {
  const whole = path.join(ROOT, file);
  const { packages }: { packages: Record<string, Package> } = existsSync(whole)
    ? JSON.parse(readFileSync(whole, 'utf8'))
    : { packages: {} };

  test('has the packages of every platform', () => {
    const optional = Object.values(packages).flatMap((p) =>
      Object.keys(p.optionalDependencies ?? {}),
    );
    expect(optional.filter((name) => !Object.hasOwn(packages, `node_modules/${name}`))).toEqual([]);
  });

  test('names no host that packages came from', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  test('has the hash of each package, so that none can be exchanged', () => {
    const fetched = Object.entries(packages).filter(([at, { inBundle }]) => at !== '' && !inBundle);
    const unhashed = fetched.filter(([, { integrity = '' }]) => !/^sha512-/.test(integrity));
    expect(unhashed.map(([at, { version }]) => `${at}@${version}`)).toEqual([]);
  });

  test('has no package that the oldest Node we name is too old for', () => {
    const oldest = '20.19.0';
    const refused = Object.entries(packages).filter(
      ([, { engines }]) => engines?.node !== undefined && !semver.satisfies(oldest, engines.node),
    );
    expect(refused.map(([at, { engines }]) => `${at} wants ${engines?.node}`)).toEqual([]);
  });
});

test('the workflows name each action by its commit, with its version beside', () => {
  const folder = path.join(ROOT, '.github/workflows');
  const used = readdirSync(folder)
    .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split('\n'))
    .filter((line) => /\buses:/.test(line));
  expect(used.length).toBeGreaterThan(2);
  for (const line of used) expect(line).toMatch(/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});
