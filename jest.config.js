/** Kinds of test that start a whole stack or a browser: their files run one after another, the rest two at a time. */
const heavy = ['e2e', 'stack', 'browser'].map((kind) => `<rootDir>/test/${kind}/`);

const shared = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  modulePathIgnorePatterns: ['<rootDir>/test/.*/target/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        module: { type: 'es6' },
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript' },
          // As Node's own type stripping: an import without `type` stays an import.
          transform: { verbatimModuleSyntax: true },
          experimental: { keepImportAttributes: true },
        },
      },
    ],
  },
};

export default {
  maxWorkers: 2,
  testTimeout: 60_000,
  // Native threads (Temporal's core, ONNX) need a moment to end; what is still open after it is reported as a leak.
  workerGracefulExitTimeout: 10_000,
  workerIdleMemoryLimit: '1500MB',
  reporters: ['<rootDir>/scripts/jest-reporter.ts'],
  projects: [
    {
      ...shared,
      displayName: 'light',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: heavy,
    },
    {
      ...shared,
      displayName: 'heavy',
      testMatch: heavy.map((folder) => `${folder}**/*.test.ts`),
      runner: '<rootDir>/scripts/jest-one-at-a-time.mjs',
    },
  ],
};
