import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { outcomeSchema, type Outcome } from '../../domain/contracts/answer.ts';
import { House, type PlumblineProcess } from '../support/plumbline-process.ts';
import { sampleQuestions, type SampleQuestion } from '../support/sample-questions.ts';

const tokenOf = (groups: string[]) => `the-token-of-${groups.join('-and-')}`;
const askers = [...new Map(sampleQuestions.map(({ groups }) => [tokenOf(groups), groups])).entries()];

/** The tests of all sample questions for a stack that is started with these settings. */
export function areAnswered(settings: () => Promise<Record<string, string>>): void {
  let house: House;
  let stack: PlumblineProcess;
  beforeAll(async () => {
    house = await House.create(askers.map(([token, groups]) => ({ token, tenant: 'main', user: token, groups })));
    stack = await house.up(await settings());
  }, 360_000);
  afterAll(async () => {
    await stack?.stop();
    house?.remove();
  });

  async function ask({ question, groups }: SampleQuestion): Promise<Outcome & { id: string }> {
    const response = await house.fetch('/v1/questions', {
      method: 'POST',
      headers: { prefer: 'wait=60' },
      token: tokenOf(groups),
      body: JSON.stringify({ question }),
    });
    expect(response.status).toBe(200);
    const body = (await response.json()) as { id: string };
    return { ...outcomeSchema.parse(body), id: body.id };
  }

  test.each(sampleQuestions)('$id: $question', async (sample) => {
    const outcome = await ask(sample);
    expect({ status: outcome.status, answer: outcome.answer, reason: outcome.reason }).toMatchObject({
      status: sample.expect,
    });
    for (const fact of sample.facts) expect(outcome.answer).toContain(fact);
    for (const wrong of sample.not ?? []) {
      expect(outcome.answer ?? '').not.toContain(wrong);
      for (const { quote } of outcome.citations) expect(quote).not.toContain(wrong);
    }
    expect(outcome.citations.map(({ documentId }) => documentId)).toEqual(expect.arrayContaining(sample.cite));
    if (outcome.status !== 'abstained') expect(outcome.grounding?.status).toBe('pass');
    else
      expect(outcome).toMatchObject({
        answer: null,
        statements: [],
        citations: [],
        reason: { code: expect.any(String) },
      });
    for (const { documentId, start, end, quote } of outcome.citations) {
      const document = await house.fetch(`/v1/documents/${documentId}?text=true`, { token: tokenOf(sample.groups) });
      const { text } = (await document.json()) as { text: string };
      expect(text.slice(start, end)).toBe(quote);
    }
  });

  test('who may not read a document sees nothing of it, not even among the evidence', async () => {
    const asked = sampleQuestions.filter(({ id }) => ['q28', 'q29', 'q30'].includes(id));
    for (const sample of asked) {
      const { evidence } = await ask(sample);
      for (const { documentId } of evidence)
        expect(['pricing-approval-rules', 'pay-bands-2026']).not.toContain(documentId);
    }
  });
}
