import type { ModelChoice } from '../contracts/models.ts';

/** For `versions.models` and usage: `anthropic/claude-…`. */
export function modelId(choice: Pick<ModelChoice, 'provider' | 'model'>): string {
  return `${choice.provider}/${choice.model}`;
}
