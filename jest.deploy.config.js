import tests from './jest.config.js';

/**
 * The tests of a deployed service; `npm run test:deploy` starts what they need.
 *
 * @type {import('jest').Config}
 */
export default {
  ...tests,
  // What a caller may rely on, wherever the service is; then what becomes of a deployed one.
  testMatch: [
    '<rootDir>/test/{contract,loose-requests,old-clients}/*.test.ts',
    '<rootDir>/test/deploy/*.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  testSequencer: '<rootDir>/test/deploy/in-order.js',
  // The rest of the temporary files goes with each run.
  cacheDirectory: '<rootDir>/.blockyard/jest',
  maxWorkers: 1,
};
