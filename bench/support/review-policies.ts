import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Policy } from '../../domain/contracts/policy.ts';

/** A reviewer is asked where the default policy would abstain, and has an hour. */
export const reviewed = 'bench-reviewed';
/** A paid model grades, and another call writes the answer. */
export const paid = 'bench-paid';

/** Writes the policies that are measured into `folder`. Returns the setting that names it. */
export async function reviewPolicies(folder: string): Promise<{ PLUMBLINE_POLICIES: string }> {
  const file = new URL('../../policies/default.json', import.meta.url);
  const base = JSON.parse(await readFile(file, 'utf8')) as Policy;
  const model = { provider: 'openai', model: 'gpt-4o-mini' };
  const review = { ...base.review, on: ['abstained'], deadlineMinutes: 60, remindAfterMinutes: [], maxRounds: 20 };
  const models = { ...base.models, grade: model, generate: model };
  const policies = {
    [reviewed]: { review },
    [paid]: { grading: { ...base.grading, method: 'model' }, models },
  };
  const policyFolder = join(folder, 'policies');
  await mkdir(policyFolder, { recursive: true });
  for (const [name, difference] of Object.entries(policies))
    await writeFile(join(policyFolder, `${name}.json`), JSON.stringify({ ...base, name, ...difference }));
  return { PLUMBLINE_POLICIES: policyFolder };
}
