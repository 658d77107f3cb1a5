import { afterAll, describe, expect, test } from '@jest/globals';
import { startProviderServer, type ProviderServer } from '../support/provider-server/start-provider-server.ts';
import { scriptedReader } from '../support/scripted-reader.ts';
import { areAnswered } from './are-answered.ts';

const providers = [
  { policy: 'openai', protocol: 'openai', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
  { policy: 'anthropic', protocol: 'anthropic', key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL' },
] as const;

describe.each(providers)('by models of $policy', ({ policy, protocol, key, address }) => {
  let server: ProviderServer | undefined;
  areAnswered(async () => {
    server = await startProviderServer({ respond: scriptedReader });
    const url = protocol === 'openai' ? server.openaiUrl : server.anthropicUrl;
    return { ELASTICSEARCH_URL: '', PLUMBLINE_POLICY: policy, [key]: 'scripted', [address]: url };
  });
  test('which were asked for judgement, searches, answers and checks', () => {
    const asked = new Set(server?.journal.map(({ request }) => request.schemaName));
    expect([...asked]).toEqual(expect.arrayContaining(['grade', 'rewrite', 'answer']));
    expect(server?.journal.every(({ request }) => request.protocol === protocol)).toBe(true);
  });
  afterAll(() => server?.close());
});
