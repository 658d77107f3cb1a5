import { z } from 'zod';

/** The parts of a run that a model can play; decomposing belongs to `rewrite`. */
export const modelRoleSchema = z.enum(['analyse', 'grade', 'rewrite', 'refine', 'generate', 'check']);
export type ModelRole = z.infer<typeof modelRoleSchema>;

export const providerSchema = z.enum(['local', 'anthropic', 'openai', 'openai-compatible']);
export type Provider = z.infer<typeof providerSchema>;

/** Who plays a role. `local` runs on this machine without a key and without cost; `openai-compatible` is a server of one's own (vLLM, Ollama, LM Studio). */
export const modelChoiceSchema = z.strictObject({
  provider: providerSchema,
  /** The provider's own name of the model. */
  model: z.string().min(1).max(200),
  /** Most tokens that the first call may write; an answer that is cut off there is asked for once more with twice as many. */
  maxOutputTokens: z.number().int().min(64).max(128_000).default(4096),
  /** Left out of the request when null, as models that reason want it. */
  temperature: z.number().min(0).max(2).nullable().default(null),
  /** How much a reasoning model thinks; null leaves it to the provider. */
  effort: z.enum(['low', 'medium', 'high']).nullable().default(null),
});
export type ModelChoice = z.infer<typeof modelChoiceSchema>;

/** A prompt as the file has it. `system` is the same for every call; `user` holds `{{placeholders}}`. */
export interface Prompt {
  name: string;
  /** Semantic version; every change of the text raises it. */
  version: string;
  system: string;
  user: string;
}

/** Tokens of one call. `inputTokens` is all that was read, with what came from or went into the provider's cache. */
export const tokenUsageSchema = z.object({
  inputTokens: z.number().int().nonnegative(),
  cachedInputTokens: z.number().int().nonnegative(),
  cacheWriteTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  /** True where the provider told no figures (a call cut off) and a tokenizer counted. */
  estimated: z.boolean(),
});
export type TokenUsage = z.infer<typeof tokenUsageSchema>;
