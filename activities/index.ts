import type { IndexPort } from '../adapters/index/port.ts';
import type { EmbeddingModel } from '../adapters/models/port.ts';
import { analyse } from './analyse.ts';
import { createCheckGrounding } from './check-grounding.ts';
import { decompose } from './decompose.ts';
import { createGenerate } from './generate.ts';
import { createGrade } from './grade.ts';
import { createRefine } from './refine.ts';
import { createRetrieve } from './retrieve.ts';
import { rewrite } from './rewrite.ts';

export interface AnswerDependencies {
  index: IndexPort;
  embedding: EmbeddingModel;
}

/** The steps of a question's run, with the outside world put in. */
export function createAnswerActivities(deps: AnswerDependencies) {
  return {
    analyse,
    retrieve: createRetrieve(deps),
    grade: createGrade(deps),
    rewrite,
    decompose,
    refine: createRefine(deps),
    generate: createGenerate(deps),
    checkGrounding: createCheckGrounding(deps),
  };
}
export type AnswerActivities = ReturnType<typeof createAnswerActivities>;
