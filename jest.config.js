/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // Those need an emulator of AWS: npm run test:deploy.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/deploy/', '<rootDir>/test/channels/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'hono/jsx' } },
          target: 'es2024',
        },
        module: { type: 'es6' },
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/once/set-up.js',
  globalTeardown: '<rootDir>/test/support/once/tear-down.js',
  testSequencer: '<rootDir>/test/support/longest-first.js',
  // One more than cores: suites wait for the programs that they start.
  maxWorkers: 3,
  testTimeout: 60_000,
};
