import { builtinModules } from 'node:module';
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** What a workflow may not import: it runs in a sandbox, and is replayed from its history. */
const workflowImports = {
  paths: [
    ...builtinModules.map((name) => ({ name, message: 'Workflow code has no Node: do it in an activity.' })),
    { name: 'zod', message: 'A ZodError would retry the workflow task for ever: parse in the API or in an activity.' },
  ],
  patterns: [
    { group: ['node:*'], message: 'Workflow code has no Node: do it in an activity.' },
    {
      group: ['**/activities/**'],
      allowTypeImports: true,
      message: 'Activities are called through proxyActivities: import their types only.',
    },
    {
      group: ['**/domain/contracts/**'],
      allowTypeImports: true,
      message: 'The contracts bring zod with them: import their types only.',
    },
  ],
};

/** Not replayed, or absent, in Temporal's sandbox. Date and Math.random are replaced there, so they are allowed. */
const workflowGlobals = [
  'process',
  'Buffer',
  'fetch',
  'performance',
  'crypto',
  'setInterval',
  'setImmediate',
  'WeakRef',
  'FinalizationRegistry',
];

export default defineConfig(
  globalIgnores(['node_modules/', '**/target/', 'coverage/', '.plumbline/', 'bench/results/', 'test/histories/']),
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // Control characters are what several of our patterns look for.
      'no-control-regex': 'off',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/max-params': ['error', { max: 3 }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // What an AbortSignal or another library gives as a reason is passed on as it is; literals stay errors.
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingAny: true, allowThrowingUnknown: true }],
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      // An async method of a port turns a synchronous throw into a rejection, which is the point of it.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['workflows/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-globals': ['error', ...workflowGlobals],
      '@typescript-eslint/no-restricted-imports': ['error', workflowImports],
    },
  },
  {
    // Matchers and parsed JSON are `any` by their own types; what a test asserts about them is its subject.
    files: ['test/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // Plain JavaScript: configuration and launchers for Node, and the page for browsers.
    files: ['**/*.{js,mjs,cjs}'],
    ignores: ['web/**'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', setTimeout: 'readonly' },
    },
  },
  {
    files: ['web/**/*.{js,mjs}'],
    // The page uses the browser's own names; there is no type information to tell a misspelt one.
    rules: { 'no-undef': 'off' },
  },
);
