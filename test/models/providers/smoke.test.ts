import { expect, test } from '@jest/globals';
import { createAnthropicChat } from '../../../adapters/models/anthropic/index.ts';
import { createOpenAiChat } from '../../../adapters/models/openai/index.ts';
import type { ChatModel } from '../../../adapters/models/port.ts';
import type { ModelChoice, Provider } from '../../../domain/contracts/models.ts';
import { countWords, ways } from './chats.ts';

/**
 * Against the real providers, and so only where somebody has set a key and PLUMBLINE_SMOKE=1, which says that a few calls may be paid:
 * `PLUMBLINE_SMOKE=1 ANTHROPIC_API_KEY=… node scripts/test.ts test/models/providers/smoke`. The model of each can be set, too.
 */
const { env } = process;
const deps = { countTokens: countWords, costOf: () => null };
const chosen = (provider: Provider, model: string): ModelChoice => ({
  provider,
  model,
  maxOutputTokens: 2000,
  temperature: null,
  effort: null,
});

const candidates: [provider: string, needs: string, open: (() => ChatModel) | null][] = [
  [
    'anthropic',
    'ANTHROPIC_API_KEY',
    when(env['ANTHROPIC_API_KEY'], (apiKey) =>
      createAnthropicChat(
        { apiKey },
        chosen('anthropic', env['PLUMBLINE_SMOKE_ANTHROPIC'] ?? 'claude-haiku-5-5'),
        deps,
      ),
    ),
  ],
  [
    'openai',
    'OPENAI_API_KEY',
    when(env['OPENAI_API_KEY'], (apiKey) =>
      createOpenAiChat(
        { apiKey, provider: 'openai' },
        chosen('openai', env['PLUMBLINE_SMOKE_OPENAI'] ?? 'gpt-6-luna'),
        deps,
      ),
    ),
  ],
  [
    'openai-compatible',
    'OPENAI_COMPATIBLE_BASE_URL and PLUMBLINE_SMOKE_COMPATIBLE (a model)',
    when(env['OPENAI_COMPATIBLE_BASE_URL'], (baseURL) =>
      createOpenAiChat(
        { apiKey: env['OPENAI_COMPATIBLE_API_KEY'] ?? null, baseURL, provider: 'openai-compatible' },
        chosen('openai-compatible', env['PLUMBLINE_SMOKE_COMPATIBLE'] ?? 'llama3.2'),
        deps,
      ),
    ),
  ],
];

function when(setting: string | undefined, open: (setting: string) => ChatModel): (() => ChatModel) | null {
  return env['PLUMBLINE_SMOKE'] === '1' && setting ? () => open(setting) : null;
}

for (const [provider, needs, open] of candidates) {
  if (open === null) {
    process.stderr.write(`The smoke test of ${provider} is skipped: set PLUMBLINE_SMOKE=1 and ${needs}.\n`);
    test.skip(`${provider}: PLUMBLINE_SMOKE=1 and ${needs} are not set`, () => {});
    continue;
  }
  test.each(ways)(`${provider} answers by the schema, and tells its tokens (%s)`, async (way) => {
    const chat = open();
    const request = {
      system: 'You answer with the capital of the country that you are asked about.',
      user: 'Norway',
      schema: {
        name: 'capital',
        json: {
          type: 'object',
          properties: { capital: { type: 'string', maxLength: 60 } },
          required: ['capital'],
          additionalProperties: false,
        },
      },
      maxOutputTokens: 2000,
    };
    const { signal } = new AbortController();
    const pieces: string[] = [];
    const answer = await (way === 'complete'
      ? chat.complete(request, signal)
      : chat.stream(request, { onText: (piece) => pieces.push(piece), signal }));
    expect(answer.finish).toBe('stop');
    expect(JSON.parse(answer.text)).toEqual({ capital: 'Oslo' });
    expect(answer.usage.estimated).toBe(false);
    expect(answer.usage.inputTokens).toBeGreaterThan(0);
    if (way === 'stream') expect(pieces.join('')).toBe(answer.text);
  });
}
