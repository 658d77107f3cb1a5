import OpenAI from 'openai';
import type { OpenAiProvider } from './request.ts';

export interface OpenAiSettings {
  /** Null for a compatible server that asks for none. */
  apiKey: string | null;
  baseURL?: string | undefined;
  provider: OpenAiProvider;
}

const clients = new WeakMap<OpenAiSettings, OpenAI>();

/** One client for all choices of the same settings object. It never retries, and logs nothing: its log would hold prompts and answers. */
export function clientOf(settings: OpenAiSettings): OpenAI {
  const client = clients.get(settings) ?? createClient(settings);
  clients.set(settings, client);
  return client;
}

function createClient({ apiKey, baseURL = 'https://api.openai.com/v1', provider }: OpenAiSettings): OpenAI {
  return new OpenAI({
    apiKey: apiKey ?? 'none',
    baseURL,
    maxRetries: 0,
    // A redirect would take documents and key to another host, and make two calls of one.
    fetchOptions: { redirect: 'manual' },
    logLevel: 'off',
    adminAPIKey: null,
    // What the environment says of an OpenAI account is not another server's business.
    ...(provider === 'openai' ? {} : { organization: null, project: null }),
    ...(apiKey === null ? { defaultHeaders: { authorization: null } } : {}),
  });
}
