/** @type {import('jest').Config} */
export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // Those need an emulator of AWS: npm run test:deploy.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/deploy/', '<rootDir>/test/channels/'],
  // As Node runs it, with tsx, not as Jest would.
  testEnvironment: '<rootDir>/test/support/runner/environment.js',
  testRunner: '<rootDir>/test/support/runner/run-suite.js',
  transform: {},
  globalSetup: '<rootDir>/test/support/once/set-up.js',
  globalTeardown: '<rootDir>/test/support/once/tear-down.js',
  testSequencer: '<rootDir>/test/support/longest-first.js',
  // One more than cores: suites wait for the programs that they start.
  maxWorkers: 3,
  // Ends only a test that hangs: slowness is no defect.
  testTimeout: 300_000,
};
