import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Prompt } from '../domain/contracts/models.ts';

/** What `versions.json` holds: the version of every prompt and the hash of its text at that version. */
export const promptLockSchema = z.record(
  z.string(),
  z.strictObject({ version: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
);
export type PromptLock = z.infer<typeof promptLockSchema>;

/** Hash of a prompt's two parts. */
function promptHash({ system, user }: Pick<Prompt, 'system' | 'user'>): string {
  return createHash('sha256')
    .update(JSON.stringify([system, user]))
    .digest('hex');
}

export function lockOf(prompts: Prompt[]): PromptLock {
  return Object.fromEntries(prompts.map((prompt) => [prompt.name, entryOf(prompt)]));
}

function entryOf(prompt: Prompt): PromptLock[string] {
  return { version: prompt.version, sha256: promptHash(prompt) };
}

/** Prompts whose text is not the locked one although their version has not been raised. */
export function unraised(prompts: Prompt[], lock: PromptLock): string[] {
  return prompts
    .filter((prompt) => {
      const locked = lock[prompt.name];
      if (!locked) return false;
      const changed = locked.sha256 !== promptHash(prompt);
      return changed ? !isNewer(prompt.version, locked.version) : isNewer(locked.version, prompt.version);
    })
    .map(({ name }) => name);
}

function isNewer(version: string, than: string): boolean {
  const [a = [], b = []] = [version, than].map((text) => text.split('.').map(Number));
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}
