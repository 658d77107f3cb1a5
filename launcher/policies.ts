import { loadPrices } from '../adapters/models/pricing/index.ts';
import { neededSetting } from '../adapters/models/needed-setting.ts';
import type { ModelRole } from '../domain/contracts/models.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import { loadAllPolicies, loadPolicies } from '../policies/load.ts';
import { ceilingGap, ceilingRemedy } from './ceilings.ts';
import { LauncherError } from './errors.ts';
import { tellPrices } from './tell-prices.ts';
import type { Settings } from './settings.ts';

/**
 * All policies, with the one for questions that name none among them.
 * @throws PolicyFileError; LauncherError `Settings.Invalid` when PLUMBLINE_POLICY names none of them
 */
export async function openPolicies({ policies: { dir, byDefault } }: Settings): Promise<Map<string, Policy>> {
  const policies = await loadAllPolicies(dir);
  if (policies.has(byDefault)) return policies;
  throw new LauncherError('Settings.Invalid', `Wrong setting: PLUMBLINE_POLICY names no policy: ${byDefault}.`, {
    remedy: `Known are: ${[...policies.keys()].join(', ')}. More may be in the folder that PLUMBLINE_POLICIES names.`,
  });
}

/** A setting that roles of a policy need and that is not there. */
export type MissingModel = { setting: string; roles: ModelRole[] };

export function missingModels(policy: Policy, settings: Settings): MissingModel[] {
  const there = configuredModels(settings);
  const missing = new Map<string, ModelRole[]>();
  for (const role of Object.keys(policy.models) as ModelRole[]) {
    const setting = neededSetting(policy.models[role]);
    if (setting !== null && !there.has(setting)) missing.set(setting, [...(missing.get(setting) ?? []), role]);
  }
  return [...missing].map(([setting, roles]) => ({ setting, roles }));
}

/** One line for a person. */
export function missingLine(policy: Policy, missing: MissingModel[]): string {
  const each = missing.map(
    ({ setting, roles }) =>
      `${setting} is not set; its ${roles.length === 1 ? 'role' : 'roles'} ${roles.join(', ')} cannot run.`,
  );
  return `Policy ${policy.name}: ${each.join(' ')} Other policies are unaffected.`;
}

/**
 * Tells, at the start of a worker, which policies of the own folder cannot run whole. The shipped ones are there for who wants them, so they
 * are not mentioned.
 * @throws LauncherError `Models.Unavailable` when it is the policy of questions that name none
 */
export async function tellMissingModels(settings: Settings, say: (line: string) => void): Promise<void> {
  const policies = await openPolicies(settings);
  const { byDefault, dir } = settings.policies;
  const policy = policies.get(byDefault);
  const missing = policy ? missingModels(policy, settings) : [];
  if (policy && missing.length > 0) {
    const names = missing.map(({ setting }) => setting).join(' and ');
    throw new LauncherError('Models.Unavailable', missingLine(policy, missing), {
      remedy: `It is the policy of every question that names none (PLUMBLINE_POLICY): set ${names}, or choose another policy.`,
    });
  }
  if (dir === null) return;
  const prices = await loadPrices(settings.models.prices).catch(tellPrices);
  for (const own of (await loadPolicies(dir)).values()) {
    const lacking = missingModels(own, settings);
    if (lacking.length > 0) say(missingLine(own, lacking));
    const gap = ceilingGap(own, prices);
    if (gap !== null) say(`Policy ${own.name}: ${gap}. ${ceilingRemedy}`);
  }
}

/** The settings of models that are there. */
export function configuredModels({ models }: Pick<Settings, 'models'>): Set<string> {
  const there: [string, unknown][] = [
    ['ANTHROPIC_API_KEY', models.anthropic],
    ['OPENAI_API_KEY', models.openai],
    ['OPENAI_COMPATIBLE_BASE_URL', models.compatible],
    ['PLUMBLINE_CROSS_ENCODER_DIR', models.pairScorers.crossEncoderDir],
    ['PLUMBLINE_ENTAILMENT_DIR', models.pairScorers.entailmentDir],
  ];
  return new Set(there.filter(([, value]) => value !== null).map(([name]) => name));
}
