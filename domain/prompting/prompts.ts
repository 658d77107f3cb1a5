import type { Prompt } from '../contracts/models.ts';

/** One prompt a kind of model call. */
export const promptNames = [
  'analyse',
  'grade',
  'rewrite',
  'decompose',
  'refine',
  'generate',
  'check-grounding',
] as const;
export type PromptName = (typeof promptNames)[number];

export type Prompts = Readonly<Record<PromptName, Prompt>>;

/** For usage and outcomes: `grade@1.0.0`. */
export function promptId(prompt: Pick<Prompt, 'name' | 'version'>): string {
  return `${prompt.name}@${prompt.version}`;
}
