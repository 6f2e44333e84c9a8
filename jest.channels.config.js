import tests from './jest.config.js';

/**
 * What needs other people's programs: browsers, languages, checkers. `npm run test:channels` brings
 * them.
 *
 * @type {import('jest').Config}
 */
export default {
  ...tests,
  testMatch: [
    '<rootDir>/test/channels/**/*.test.ts',
    // The same as in npm test, with more calls and values.
    '<rootDir>/test/contract/{every-channel,odd-values}.test.ts',
    '<rootDir>/test/local/new-type.test.ts',
    '<rootDir>/test/dynamodb/equal-paths.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  // A browser takes a core by itself.
  maxWorkers: 2,
};
