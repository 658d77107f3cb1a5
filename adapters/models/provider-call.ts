import type { TokenUsage } from '../../domain/contracts/models.ts';
import { ModelCallCancelled, ModelError, type ChatAnswer, type ChatRequest } from './port.ts';
import { toModelError, type Callee } from './provider-errors.ts';
import { bodyFault, type ProviderFault } from './provider-fault.ts';
import { concludeAnswer, type EndedAnswer } from './provider-finish.ts';

/** What an adapter is given beside its key and the choice. */
export interface ChatDependencies {
  countTokens: (text: string) => number;
  costOf: (usage: TokenUsage) => number | null;
  /** The longest that a call may take, in ms: below the longest activity's 60 s. */
  timeoutMs?: number | undefined;
  /** The longest silence after the first piece of a streamed answer, in ms. */
  idleTimeoutMs?: number | undefined;
}

export interface CallOptions {
  callee: Callee;
  request: ChatRequest;
  signal: AbortSignal;
  deps: ChatDependencies;
  /** The failures that the provider's SDK throws; null for any other error. */
  toFault: (error: unknown) => ProviderFault | null;
}

/** Tokens as a provider tells them. */
export type ToldUsage = Omit<TokenUsage, 'estimated'>;

const defaultTimeoutMs = 55_000;
const defaultIdleTimeoutMs = 30_000;

export function timeoutOf({ timeoutMs = defaultTimeoutMs }: ChatDependencies): number {
  return timeoutMs;
}

/** A call under way: what has come so far, and the signal that ends it when the caller cancels or a limit is reached. */
export class RunningCall {
  /** For the request. */
  readonly signal: AbortSignal;
  text = '';
  /** Why it was ended here; null while it was not. */
  expired: 'timeout' | 'silence' | null = null;
  private told: ToldUsage | null = null;
  private toldAll = false;
  private readonly options: CallOptions;
  private readonly stop = new AbortController();
  private readonly total: NodeJS.Timeout;
  private idle: NodeJS.Timeout | undefined;

  constructor(options: CallOptions) {
    this.options = options;
    this.signal = AbortSignal.any([options.signal, this.stop.signal]);
    this.total = setTimeout(() => this.expire('timeout'), timeoutOf(options.deps));
  }

  /** Takes a piece of a streamed answer. */
  piece(text: string): void {
    this.text += text;
    clearTimeout(this.idle);
    const { idleTimeoutMs = defaultIdleTimeoutMs } = this.options.deps;
    this.idle = setTimeout(() => this.expire('silence'), idleTimeoutMs);
  }

  /** Takes what the provider says of the call's tokens. `all`: of the whole answer, not only of its beginning. */
  tell(usage: ToldUsage | null, { all }: { all: boolean }): void {
    this.told = usage ?? this.told;
    this.toldAll ||= all && usage !== null;
  }

  /** The answer, when all of it has come. @throws ModelError where it is none */
  conclude(ended: Omit<EndedAnswer, 'text' | 'usage'>): ChatAnswer {
    // The SDKs end an aborted stream as if it were over.
    this.signal.throwIfAborted();
    return concludeAnswer({ ...ended, text: this.text, usage: this.usage() }, this.options.callee);
  }

  /** Tokens as the provider told them; what it has not told is counted here. */
  usage(): TokenUsage {
    if (this.told !== null && this.toldAll) return { ...this.told, estimated: false };
    const { request, deps } = this.options;
    const { system, user, schema } = request;
    const input = () =>
      deps.countTokens(system) + deps.countTokens(user) + deps.countTokens(JSON.stringify(schema.json));
    return {
      inputTokens: this.told?.inputTokens ?? input(),
      cachedInputTokens: this.told?.cachedInputTokens ?? 0,
      cacheWriteTokens: this.told?.cacheWriteTokens ?? 0,
      outputTokens: Math.max(this.told?.outputTokens ?? 0, deps.countTokens(this.text)),
      estimated: true,
    };
  }

  end(): void {
    clearTimeout(this.total);
    clearTimeout(this.idle);
  }

  private expire(why: 'timeout' | 'silence'): void {
    this.expired = why;
    this.stop.abort();
  }
}

/** Makes one call of a provider, within its limits, and gives its failures their types. @throws ModelError, ModelCallCancelled */
export async function callProvider(
  options: CallOptions,
  body: (call: RunningCall) => Promise<ChatAnswer>,
): Promise<ChatAnswer> {
  if (options.signal.aborted) throw new ModelCallCancelled(options.signal.reason, null);
  const call = new RunningCall(options);
  try {
    return await body(call);
  } catch (error) {
    throw failureOf(error, call, options);
  } finally {
    call.end();
  }
}

function failureOf(error: unknown, call: RunningCall, { callee, signal, toFault }: CallOptions): unknown {
  if (error instanceof ModelError) return error;
  if (signal.aborted && !isTimeout(signal.reason)) return new ModelCallCancelled(signal.reason, call.usage());
  if (signal.aborted || call.expired !== null) {
    return toModelError({ kind: 'timeout', silent: call.expired === 'silence' }, callee, call.usage());
  }
  const fault = toFault(error) ?? bodyFault(error);
  if (fault === null) return error;
  if (fault.kind === 'foreign' && call.text !== '') return toModelError({ kind: 'broken' }, callee, call.usage());
  return toModelError(fault, callee, costs(fault) ? call.usage() : null);
}

/** A call that was answered with an error status, or never reached the provider, is not charged. */
function costs(fault: ProviderFault): boolean {
  return fault.kind === 'answer' ? fault.status === null : fault.kind === 'broken' || fault.kind === 'timeout';
}

function isTimeout(reason: unknown): boolean {
  return typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError';
}
