import type { StepName } from '../contracts/step-name.ts';

/** The Temporal activity type of each step, as it stands in the histories of runs: a name that was used once stays. */
export const activityOf = {
  analyse: 'analyse',
  retrieve: 'retrieve',
  grade: 'grade',
  rewrite: 'rewrite',
  decompose: 'decompose',
  'search-web': 'searchWeb',
  'render-pages': 'renderPages',
  refine: 'refine',
  generate: 'generate',
  'check-grounding': 'checkGrounding',
  'add-evidence': 'addEvidence',
  'adopt-answer': 'adoptAnswer',
} as const satisfies Record<StepName, string>;
