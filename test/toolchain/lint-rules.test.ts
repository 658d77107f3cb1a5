import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeMiniProject } from './mini-project.ts';

const targets = {
  'activities/step.ts': "export const step = async (): Promise<'a' | 'b'> => 'a';\nexport type Step = typeof step;\n",
  'domain/contracts/word.ts':
    "import { z } from 'zod';\nexport const word = z.string();\nexport type Word = z.infer<typeof word>;\n",
};

/** The file that is linted, its text, and the rule that must name it (null: none may). */
const cases: [file: string, source: string, rule: string | null][] = [
  [
    'workflows/a1.ts',
    "import type { Step } from '../activities/step.ts';\nexport const at = (step: Step) => [Date.now(), step];",
    null,
  ],
  ['workflows/a2.ts', "export { step } from '../activities/step.ts';", '@typescript-eslint/no-restricted-imports'],
  ['workflows/a3.ts', "export { readFileSync } from 'node:fs';", '@typescript-eslint/no-restricted-imports'],
  ['workflows/a4.ts', "export { readFileSync } from 'fs';", '@typescript-eslint/no-restricted-imports'],
  ['workflows/a5.ts', "export { z } from 'zod';", '@typescript-eslint/no-restricted-imports'],
  [
    'workflows/a6.ts',
    "export { word } from '../domain/contracts/word.ts';",
    '@typescript-eslint/no-restricted-imports',
  ],
  ['workflows/a7.ts', "export type { Word } from '../domain/contracts/word.ts';", null],
  ['workflows/a8.ts', "console.log('in a sandbox');", 'no-console'],
  ['workflows/a9.ts', 'export const home = process.env;', 'no-restricted-globals'],
  ['activities/b1.ts', "export { readFileSync } from 'node:fs';", null],
  ['activities/b2.ts', "import { step } from './step.ts';\nstep();", '@typescript-eslint/no-floating-promises'],
  [
    'activities/b3.ts',
    "import { step } from './step.ts';\nexport const any = [1].filter(step);",
    '@typescript-eslint/no-misused-promises',
  ],
  [
    'activities/b4.ts',
    "import { step } from './step.ts';\nswitch (await step()) {\n  case 'a':\n    break;\n}",
    '@typescript-eslint/switch-exhaustiveness-check',
  ],
  [
    'activities/b5.ts',
    "import { Step } from './step.ts';\nexport type S = Step;",
    '@typescript-eslint/consistent-type-imports',
  ],
  ['activities/b6.ts', 'try {\n  JSON.parse("1");\n} catch {}', 'no-empty'],
  ['activities/b7.ts', `export const rows = [\n${'  1,\n'.repeat(300)}];`, 'max-lines'],
  ['activities/b8.ts', 'export const f = (a: 1, b: 2, c: 3, d: 4) => [a, b, c, d];', '@typescript-eslint/max-params'],
  ['activities/b9.ts', '// eslint-disable-next-line no-var\nvar a = 1;\nexport { a };', 'no-var'],
  ['activities/b10.ts', 'export const a = (b: any) => [b];', '@typescript-eslint/no-explicit-any'],
  ['test/c1.ts', 'export const rows = (text: string) => JSON.parse(text).rows.length === 1;', null],
  ['test/c2.ts', "import { step } from '../activities/step.ts';\nstep();", '@typescript-eslint/no-floating-promises'],
];

interface FileResult {
  filePath: string;
  messages: { ruleId: string | null; severity: number }[];
}

describe('lint rules', () => {
  let project: Awaited<ReturnType<typeof makeMiniProject>>;
  let code: number | null;
  let results: FileResult[];
  const rulesBrokenBy = (file: string) =>
    results.find(({ filePath }) => filePath.endsWith(`/${file}`))?.messages.map(({ ruleId }) => ruleId);

  beforeAll(async () => {
    const linted = Object.fromEntries(cases.map(([file, source]) => [file, source]));
    project = await makeMiniProject({ ...targets, ...linted });
    const run = await project.run('node_modules/eslint/bin/eslint.js', '.', '--max-warnings=0', '--format=json');
    code = run.code;
    results = JSON.parse(run.output) as FileResult[];
  });
  afterAll(() => project.remove());

  test('a finding fails the command', () => expect(code).toBe(1));

  test.each(cases.filter(([, , rule]) => rule !== null))('%s: %j breaks %s', (file, _source, rule) => {
    expect(rulesBrokenBy(file)).toContain(rule);
  });

  test.each(cases.filter(([, , rule]) => rule === null))('%s: %j is allowed', (file) => {
    expect(rulesBrokenBy(file)).toEqual([]);
  });
});
