import type { IndexPort } from '../adapters/index/port.ts';
import type { EmbeddingModel, ModelProviders } from '../adapters/models/port.ts';
import type { DocumentParser } from '../adapters/parsers/port.ts';
import type { EventsPort } from '../adapters/store/port.ts';
import type { Prompts } from '../domain/prompting/prompts.ts';
import { createAddEvidence } from './add-evidence.ts';
import { createAdoptAnswer } from './adopt-answer.ts';
import { allEvidence } from './all-evidence.ts';
import { createAnalyse } from './analyse.ts';
import { createCheckGrounding } from './check-grounding.ts';
import { createDecompose } from './decompose.ts';
import { createGenerate } from './generate.ts';
import { createGrade } from './grade.ts';
import { createNotifyReviewer, type NotifyReviewerDependencies } from './notify-reviewer.ts';
import { createRenderPages } from './render-pages.ts';
import { createRefine } from './refine.ts';
import { createRetrieve } from './retrieve.ts';
import { createRewrite } from './rewrite.ts';
import { createSearchWeb, type SearchWebDependencies } from './search-web.ts';

export interface AnswerDependencies extends SearchWebDependencies, NotifyReviewerDependencies {
  index: IndexPort;
  embedding: EmbeddingModel;
  /** Chat models and scorers that roles may be given to. */
  models: ModelProviders;
  prompts: Prompts;
  parser: Pick<DocumentParser, 'parse'>;
  /** Takes the answer's text while it is written. */
  events: Pick<EventsPort, 'publish'>;
  /** Where uploads are; see `AddEvidenceDependencies`. */
  spoolDir?: string;
}

/** The steps of a question's run, with the outside world put in. */
export function createAnswerActivities(deps: AnswerDependencies) {
  const reading = { ...deps, index: allEvidence(deps.index, deps.evidence) };
  return {
    analyse: createAnalyse(deps),
    retrieve: createRetrieve(deps),
    grade: createGrade(reading),
    rewrite: createRewrite(deps),
    decompose: createDecompose(deps),
    searchWeb: createSearchWeb(deps),
    renderPages: createRenderPages(deps),
    refine: createRefine(reading),
    generate: createGenerate(reading),
    checkGrounding: createCheckGrounding(reading),
    notifyReviewer: createNotifyReviewer(deps),
    addEvidence: createAddEvidence(deps),
    adoptAnswer: createAdoptAnswer(deps),
  };
}
export type AnswerActivities = ReturnType<typeof createAnswerActivities>;
