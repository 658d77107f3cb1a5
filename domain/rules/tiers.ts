import type { Tier } from '../contracts/answer.ts';
import type { EvidenceQuality, Verdict } from '../contracts/evidence.ts';

/** What a run tries by itself. */
export type OwnTier = Exclude<Tier, 'review'>;

/**
 * The next correction: the first tier of the policy not tried yet, as long as the evidence is not good enough. Each tier runs at most once; the web is
 * not asked when the corpus has the answer, if only in part.
 */
export function nextTier(
  state: { verdict: Verdict; quality: EvidenceQuality['status']; tried: Tier[] },
  tiers: OwnTier[],
): OwnTier | null {
  if (state.verdict === 'CORRECT' && (state.quality === 'sufficient' || state.quality === 'conflicting')) return null;
  const open = tiers.filter((tier) => !state.tried.includes(tier));
  return open.find((tier) => tier !== 'web' || state.verdict !== 'CORRECT') ?? null;
}
