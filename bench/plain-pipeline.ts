import { MockActivityEnvironment } from '@temporalio/testing';
import { createAnswerActivities, type AnswerDependencies } from '../activities/index.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Statement } from '../domain/contracts/answer.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import { decideVerdict } from '../domain/rules/verdict.ts';

/**
 * The steps of a run whose evidence is good at once, called one after the other as any program could: no Temporal, nothing survives a crash.
 * The yardstick for what durability costs.
 * @throws Error when the verdict is not CORRECT or a draft is not grounded: such a run goes another way
 */
export function plainPipeline(deps: AnswerDependencies, { access, policy }: { access: Access; policy: Policy }) {
  const steps = createAnswerActivities(deps);
  const environment = new MockActivityEnvironment();
  const inStep = <I, O>(step: (input: I) => Promise<O>, input: I): Promise<O> => environment.run(step, input);
  const { models } = policy;
  const asOf = new Date().toISOString().slice(0, 10);

  return async (question: string): Promise<Statement[]> => {
    const { analysis } = await inStep(steps.analyse, { question, analyst: models.analyse });
    const { searchText: query, identifiers } = analysis;
    const { evidence } = await inStep(steps.retrieve, {
      access,
      query,
      identifiers,
      retrieval: policy.retrieval,
      asOf,
    });
    const evidenceIds = evidence.map(({ id }) => id);
    const { grades } = await inStep(steps.grade, {
      access,
      analysis,
      evidenceIds,
      grading: policy.grading,
      judge: null,
    });
    if (decideVerdict(grades, policy.verdict) !== 'CORRECT') throw new Error('this question needs a correction');
    const passages = grades
      .filter(({ label }) => label !== 'irrelevant')
      .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
      .map(({ evidenceId, aspects }) => ({ id: evidenceId, supports: aspects }));
    const { strips, conflicts } = await inStep(steps.refine, {
      access,
      analysis,
      passages,
      decided: { ids: [], strips: [] },
      refine: policy.refine,
      refiner: models.refine,
      generator: models.generate,
    });
    const { statements, citations } = await inStep(steps.generate, {
      access,
      question,
      language: analysis.language,
      aspects: analysis.aspects,
      strips,
      conflicts,
      generate: policy.generate,
      generator: models.generate,
      refused: [],
      revision: null,
    });
    const { grounding } = await inStep(steps.checkGrounding, {
      access,
      statements,
      citations,
      checker: models.check,
      grounding: policy.grounding,
    });
    if (grounding.status !== 'pass') throw new Error('this question needs a revision');
    return statements;
  };
}
