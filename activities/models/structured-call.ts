import { z } from 'zod';
import {
  ModelCallCancelled,
  ModelError,
  type ChatAnswer,
  type ChatModel,
  type ChatRequest,
} from '../../adapters/models/port.ts';
import type { UsageCall } from '../../domain/contracts/answer.ts';
import type { ModelChoice, Prompt, TokenUsage } from '../../domain/contracts/models.ts';
import { promptId } from '../../domain/prompting/prompts.ts';
import { renderUser } from '../../domain/prompting/render.ts';
import type { CallLog } from '../call-log.ts';
import { parseAnswer } from './parse-answer.ts';

export interface StructuredCall<T> {
  model: ChatModel;
  choice: ModelChoice;
  prompt: Prompt;
  /** Values of the prompt's placeholders, all but `nonce`. */
  values: Readonly<Record<string, string>>;
  /** Of the delimiters in `values`. */
  nonce: string;
  /** What the provider is asked to keep to: made of `z.object` with required fields, so that it is strict on request and drops unknown fields of the answer. */
  schema: z.ZodType<T>;
  /** What the answer must be where that is less: single entries may be wrong without the whole being so. */
  accept?: z.ZodType<T>;
  schemaName: string;
  step: string;
  calls: Pick<CallLog, 'begin'>;
  signal: AbortSignal;
  /** Streams: told every piece of text as it comes. */
  onText?: (piece: string) => void;
  /** All that `onText` was told is void: the call is made again. */
  onRestart?: () => void;
}

/** Most tokens that a call is ever allowed to write. */
const highestLimit = 128_000;

/**
 * One question to a model with an answer of a schema. An answer cut off at the token limit is asked for once more with twice the limit, one that is
 * not of the schema once more as it was; never is it repaired. Every call is recorded from its begin, those that failed with known usage, too.
 * @throws ModelError `truncated` or `schema_mismatch`, both final, when the second answer is no better; all that the model throws
 */
export async function structuredCall<T>(call: StructuredCall<T>): Promise<T> {
  const first = await attempt(call, call.choice.maxOutputTokens);
  if (!(first instanceof ModelError)) return first.value;
  call.onRestart?.();
  const { maxOutputTokens } = call.choice;
  const limit = first.code === 'truncated' ? Math.min(2 * maxOutputTokens, highestLimit) : maxOutputTokens;
  const second = await attempt(call, limit);
  if (second instanceof ModelError) throw second;
  return second.value;
}

/** The value, or why the answer cannot be used. */
async function attempt<T>(call: StructuredCall<T>, maxOutputTokens: number): Promise<{ value: T } | ModelError> {
  const { prompt, model, nonce } = call;
  const about = `${promptId(prompt)} to ${model.id}`;
  const answer = await recorded(call, maxOutputTokens);
  if (answer.finish === 'length') {
    const message = `${about}: the answer was cut off at ${maxOutputTokens} tokens`;
    return new ModelError('truncated', message, { retryable: false });
  }
  const parsed = parseAnswer(answer.text, call.accept ?? call.schema, nonce);
  if ('value' in parsed) return parsed;
  return new ModelError('schema_mismatch', `${about}: ${parsed.fault}`, { retryable: false });
}

async function recorded<T>(call: StructuredCall<T>, maxOutputTokens: number): Promise<ChatAnswer> {
  const { model, signal, onText, nonce } = call;
  const request = {
    system: call.prompt.system,
    user: renderUser(call.prompt, { ...call.values, nonce }),
    schema: { name: call.schemaName, json: requestSchema(call.schema) },
    maxOutputTokens,
  };
  const started = performance.now();
  const ended = call.calls.begin(entry(call, estimated(model, request), started));
  try {
    const answer = await (onText ? model.stream(request, { onText, signal }) : model.complete(request, signal));
    ended(entry(call, answer.usage, started));
    return answer;
  } catch (error) {
    const told = error instanceof ModelError || error instanceof ModelCallCancelled ? error.usage : null;
    ended(told && entry(call, told, started));
    throw error;
  }
}

function entry<T>({ step, model, prompt }: StructuredCall<T>, usage: TokenUsage, started: number): UsageCall {
  return {
    ...usage,
    step,
    model: model.id,
    prompt: promptId(prompt),
    costUsd: model.costOf(usage),
    ms: Math.round(performance.now() - started),
  };
}

/** What a call costs of which no more is known than that it was made. */
function estimated(model: ChatModel, { system, user, schema }: ChatRequest): TokenUsage {
  const parts = [system, user, JSON.stringify(schema.json)];
  const inputTokens = parts.reduce((sum, part) => sum + model.countTokens(part), 0);
  return { inputTokens, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, estimated: true };
}

/** Strict as providers want it: every property required, no additional ones. */
function requestSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema);
  return json;
}
