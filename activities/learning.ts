import type { IndexPort } from '../adapters/index/port.ts';
import type { EmbeddingModel } from '../adapters/models/port.ts';
import { createGroupQuestions } from './group-questions.ts';
import { createWithdrawReviewed } from './withdraw-reviewed.ts';
import { createWriteReviewed, type WriteReviewedDependencies } from './write-reviewed.ts';

export interface LearningDependencies extends WriteReviewedDependencies {
  index: IndexPort;
  embedding: EmbeddingModel;
}

/** The steps of what is learnt from reviews, with the outside world put in. */
export function createLearningActivities(deps: LearningDependencies) {
  return {
    writeReviewed: createWriteReviewed(deps),
    withdrawReviewed: createWithdrawReviewed(deps),
    groupQuestions: createGroupQuestions(deps),
  };
}
export type LearningActivities = ReturnType<typeof createLearningActivities>;
