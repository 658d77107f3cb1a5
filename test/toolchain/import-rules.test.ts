import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeMiniProject } from './mini-project.ts';

const targets = {
  'domain/word.ts': 'export const word = 1;\nexport type Word = number;\n',
  'workflows/messages.ts': 'export const message = 1;\n',
  'workflows/answer.ts': 'export const answer = 1;\nexport type Answer = number;\n',
  'activities/step.ts': 'export const step = 1;\nexport type Step = number;\n',
  'adapters/index/port.ts': 'export type IndexPort = number;\nexport class IndexError extends Error {}\n',
  'adapters/index/embedded.ts': 'export const embedded = 1;\nexport type Embedded = number;\n',
  'adapters/models/port.ts': 'export type ModelPort = number;\nexport class ModelError extends Error {}\n',
  'adapters/store/port.ts': 'export type StorePort = number;\n',
  'worker/run.ts': 'export const run = 1;\n',
  'client/client.ts': 'export const client = 1;\n',
  'api/app.ts': 'export const app = 1;\n',
  'launcher/up.ts': 'export const up = 1;\n',
  'domain/ring2.ts': "import { one } from './ring1.ts';\nexport const two = one;\n",
  'client/cli/ask.ts': 'export const ask = 1;\n',
  'test/helper.ts': 'export const helper = 1;\n',
};

/** The file that imports, its import, and the rule that must name it (null: none may). */
const cases: [file: string, source: string, rule: string | null][] = [
  ['domain/a1.ts', "import { z } from 'zod';", null],
  ['domain/a2.ts', "import { stemmer } from 'stemmer';", null],
  ['domain/a3.ts', "import { readFileSync } from 'node:fs';", 'domain-is-without-node'],
  ['domain/a4.ts', "import { step } from '../activities/step.ts';", 'domain-reaches-too-far'],
  ['domain/a5.ts', "import type { Step } from '../activities/step.ts';", 'domain-reaches-too-far'],
  ['domain/a6.ts', "import express from 'express';", 'domain-reaches-too-far'],
  ['workflows/b1.ts', "import { word } from '../domain/word.ts';", null],
  ['workflows/b2.ts', "import type { Step } from '../activities/step.ts';", null],
  ['workflows/b3.ts', "import { step } from '../activities/step.ts';", 'workflows-takes-types-only'],
  ['workflows/b4.ts', "import { log } from '@temporalio/workflow';", null],
  ['workflows/b5.ts', "import { Client } from '@temporalio/client';", 'workflows-reaches-too-far'],
  ['workflows/b6.ts', "import { hash } from 'node:crypto';", 'workflows-is-without-node'],
  ['workflows/b7.ts', "import { z } from 'zod';", 'workflows-reaches-too-far'],
  ['workflows/b8.ts', "import type { IndexPort } from '../adapters/index/port.ts';", null],
  ['activities/c1.ts', "import { IndexError } from '../adapters/index/port.ts';", null],
  ['activities/c2.ts', "import { embedded } from '../adapters/index/embedded.ts';", 'activities-reaches-too-far'],
  ['activities/c3.ts', "import type { Embedded } from '../adapters/index/embedded.ts';", 'activities-reaches-too-far'],
  ['activities/c4.ts', "import { Context } from '@temporalio/activity';", null],
  ['activities/c5.ts', "import OpenAI from 'openai';", 'activities-reaches-too-far'],
  ['activities/c6.ts', "import { answer } from '../workflows/answer.ts';", 'activities-reaches-too-far'],
  ['adapters/index/d1.ts', "import { Client } from '@elastic/elasticsearch';", null],
  ['adapters/models/d2.ts', "import { Client } from '@elastic/elasticsearch';", 'elasticsearch-at-home'],
  ['adapters/index/d3.ts', "import type { ModelPort } from '../models/port.ts';", null],
  ['adapters/index/d4.ts', "import { ModelError } from '../models/port.ts';", 'adapters-apart'],
  ['adapters/models/d5.ts', "import type { Embedded } from '../index/embedded.ts';", 'adapters-know-ports-only'],
  ['adapters/index/d6.ts', "import { step } from '../../activities/step.ts';", 'adapters-reaches-too-far'],
  ['worker/e1.ts', "import { embedded } from '../adapters/index/embedded.ts';", null],
  ['worker/e2.ts', "import { app } from '../api/app.ts';", 'worker-reaches-too-far'],
  ['client/f1.ts', "import { message } from '../workflows/messages.ts';", null],
  ['client/f2.ts', "import type { Answer } from '../workflows/answer.ts';", null],
  ['client/f3.ts', "import { answer } from '../workflows/answer.ts';", 'client-takes-types-only'],
  ['client/f4.ts', "import { step } from '../activities/step.ts';", 'client-reaches-too-far'],
  ['client/cli/l3.ts', "import { up } from '../../launcher/up.ts';", null],
  ['client/f5.ts', "import { up } from '../launcher/up.ts';", 'client-reaches-too-far'],
  ['client/f6.ts', "import { ask } from './cli/ask.ts';", 'client-reaches-too-far'],
  ['client/cli/l1.ts', "import { client } from '../client.ts';", null],
  ['client/cli/l2.ts', "import { app } from '../../api/app.ts';", 'cli-reaches-too-far'],
  ['launcher/h5.ts', "import { ask } from '../client/cli/ask.ts';", 'launcher-reaches-too-far'],
  ['api/g1.ts', "import { client } from '../client/client.ts';", null],
  ['api/g2.ts', "import type { StorePort } from '../adapters/store/port.ts';", null],
  ['api/g3.ts', "import { IndexError } from '../adapters/index/port.ts';", 'api-takes-types-only'],
  ['api/g4.ts', "import { run } from '../worker/run.ts';", 'api-reaches-too-far'],
  ['launcher/h1.ts', "import { app } from '../api/app.ts';", null],
  ['launcher/h2.ts', "import { helper } from '../test/helper.ts';", 'launcher-reaches-too-far'],
  ['launcher/h3.ts', "import fc from 'fast-check';", 'no-dev-dependency-in-the-product'],
  ['launcher/h4.ts', "import { x } from './nowhere.ts';", 'resolvable'],
  ['web/i1.ts', "import { word } from '../domain/word.ts';", 'web-reaches-too-far'],
  ['policies/k1.ts', "import { word } from '../domain/word.ts';", null],
  ['policies/k2.ts', "import { up } from '../launcher/up.ts';", 'policies-reaches-too-far'],
  ['test/j1.ts', "import { embedded } from '../adapters/index/embedded.ts';", null],
  ['domain/ring1.ts', "import { two } from './ring2.ts';\nexport const one = two;", 'no-circular'],
];

interface Violation {
  from: string;
  rule: { name: string; severity: string };
}

describe('import rules', () => {
  let project: Awaited<ReturnType<typeof makeMiniProject>>;
  let code: number | null;
  let violations: Violation[];

  beforeAll(async () => {
    const importing = Object.fromEntries(cases.map(([file, source]) => [file, source]));
    project = await makeMiniProject({ ...targets, ...importing });
    const config = ['--config', '.dependency-cruiser.mjs', '.'];
    code = (await project.run('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', ...config)).code;
    const json = await project.run(
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--output-type',
      'json',
      ...config,
    );
    violations = (JSON.parse(json.output) as { summary: { violations: Violation[] } }).summary.violations;
  });
  afterAll(() => project.remove());

  test('a forbidden import fails the command', () => expect(code).toBeGreaterThan(0));

  test.each(cases.filter(([, , rule]) => rule !== null))('%s: %s breaks %s', (file, _source, rule) => {
    const found = violations.filter(({ from }) => from === file);
    expect(found.map((violation) => violation.rule.name)).toContain(rule);
    expect(found.map((violation) => violation.rule.severity)).not.toContain('warn');
  });

  test.each(cases.filter(([, , rule]) => rule === null))('%s: %s is allowed', (file) => {
    expect(violations.filter(({ from }) => from === file)).toEqual([]);
  });

  test('the files imported in these cases break nothing themselves', () => {
    expect(violations.filter(({ from }) => from in targets)).toEqual([]);
  });
});
