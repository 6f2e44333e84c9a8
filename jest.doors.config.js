import tests from './jest.config.js';

/**
 * What needs other people's programs: browsers, languages, checkers. `npm run test:doors` brings
 * them.
 *
 * @type {import('jest').Config}
 */
export default {
  ...tests,
  testMatch: ['<rootDir>/test/doors/**/*.test.ts', '<rootDir>/test/contract/doors.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 120_000,
};
