import type { Finding, Outcome } from './doctor-finding.ts';
import { messageOf } from './errors.ts';
import type { Settings } from './settings.ts';

type Provider = { check: string; url: string; headers: Record<string, string>; key: string; address: string };

const patienceMs = 5_000;

/** Asks every configured provider for its list of models, and searches for what they tell of themselves, which costs nothing: whether it answers, and takes the key. */
export function providerFindings({ models, web }: Settings): Promise<Finding[]> {
  const { anthropic, openai, compatible } = models;
  const providers: Provider[] = [];
  if (anthropic)
    providers.push({
      check: 'Anthropic',
      url: `${withoutSlash(anthropic.baseUrl ?? 'https://api.anthropic.com')}/v1/models`,
      headers: { 'x-api-key': anthropic.apiKey, 'anthropic-version': '2023-06-01' },
      key: 'ANTHROPIC_API_KEY',
      address: 'ANTHROPIC_BASE_URL',
    });
  if (openai)
    providers.push({
      check: 'OpenAI',
      url: `${withoutSlash(openai.baseUrl ?? 'https://api.openai.com/v1')}/models`,
      headers: bearer(openai.apiKey),
      key: 'OPENAI_API_KEY',
      address: 'OPENAI_BASE_URL',
    });
  if (compatible)
    providers.push({
      check: 'OpenAI-compatible server',
      url: `${withoutSlash(compatible.baseUrl)}/models`,
      headers: compatible.apiKey === null ? {} : bearer(compatible.apiKey),
      key: 'OPENAI_COMPATIBLE_API_KEY',
      address: 'OPENAI_COMPATIBLE_BASE_URL',
    });
  if (web.tavily)
    providers.push({
      check: 'Tavily',
      url: `${withoutSlash(web.tavily.baseUrl ?? 'https://api.tavily.com')}/usage`,
      headers: bearer(web.tavily.apiKey),
      key: 'TAVILY_API_KEY',
      address: 'TAVILY_BASE_URL',
    });
  if (web.searxng)
    providers.push({
      check: 'SearXNG',
      url: `${withoutSlash(web.searxng.baseUrl)}/config`,
      headers: {},
      key: 'SEARXNG_URL',
      address: 'SEARXNG_URL',
    });
  return Promise.all(providers.map(async (provider) => ({ check: provider.check, ...(await answers(provider)) })));
}

async function answers({ url, headers, key, address }: Provider): Promise<Outcome> {
  const at = shown(url);
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) });
    await response.body?.cancel();
    if (response.ok) return { ok: true, detail: `answers at ${at}` };
    const refused = response.status === 401 || response.status === 403;
    const remedy = refused ? `Set ${key} to a key that is accepted there.` : `Check ${address}, or try again later.`;
    return { ok: false, detail: `${at} answers ${response.status}`, remedy };
  } catch (error) {
    const why = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
    return { ok: false, detail: `${at}: ${why}`, remedy: `Check that it runs, the network and ${address}.` };
  }
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Without a password or a query that might be secret. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
