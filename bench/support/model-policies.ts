import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Policy } from '../../domain/contracts/policy.ts';

/** Any model that has a price; the scripted server does not look at it. */
const scripted = { provider: 'openai', model: 'gpt-4o-mini' };

/** Writes the policies that are measured into `folder`. Returns the setting that names it. */
export async function modelPolicies(folder: string): Promise<{ PLUMBLINE_POLICIES: string }> {
  const file = new URL('../../policies/default.json', import.meta.url);
  const base = JSON.parse(await readFile(file, 'utf8')) as Policy;
  const alive = { startToCloseMs: 60_000, heartbeatMs: 10_000, attempts: 3 };
  const steps = { ...base.steps, grade: alive, refine: alive, generate: alive, 'check-grounding': alive };
  const generate = { ...base.generate, stream: 'draft' };
  // As in the shipped policies with a writing model: it judges for itself what of the context answers.
  const refine = { ...base.refine, keep: 0.1, keepFromPartial: 0.1 };
  const policies = {
    'bench-generate': { models: { ...base.models, generate: scripted } },
    'bench-judge': {
      // As many passages as the peer takes.
      retrieval: { ...base.retrieval, k: 4 },
      grading: { ...base.grading, method: 'model' },
      models: { ...base.models, grade: scripted, generate: scripted },
    },
    // The corpus judged by the model, the web by the local grader.
    'bench-web': {
      retrieval: { ...base.retrieval, k: 4 },
      grading: { ...base.grading, method: 'model' },
      tiers: ['web'],
      web: { ...base.web, mode: 'allowed', grading: 'local', cacheMinutes: 0 },
      models: { ...base.models, grade: scripted, generate: scripted },
    },
    'bench-many-calls': {
      refine: base.refine,
      retrieval: { ...base.retrieval, k: 4 },
      tiers: ['rewrite'],
      grading: { ...base.grading, method: 'model' },
      models: { ...base.models, analyse: scripted, grade: scripted, rewrite: scripted, generate: scripted },
    },
  };
  const policyFolder = join(folder, 'policies');
  await mkdir(policyFolder, { recursive: true });
  for (const [name, difference] of Object.entries(policies)) {
    await writeFile(
      join(policyFolder, `${name}.json`),
      JSON.stringify({ ...base, name, steps, generate, refine, ...difference }),
    );
  }
  return { PLUMBLINE_POLICIES: policyFolder };
}
