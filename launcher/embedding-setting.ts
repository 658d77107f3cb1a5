import { z } from 'zod';
import type { EmbeddingChoice } from '../adapters/models/embedding-choice.ts';

/** As many as Elasticsearch takes in a vector. */
const mostDimensions = 4096;

/** PLUMBLINE_EMBEDDING: `local`, or a provider, its model and how long the vectors are. */
export const embeddingVariable = z
  .string()
  .default('local')
  .transform((text, context): EmbeddingChoice => {
    const choice = parsed(text);
    if (choice !== null) return choice;
    const message =
      'must be local, openai/MODEL@DIMENSIONS or openai-compatible/MODEL@DIMENSIONS, for example ' +
      `openai/text-embedding-3-small@512, with 1 to ${mostDimensions} dimensions`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

function parsed(text: string): EmbeddingChoice | null {
  if (text === 'local') return { provider: 'local' };
  const [, provider, model = '', dimensions] = /^(openai|openai-compatible)\/(\S+)@([1-9]\d{0,3})$/.exec(text) ?? [];
  if (provider !== 'openai' && provider !== 'openai-compatible') return null;
  return Number(dimensions) > mostDimensions ? null : { provider, model, dimensions: Number(dimensions) };
}
