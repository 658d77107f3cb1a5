import type { IndexPort } from '../adapters/index/port.ts';
import type { EmbeddingModel } from '../adapters/models/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Grade } from '../domain/contracts/evidence.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import type { Analysis } from '../domain/contracts/question.ts';
import { gradePassages } from '../domain/rules/grade.ts';
import { embedAspects } from './embed-aspects.ts';
import { readEvidence } from './read-evidence.ts';
import { heartbeating, step } from './step.ts';

export interface GradeInput {
  access: Access;
  analysis: Analysis;
  evidenceIds: string[];
  grading: Policy['grading'];
}

/** Grades all passages of a search in one call. One grade for every id asked, in that order. */
export function createGrade(deps: { index: IndexPort; embedding: EmbeddingModel }) {
  return step(async (input: GradeInput, signal): Promise<{ grades: Grade[] }> =>
    heartbeating(async () => {
      const [passages, vectors] = await Promise.all([
        readEvidence(deps.index, input.access, { ids: input.evidenceIds, vectors: true }),
        embedAspects(deps.embedding, input.analysis, signal),
      ]);
      return { grades: gradePassages(passages, { analysis: input.analysis, vectors }, input.grading) };
    }),
  );
}
