import { vectorSpaceOf, type EmbeddingChoice } from '../adapters/models/embedding-choice.ts';
import { neededSetting } from '../adapters/models/needed-setting.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import { loadPolicies } from '../policies/load.ts';
import type { Finding, Outcome } from './doctor-finding.ts';
import { LauncherError } from './errors.ts';
import { configuredModels, openPolicies } from './policies.ts';
import type { Settings } from './settings.ts';

/**
 * Before a worker starts with a provider's embedding model: whether it can be asked at all, and which policies' scores were made for the local one.
 * @throws LauncherError `Settings.Invalid` where its key or address is missing
 */
export async function tellEmbedding(settings: Settings, say: (line: string) => void): Promise<void> {
  if (settings.embedding.provider === 'local') return;
  const missing = missingSetting(settings);
  if (missing !== null) {
    const { model } = vectorSpaceOf(settings.embedding);
    throw new LauncherError('Settings.Invalid', `PLUMBLINE_EMBEDDING names ${model}, and ${missing} is not set.`, {
      remedy: `Set ${missing}, or unset PLUMBLINE_EMBEDDING: the local model needs none.`,
    });
  }
  const line = await uncalibrated(settings);
  if (line !== null) say(line);
}

/** A provider's embedding model as the doctor sees it; asks nothing of it. */
export function embeddingOutcome(settings: Settings): Outcome {
  const { model, dimensions } = vectorSpaceOf(settings.embedding);
  const detail = `${model}, ${dimensions} dimensions`;
  const missing = missingSetting(settings);
  if (missing === null) return { ok: true, detail };
  const remedy = `Set ${missing}, or unset PLUMBLINE_EMBEDDING.`;
  return { ok: false, detail: `${detail}: ${missing} is not set`, remedy };
}

/** Which policies score by the cosines of another model than theirs, for the doctor. */
export async function calibrationFindings(settings: Settings): Promise<Finding[]> {
  const line = settings.embedding.provider === 'local' ? null : await uncalibrated(settings);
  return line === null ? [] : [{ check: 'Local scores', ok: true, detail: line }];
}

function missingSetting({ embedding, models }: Settings): string | null {
  const needed = embedding.provider === 'local' ? null : neededSetting(embedding);
  return needed === null || configuredModels({ models }).has(needed) ? null : needed;
}

/** Of the own folder and the one of questions that name none: the shipped ones are there for who wants them. Null where no policy is concerned. */
async function uncalibrated(settings: Settings): Promise<string | null> {
  const { byDefault, dir } = settings.policies;
  const own = dir === null ? [] : [...(await loadPolicies(dir)).values()];
  const standard = (await openPolicies(settings)).get(byDefault);
  const names = new Set([...(standard ? [standard] : []), ...own].filter(scoresHere).map(({ name }) => name));
  if (names.size === 0) return null;
  const { model } = vectorSpaceOf(settings.embedding);
  const who = names.size === 1 ? 'Policy' : 'Policies';
  return (
    `${who} ${[...names].join(', ')}: scores are calibrated for ${vectorSpaceOf(local).model}, not for ${model}; ` +
    'use a policy that grades and refines by a model (docs/providers.md).'
  );
}

const local: EmbeddingChoice = { provider: 'local' };

/** Whether passages or strips are judged by the cosines of their vectors. */
function scoresHere({ grading, models: { grade, refine } }: Policy): boolean {
  const byItself = grade.provider === 'local' && grade.model !== 'cross-encoder';
  return grading.method !== 'model' || byItself || refine.provider === 'local';
}
