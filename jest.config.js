// Here, and not in a set-up file, because what the tests start inherits the environment of Jest and not that of a test.
require('./scripts/as-of.js');

/** @type {import('jest').Config} */
const base = {
  testEnvironment: '<rootDir>/scripts/jest-environment.js',
  // Not in the temporary folder, which npm test gives to the tests alone and removes.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testMatch: ['**/*.test.ts'],
  setupFiles: ['<rootDir>/test/property-seed.ts', '<rootDir>/test/synthesis.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/stack-traces.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/scripts/jest-transform.js' },
};

/** @type {import('jest').Config} */
module.exports = {
  maxWorkers: 2,
  // Some tests start programs, on machines that have other things to do; what may take how much work, tests say in CPU time. Of a project it would have no effect.
  testTimeout: 240_000,
  testSequencer: '<rootDir>/test/slow-first.mjs',
  projects: [
    { ...base, displayName: 'all', roots: ['<rootDir>/test'] },
    {
      ...base,
      displayName: 'cdktn',
      // The tests of CDKTF once more, against CDK Terrain: there is one source for both.
      roots: ['<rootDir>/test/aspects/cdktf', '<rootDir>/test/constructs/cdktf'],
      // What doesn't depend on the library is tested once, and CDK Terrain has no bindings of version 5 of the provider. Of the combinations,
      // terrain-twins.test.ts tries some in both.
      testPathIgnorePatterns: [
        '/node_modules/',
        ...(process.env.EKS_GUARDRAILS_ALL_COMBINATIONS === '1' ? [] : ['combinations\\.test']),
        'features\\.test',
        'terraform-v5\\.test',
        'terrain-twins\\.test',
      ],
      moduleNameMapper: { '^cdktf$': 'cdktn', '^@cdktf/provider-aws/(.*)$': '@cdktn/provider-aws/$1' },
    },
  ],
};
