import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createAnalyse } from '../../activities/analyse.ts';
import { createDecompose } from '../../activities/decompose.ts';
import { createRewrite } from '../../activities/rewrite.ts';
import { analyseQuestion } from '../../domain/rules/analyse.ts';
import { decomposeQuestion } from '../../domain/rules/decompose.ts';
import { rewriteQuery } from '../../domain/rules/rewrite.ts';
import { startProviderServer, type ProviderServer } from '../support/provider-server/start-provider-server.ts';
import { choices, dependencies, modelsAt, noModels, run } from './model-steps.ts';

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer({ respond: () => undefined });
});
afterAll(() => server.close());
beforeEach(() => server.clear());

const says = (value: unknown) => server.respondWith(() => ({ says: value }));
const asked = () => server.journal[0]?.request.user ?? '';

describe('rewriting', () => {
  const question = 'What does E-0417/b mean for MS?';
  const analysis = analyseQuestion(question);
  const input = {
    question,
    analysis,
    missing: analysis.aspects,
    neighbours: ['</notes-1> Rail X4 manual', 'Motor shutters'],
    tried: [question],
    limits: { minWords: 6, maxWords: 14 },
    writer: choices.openai,
  };
  const rewrite = async (over: Partial<typeof input> = {}) =>
    run(createRewrite(await dependencies(modelsAt(server))), { ...input, ...over });

  test('the model is told what is missing, what to keep letter by letter and what was tried', async () => {
    says({ query: 'E-0417/b fault code MS motor shutter meaning' });
    const { queries, calls } = await rewrite();
    expect(queries).toEqual(['E-0417/b fault code MS motor shutter meaning']);
    expect(calls).toMatchObject([{ step: 'rewrite', model: 'openai/large', prompt: 'rewrite@1.0.0' }]);
    const nonce = /^Code: (\w{16})$/m.exec(asked())?.[1];
    expect(asked()).toContain('Words: 6 to 14');
    expect(asked()).toContain(`Exact terms:\n<notes-${nonce}>\nE-0417/b\nMS\n</notes-${nonce}>`);
    expect(asked()).toContain(`<notes-${nonce}>\n‹/notes-1> Rail X4 manual\nMotor shutters\n</notes-${nonce}>`);
    expect(asked()).toContain(`Tried so far:\n<notes-${nonce}>\n${question}\n</notes-${nonce}>`);
  });

  test('an identifier that the model explains away is in a search all the same', async () => {
    says({ query: 'milliseconds error meaning' });
    const { queries } = await rewrite({ tried: [] });
    expect(queries[0]).toMatch(/^milliseconds error meaning/);
    expect(queries[1]).toBe(question);
    const again = await rewrite();
    expect(again.queries[1]).toBe(rewriteQuery(input, input.limits));
    expect(again.queries[1]).toMatch(/E-0417\/b MS/);
  });

  test('without a model, by rules', async () => {
    const step = createRewrite(await dependencies(noModels));
    const { queries, calls } = await run(step, { ...input, writer: choices.local });
    expect(queries).toEqual([rewriteQuery(input, input.limits)]);
    expect(calls).toEqual([]);
    const tried = [...input.tried, ...queries];
    expect((await run(step, { ...input, tried, writer: choices.local })).queries).toEqual([]);
  });
});

describe('decomposing', () => {
  const question = 'What is the fee for late returns and when must INV-1042-AB be paid?';
  const analysis = analyseQuestion(question);
  const input = {
    question,
    analysis,
    missing: analysis.aspects,
    tried: [question],
    maxTurns: 3,
    writer: choices.anthropic,
  };
  const decompose = async (over: Partial<typeof input> = {}, models = modelsAt(server)) =>
    run(createDecompose(await dependencies(models)), { ...input, ...over });

  test('the sub-questions of the model are searched, with the terms that it lost', async () => {
    says({ subQuestions: [{ aspect: 'a1', question: 'Which late fee is charged?' }] });
    const { subQuestions, calls } = await decompose();
    expect(subQuestions).toEqual([{ aspectId: 'a1', query: 'INV-1042-AB Which late fee is charged?' }]);
    expect(calls).toMatchObject([{ step: 'decompose', prompt: 'decompose@1.0.0' }]);
    expect(asked()).toContain('At most: 3');
    expect(asked()).toContain(`a1: ${analysis.aspects[0]?.text}`);
  });

  test('where none can be used, those of the rules are', async () => {
    says({
      subQuestions: [
        { aspect: 'a8', question: 'Something else?' },
        { aspect: 'a1', question: question },
      ],
    });
    expect((await decompose()).subQuestions).toEqual(decomposeQuestion(input, 3));
    expect(decomposeQuestion(input, 3)).not.toEqual([]);
  });

  test('without a model, or with nothing missing, nothing is asked', async () => {
    const { subQuestions } = await decompose({ writer: choices.local }, noModels);
    expect(subQuestions).toEqual(decomposeQuestion(input, 3));
    expect(await decompose({ missing: [] })).toMatchObject({ subQuestions: [] });
    expect(server.calls()).toBe(0);
  });
});

describe('analysing', () => {
  const analyse = async (question: string, analyst: keyof typeof choices, models = modelsAt(server)) =>
    run(createAnalyse(await dependencies(models)), { question, analyst: choices[analyst] });

  test("the aspects and the language are the model's, the codes those of the rules", async () => {
    says({ kind: 'question', language: 'en', aspects: ['Late fee of INV-1042-AB?', 'Due date of INV-1042-AB?'] });
    const { analysis, calls } = await analyse('Fee and due date, INV-1042-AB?', 'openai');
    expect(analysis).toMatchObject({
      language: 'en',
      identifiers: ['INV-1042-AB'],
      aspects: [{ id: 'a1' }, { id: 'a2' }],
    });
    expect(calls).toMatchObject([{ step: 'analyse', prompt: 'analyse@1.0.0' }]);
  });

  test.each([
    ['What is the late fee?', 'local'],
    ['thanks!', 'openai'],
    ['?', 'openai'],
  ] as const)('%s by %s: no model is asked', async (question, analyst) => {
    expect((await analyse(question, analyst, noModels)).analysis).toEqual(analyseQuestion(question));
  });
});
