import { ModelError } from '../adapters/models/port.ts';
import { loadPrices, PriceFileError } from '../adapters/models/pricing/index.ts';
import { locatePairFiles } from '../adapters/models/local/pair-files.ts';
import type { PairKind } from '../adapters/models/local/pair-kinds.ts';
import { PolicyFileError } from '../policies/load.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import { ceilingGap, ceilingRemedy } from './ceilings.ts';
import type { Finding, Outcome } from './doctor-finding.ts';
import { LauncherError } from './errors.ts';
import { searchFinding } from './missing-search.ts';
import { missingLine, missingModels, openPolicies } from './policies.ts';
import { calibrationFindings } from './provider-embedding.ts';
import type { Settings } from './settings.ts';

/** What is configured of models and policies, and what policies could not run: none of it is needed unless PLUMBLINE_POLICY says so. */
export async function modelFindings(settings: Settings): Promise<Finding[]> {
  const { crossEncoderDir, entailmentDir } = settings.models.pairScorers;
  return [
    ...(await policyFindings(settings)),
    ...(await pairModel('cross-encoder', crossEncoderDir)),
    ...(await pairModel('entailment', entailmentDir)),
    ...(await priceFile(settings.models.prices)),
  ];
}

async function policyFindings(settings: Settings): Promise<Finding[]> {
  const { byDefault } = settings.policies;
  try {
    const policies = [...(await openPolicies(settings)).values()];
    const findings = policies.map((policy): Finding => {
      const missing = missingModels(policy, settings);
      const check = `Policy ${policy.name}`;
      if (missing.length === 0) return { check, ok: true, detail: `can run, version ${policy.version}` };
      const detail = missingLine(policy, missing).slice(check.length + 2);
      if (policy.name !== byDefault) return { check, ok: true, detail };
      const names = missing.map(({ setting }) => setting).join(' and ');
      const remedy = `It is the policy of every question that names none: set ${names}, or PLUMBLINE_POLICY to another policy.`;
      return { check, ok: false, detail, remedy };
    });
    return [
      ...findings,
      ...(await ceilingFindings(policies, settings)),
      ...(await calibrationFindings(settings)),
      await searchFinding(settings),
    ];
  } catch (error) {
    if (error instanceof LauncherError)
      return [{ check: 'Policies', ok: false, detail: error.message, remedy: error.remedy }];
    if (!(error instanceof PolicyFileError)) throw error;
    const remedy = 'Correct the file, or the folder that PLUMBLINE_POLICIES names.';
    return [{ check: 'Policies', ok: false, detail: error.message, remedy }];
  }
}

/** Left out where the price file itself is wrong, which has a finding of its own. */
async function ceilingFindings(policies: Policy[], { models }: Settings): Promise<Finding[]> {
  try {
    const prices = await loadPrices(models.prices);
    return policies.flatMap((policy): Finding[] => {
      const gap = ceilingGap(policy, prices);
      return gap === null ? [] : [{ check: `Policy ${policy.name}`, ok: false, detail: gap, remedy: ceilingRemedy }];
    });
  } catch (error) {
    if (error instanceof PriceFileError) return [];
    throw error;
  }
}

async function pairModel(kind: PairKind, dir: string | null): Promise<Finding[]> {
  if (dir === null) return [];
  const look = async (): Promise<Outcome> => {
    try {
      const { labels, maxTokens } = await locatePairFiles(dir, kind);
      const classes = labels.length > 1 ? `, classes ${labels.join(', ')}` : '';
      return { ok: true, detail: `${dir}, reads ${maxTokens} tokens${classes}` };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return { ok: false, detail: error.message, remedy: 'Export the model to ONNX as docs/providers.md says.' };
    }
  };
  return [{ check: kind === 'entailment' ? 'Entailment model' : 'Cross-encoder', ...(await look()) }];
}

async function priceFile(file: string | null): Promise<Finding[]> {
  if (file === null) return [];
  try {
    await loadPrices(file);
    return [{ check: 'Prices', ok: true, detail: `${file}, before the shipped ones` }];
  } catch (error) {
    if (!(error instanceof PriceFileError)) throw error;
    const remedy = 'Correct the file that PLUMBLINE_PRICES names, as docs/providers.md shows it.';
    return [{ check: 'Prices', ok: false, detail: error.message, remedy }];
  }
}
