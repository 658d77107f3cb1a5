import type { ModelAnswer, ScriptedUsage } from './answers.ts';
import { piecesOf, textOf } from './answers.ts';
import type { ProviderRequest } from './request.ts';

/** A model's answer in one protocol: as one body, or as the frames of a stream. */
export interface Wire {
  body: unknown;
  /** Before the first piece, at once. */
  head: string[];
  pieces: string[];
  /** After the last piece: usage and end mark. */
  tail: string[];
  /** One server-sent event that tells an error. */
  errorEvent: (event: unknown) => string;
}

export function wireOf(request: ProviderRequest, answer: ModelAnswer): Wire {
  return request.protocol === 'anthropic' ? anthropicWire(request, answer) : openAiWire(request, answer);
}

function usageOf(request: ProviderRequest, answer: ModelAnswer): Required<ScriptedUsage> {
  const counted = {
    input: Math.ceil((request.system.length + request.user.length) / 4),
    output: Math.ceil(textOf(answer.says).length / 4),
  };
  return { cached: 0, cacheWrite: 0, ...counted, ...answer.usage };
}

function openAiWire(request: ProviderRequest, answer: ModelAnswer): Wire {
  const { refusal = null, finish = 'stop' } = answer;
  const tokens = usageOf(request, answer);
  const usage = {
    prompt_tokens: tokens.input,
    completion_tokens: tokens.output,
    total_tokens: tokens.input + tokens.output,
    prompt_tokens_details: { cached_tokens: tokens.cached, cache_write_tokens: tokens.cacheWrite, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
  const base = { id: `chatcmpl-${request.call}`, created: Math.floor(Date.now() / 1000), model: request.model };
  const frame = (data: object) =>
    `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', system_fingerprint: 'fp_scripted', ...data })}\n\n`;
  const delta = (content: object, finish_reason: string | null = null) =>
    frame({ choices: [{ index: 0, delta: content, logprobs: null, finish_reason }], usage: null });
  const said = refusal ?? textOf(answer.says);
  const told = (request.body['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage === true;
  return {
    body: {
      ...base,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: refusal === null ? said : null, refusal, annotations: [] },
          logprobs: null,
          finish_reason: finish,
        },
      ],
      ...(answer.usage === null ? {} : { usage }),
      service_tier: 'default',
    },
    head: [delta({ role: 'assistant', content: '', refusal: null })],
    pieces: piecesOf(said, answer.pieces).map((piece) =>
      delta(refusal === null ? { content: piece } : { refusal: piece }),
    ),
    tail: [
      ...(finish === null ? [] : [delta({}, finish)]),
      ...(told && answer.usage !== null ? [frame({ choices: [], usage })] : []),
      'data: [DONE]\n\n',
    ],
    errorEvent: (event) => `data: ${JSON.stringify(event)}\n\n`,
  };
}

function anthropicWire(request: ProviderRequest, answer: ModelAnswer): Wire {
  const { finish = 'end_turn' } = answer;
  const tokens = usageOf(request, answer);
  const usage = {
    input_tokens: tokens.input - tokens.cached - tokens.cacheWrite,
    cache_creation_input_tokens: tokens.cacheWrite,
    cache_read_input_tokens: tokens.cached,
    output_tokens: tokens.output,
    service_tier: 'standard',
  };
  const said = textOf(answer.says);
  const message = { id: `msg_${request.call}`, type: 'message', role: 'assistant', model: request.model };
  const stop_details = finish === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null;
  const told = answer.usage !== null;
  const frame = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  return {
    body: {
      ...message,
      content: said === '' ? [] : [{ type: 'text', text: said, citations: null }],
      stop_reason: finish,
      stop_sequence: null,
      stop_details,
      ...(told ? { usage } : {}),
    },
    head: [
      frame('message_start', {
        message: {
          ...message,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          ...(told ? { usage: { ...usage, output_tokens: 1 } } : {}),
        },
      }),
      frame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      frame('ping', {}),
    ],
    pieces: piecesOf(said, answer.pieces).map((piece) =>
      frame('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } }),
    ),
    tail: [
      frame('content_block_stop', { index: 0 }),
      frame('message_delta', {
        delta: { stop_reason: finish, stop_sequence: null, stop_details },
        ...(told ? { usage } : {}),
      }),
      frame('message_stop', {}),
    ],
    errorEvent: (event) => `event: error\ndata: ${JSON.stringify(event)}\n\n`,
  };
}
