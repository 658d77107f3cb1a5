import type { IndexPort } from '../adapters/index/port.ts';
import type { EmbeddingModel } from '../adapters/models/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Grade } from '../domain/contracts/evidence.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import type { Analysis } from '../domain/contracts/question.ts';
import { gradePassages, uncertain } from '../domain/rules/grade.ts';
import { embedAspects } from './embed-aspects.ts';
import { heartbeating, step } from './step.ts';

export interface GradeInput {
  access: Access;
  analysis: Analysis;
  evidenceIds: string[];
  grading: Policy['grading'];
}

/** Grades all passages of a search in one call. One grade for every id asked, in that order; a passage that is gone meanwhile is uncertain. */
export function createGrade(deps: { index: IndexPort; embedding: EmbeddingModel }) {
  return step(
    async (input: GradeInput, signal): Promise<{ grades: Grade[] }> =>
      heartbeating(async () => {
        const [passages, vectors] = await Promise.all([
          deps.index.passages(input.access, input.evidenceIds, { vectors: true }),
          embedAspects(deps.embedding, input.analysis, signal),
        ]);
        const graded = gradePassages(passages, { analysis: input.analysis, vectors }, input.grading);
        const byId = new Map(graded.map((grade) => [grade.evidenceId, grade]));
        return { grades: input.evidenceIds.map((id) => byId.get(id) ?? uncertain(id, 'the passage is no longer there')) };
      }),
  );
}
