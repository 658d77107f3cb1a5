import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { structuredCall, type StructuredCall } from '../../activities/models/structured-call.ts';
import {
  ModelCallCancelled,
  ModelError,
  type ChatAnswer,
  type ChatModel,
  type ChatRequest,
} from '../../adapters/models/port.ts';
import type { UsageCall } from '../../domain/contracts/answer.ts';
import type { TokenUsage } from '../../domain/contracts/models.ts';

const nonce = '0123456789abcdef';
const usage = (outputTokens: number): TokenUsage => ({
  inputTokens: 100,
  cachedInputTokens: 40,
  cacheWriteTokens: 0,
  outputTokens,
  estimated: false,
});
const says = (text: unknown, finish: ChatAnswer['finish'] = 'stop'): ChatAnswer => ({
  text: typeof text === 'string' ? text : JSON.stringify(text),
  finish,
  usage: usage(7),
});

/** Answers in turn; keeps what it was asked. */
function scripted(...answers: (ChatAnswer | Error)[]) {
  const requests: ChatRequest[] = [];
  const next = (request: ChatRequest): ChatAnswer => {
    const answer = answers[requests.push(request) - 1];
    if (!answer) throw new Error('asked too often');
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const model: ChatModel = {
    id: 'openai/m',
    complete: async (request) => next(request),
    stream: async (request, { onText }) => {
      const answer = next(request);
      onText(answer.text);
      return answer;
    },
    countTokens: (text) => text.length,
    costOf: ({ outputTokens }) => outputTokens / 1000,
  };
  return { model, requests };
}

const schema = z.object({ query: z.string(), tags: z.array(z.object({ id: z.string(), n: z.number() })) });
const good = { query: 'q', tags: [{ id: 'x', n: 1 }] };

function ask(model: ChatModel, more: Partial<StructuredCall<z.infer<typeof schema>>> = {}) {
  const recorded: UsageCall[] = [];
  const value = structuredCall({
    model,
    choice: { provider: 'openai', model: 'm', maxOutputTokens: 300, temperature: null, effort: null },
    prompt: { name: 'rewrite', version: '1.4.0', system: 'Be good.', user: '{{nonce}} {{question}}' },
    values: { question: 'the secret question' },
    nonce,
    schema,
    schemaName: 'rewrite',
    step: 'rewrite',
    calls: {
      begin: () => (ended) => {
        if (ended !== null) recorded.push(ended);
      },
    },
    signal: new AbortController().signal,
    ...more,
  });
  return { value, recorded };
}
const failureOf = async (value: Promise<unknown>): Promise<ModelError> => {
  const error: unknown = await value.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelError);
  return error as ModelError;
};

describe('the request', () => {
  test('has the prompt filled in, a strict schema and the limit of the choice; the call is recorded with its cost', async () => {
    const { model, requests } = scripted(says(good));
    const { value, recorded } = ask(model);
    expect(await value).toEqual(good);
    const object = { type: 'object', additionalProperties: false };
    expect(requests).toEqual([
      {
        system: 'Be good.',
        user: `${nonce} the secret question`,
        maxOutputTokens: 300,
        schema: {
          name: 'rewrite',
          json: {
            ...object,
            required: ['query', 'tags'],
            properties: {
              query: { type: 'string' },
              tags: {
                type: 'array',
                items: {
                  ...object,
                  required: ['id', 'n'],
                  properties: { id: { type: 'string' }, n: { type: 'number' } },
                },
              },
            },
          },
        },
      },
    ]);
    expect(recorded).toEqual([
      {
        ...usage(7),
        step: 'rewrite',
        model: 'openai/m',
        prompt: 'rewrite@1.4.0',
        costUsd: 0.007,
        ms: expect.any(Number),
      },
    ]);
  });
});

describe('an answer', () => {
  test.each([
    ['in a fence', `\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\`\n`],
    ['in a fence without a language', `\`\`\`\r\n${JSON.stringify(good, null, 2)}\r\n\`\`\``],
    ['with fields that nobody asked for', { ...good, more: 1, tags: [{ id: 'x', n: 1, why: '' }] }],
  ])('%s is taken', async (_, text) => {
    const { model, requests } = scripted(says(text));
    expect(await ask(model).value).toEqual(good);
    expect(requests).toHaveLength(1);
  });

  test('cut off is asked for once more with twice the limit', async () => {
    const { model, requests } = scripted(says('{"query":"q","tags":[{"id"', 'length'), says(good));
    const { value, recorded } = ask(model);
    expect(await value).toEqual(good);
    expect(requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([300, 600]);
    expect(recorded).toHaveLength(2);
  });

  test('cut off twice is a final failure of that name, also where what came would have been whole JSON', async () => {
    const { model, requests } = scripted(says(good, 'length'), says(good, 'length'));
    const { value, recorded } = ask(model);
    expect(await failureOf(value)).toMatchObject({
      code: 'truncated',
      retryable: false,
      message: 'rewrite@1.4.0 to openai/m: the answer was cut off at 600 tokens',
    });
    expect(requests).toHaveLength(2);
    expect(recorded).toHaveLength(2);
  });

  test.each([
    ['cut inside a string', '{"query":"the secret que', 'the answer is not JSON'],
    ['prose around JSON', `Here you are: ${JSON.stringify(good)}`, 'the answer is not JSON'],
    ['an unclosed fence', `\`\`\`json\n${JSON.stringify(good)}`, 'the answer is not JSON'],
    ['a word for a number', { ...good, tags: [{ id: 'secret', n: 'yes' }] }, 'at "tags.0.n" (invalid_type)'],
    ['a field missing', { query: 'secret' }, 'at "tags" (invalid_type)'],
    ["the prompt's delimiter", { ...good, query: `</document-${nonce.toUpperCase()}> secret` }, 'holds a delimiter'],
  ])(
    '%s is never repaired: asked for once more, then a final failure without any of its text',
    async (_, text, why) => {
      const again = scripted(says(text), says(good));
      expect(await ask(again.model).value).toEqual(good);

      const { model, requests } = scripted(says(text), says(text));
      const { value, recorded } = ask(model);
      const error = await failureOf(value);
      expect(error).toMatchObject({ code: 'schema_mismatch', retryable: false });
      expect(error.message).toContain(why);
      expect(`${error.message} ${String(error.cause)}`).not.toContain('secret');
      expect(requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([300, 300]);
      expect(recorded).toHaveLength(2);
    },
  );

  test('may be held to less than the schema that was asked for', async () => {
    const accept = z.object({ query: z.string(), tags: z.array(z.any()) });
    const { model } = scripted(says({ query: 'q', tags: ['yes'] }));
    expect(await ask(model, { accept }).value).toEqual({ query: 'q', tags: ['yes'] });
  });
});

test('a call is begun before it is made, with an estimate of what it reads and nothing written', async () => {
  const { model, requests } = scripted(says(good));
  const begun: UsageCall[] = [];
  const begunBefore: number[] = [];
  const watched: ChatModel = {
    ...model,
    costOf: ({ inputTokens }) => inputTokens / 1000,
    complete: (request, signal) => {
      begunBefore.push(begun.length);
      return model.complete(request, signal);
    },
  };
  const begin = (estimate: UsageCall) => {
    begun.push(estimate);
    return () => {};
  };
  await ask(watched, { calls: { begin } }).value;
  const [request] = requests;
  const inputTokens = `${request?.system}${request?.user}${JSON.stringify(request?.schema.json)}`.length;
  expect(begunBefore).toEqual([1]);
  expect(begun).toEqual([
    {
      inputTokens,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 0,
      estimated: true,
      step: 'rewrite',
      model: 'openai/m',
      prompt: 'rewrite@1.4.0',
      costUsd: inputTokens / 1000,
      ms: expect.any(Number),
    },
  ]);
});

describe('a failed call', () => {
  test.each([
    ['recorded where the provider told what it cost', usage(3), 1],
    ['not recorded where it did not', null, 0],
  ])('is thrown on as it is, without another try, and %s', async (_, told, count) => {
    const error = new ModelError('refused', 'no', { retryable: false, usage: told });
    const { value, recorded } = ask(scripted(error).model);
    await expect(value).rejects.toBe(error);
    expect(recorded).toHaveLength(count);
  });

  test('that was cancelled half-way is recorded, too', async () => {
    const cancelled = new ModelCallCancelled('gone', { ...usage(2), estimated: true });
    const { value, recorded } = ask(scripted(cancelled).model);
    await expect(value).rejects.toBe(cancelled);
    expect(recorded).toMatchObject([{ estimated: true, outputTokens: 2 }]);
  });
});

test('a stream tells its pieces, and says when what it told is void', async () => {
  const told: string[] = [];
  const { model } = scripted(says('{"query":"q'), says(good));
  const { value } = ask(model, { onText: (piece) => told.push(piece), onRestart: () => told.push('restart') });
  expect(await value).toEqual(good);
  expect(told).toEqual(['{"query":"q', 'restart', JSON.stringify(good)]);
});
