import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from './support/service.ts';

type Package = { resolved?: string; optionalDependencies?: Record<string, string> };

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
});
