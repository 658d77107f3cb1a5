import { z } from 'zod';

/** The steps of a run, as policies, events and prompts name them. */
export const stepNameSchema = z.enum([
  'analyse',
  'retrieve',
  'grade',
  'rewrite',
  'decompose',
  'search-web',
  'render-pages',
  'refine',
  'generate',
  'check-grounding',
  'add-evidence',
  'adopt-answer',
]);
export type StepName = z.infer<typeof stepNameSchema>;
