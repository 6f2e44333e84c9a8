import tests from './jest.config.js';

/** Suites by lane: `npm run test:deploy` gives each an emulator of its own. */
const LANES = {
  // What a caller may rely on, wherever the service is; then what becomes of a deployed one.
  service: [
    '{contract,loose-requests,old-clients}/*',
    'deploy/{deployed-service,changed-data,refused-deployment,access-by-key,removal}',
  ],
  apart: ['deploy/{package,many-blocks,fourth-block,files}'],
};

/**
 * The tests of a deployed service; `npm run test:deploy` starts what they need.
 *
 * @type {import('jest').Config}
 */
export default {
  ...tests,
  testMatch: (LANES[process.env.DEPLOY_LANE] ?? Object.values(LANES).flat()).map(
    (name) => `<rootDir>/test/${name}.test.ts`,
  ),
  testPathIgnorePatterns: ['/node_modules/'],
  testSequencer: '<rootDir>/test/deploy/in-order.js',
  // The rest of the temporary files goes with each run.
  cacheDirectory: '<rootDir>/.blockyard/jest',
  maxWorkers: 1,
};
