import type { Policy } from '../domain/contracts/policy.ts';
import { loadPolicies } from '../policies/load.ts';
import type { Finding } from './doctor-finding.ts';
import { openPolicies } from './policies.ts';
import type { Settings } from './settings.ts';

const needed = 'TAVILY_API_KEY or SEARXNG_URL';

/** Whether a policy would search the web and nothing is set up to search it with. Its runs go on with the documents alone, and say so. */
function lacksSearch({ tiers, web }: Policy, settings: Settings): boolean {
  const { tavily, searxng } = settings.web;
  return tiers.includes('web') && web.mode !== 'never' && tavily === null && searxng === null;
}

/** Tells, at the start of a worker, which policies would search the web in vain: of the own folder, and the one of questions that name none. */
export async function tellMissingSearch(settings: Settings, say: (line: string) => void): Promise<void> {
  const { byDefault, dir } = settings.policies;
  const own = dir === null ? [] : [...(await loadPolicies(dir)).values()];
  const mine = (await openPolicies(settings)).get(byDefault);
  for (const policy of new Set(mine && !own.some(({ name }) => name === byDefault) ? [mine, ...own] : own)) {
    if (lacksSearch(policy, settings))
      say(`Policy ${policy.name} allows the web, but nothing is set up to search it: set ${needed} (docs/web.md).`);
  }
}

/** The web search as the doctor sees it. */
export async function searchFinding(settings: Settings): Promise<Finding> {
  const check = 'Web search';
  const { tavily, searxng } = settings.web;
  const setUp = [...(tavily === null ? [] : ['Tavily']), ...(searxng === null ? [] : ['SearXNG'])];
  if (setUp.length > 0) return { check, ok: true, detail: setUp.join(', then ') };
  const lacking = [...(await openPolicies(settings)).values()].filter((policy) => lacksSearch(policy, settings));
  const names = lacking.map(({ name }) => name).join(', ');
  const detail = names === '' ? 'not set up' : `not set up; policies that would use it: ${names}`;
  if (!lacking.some(({ name }) => name === settings.policies.byDefault)) return { check, ok: true, detail };
  return { check, ok: false, detail, remedy: `Set ${needed}, or PLUMBLINE_POLICY to a policy without the web.` };
}
