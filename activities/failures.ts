import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { z } from 'zod';
import { IndexError } from '../adapters/index/port.ts';
import { ModelError, type ModelErrorCode } from '../adapters/models/port.ts';
import { NotifyError, type NotifyErrorCode } from '../adapters/notify/port.ts';
import { ParseError } from '../adapters/parsers/port.ts';
import { EvidenceError, TenantRulesError } from '../adapters/store/port.ts';
import { PageError, WebSearchError, type PageErrorCode, type WebSearchErrorCode } from '../adapters/web/port.ts';

const indexTypes: Record<IndexError['code'], string> = {
  unavailable: 'Index.Unavailable',
  locked: 'Index.Locked',
  corrupt: 'Index.Corrupt',
  mapping: 'Index.Mapping',
  too_large: 'Index.TooLarge',
  rejected: 'Index.Rejected',
};

const modelTypes: Record<ModelErrorCode, string> = {
  not_configured: 'Model.NotConfigured',
  not_installed: 'Model.NotInstalled',
  bad_model: 'Model.Bad',
  unavailable: 'Model.Unavailable',
  unauthorized: 'Model.Unauthorized',
  forbidden: 'Model.Forbidden',
  insufficient_quota: 'Model.InsufficientQuota',
  not_found: 'Model.NotFound',
  invalid_request: 'Model.InvalidRequest',
  context_too_long: 'Model.ContextTooLong',
  too_large: 'Model.TooLarge',
  conflict: 'Model.Conflict',
  rate_limited: 'Model.RateLimited',
  overloaded: 'Model.Overloaded',
  server_error: 'Model.ServerError',
  timeout: 'Model.Timeout',
  stream_broken: 'Model.StreamBroken',
  empty: 'Model.Empty',
  content_filtered: 'Model.ContentFiltered',
  refused: 'Model.Refused',
  truncated: 'Model.Truncated',
  schema_mismatch: 'Model.SchemaMismatch',
};

const webTypes: Record<WebSearchErrorCode, string> = {
  query_too_long: 'Web.QueryTooLong',
  invalid_request: 'Web.InvalidRequest',
  unauthorized: 'Web.Unauthorized',
  rate_limited: 'Web.RateLimited',
  plan_exhausted: 'Web.QuotaExhausted',
  unavailable: 'Web.Unavailable',
  timeout: 'Web.Timeout',
  bad_response: 'Web.BadResponse',
};

const notifyTypes: Record<NotifyErrorCode, string> = {
  unavailable: 'Notify.Unavailable',
  refused: 'Notify.Refused',
};

const pageTypes: Record<PageErrorCode, string> = {
  blocked_url: 'Page.BlockedUrl',
  blocked_address: 'Page.BlockedAddress',
  blocked_by_robots: 'Page.BlockedByRobots',
  too_many_redirects: 'Page.TooManyRedirects',
  too_large: 'Page.TooLarge',
  unsupported_type: 'Page.UnsupportedType',
  not_found: 'Page.NotFound',
  refused: 'Page.Refused',
  rate_limited: 'Page.RateLimited',
  unavailable: 'Page.Unavailable',
  timeout: 'Page.Timeout',
  bad_response: 'Page.BadResponse',
  unreadable: 'Page.Unreadable',
};

const evidenceTypes: Record<EvidenceError['code'], string> = {
  unavailable: 'EvidenceStore.Unavailable',
  locked: 'EvidenceStore.Locked',
  corrupt: 'EvidenceStore.Corrupt',
  too_large: 'EvidenceStore.TooLarge',
  rejected: 'EvidenceStore.Rejected',
};

/**
 * The one place where an error of the outside world becomes a failure that Temporal records. In this order: a cancelled activity stays
 * cancelled (an SDK's abort error would be recorded as a failure); our typed errors keep their type and say themselves whether to retry;
 * anything else is a defect of ours and is retried within the step's bounds, since it may come from a passing state.
 */
function toFailure(error: unknown, signal?: AbortSignal): Error {
  if (signal?.aborted)
    return signal.reason instanceof Error ? signal.reason : new CancelledFailure('the activity was cancelled');
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof IndexError) return typed(indexTypes[error.code], error);
  if (error instanceof ModelError) return typed(modelTypes[error.code], error);
  if (error instanceof WebSearchError) return typed(webFailureType(error), error);
  if (error instanceof PageError) return typed(pageTypes[error.code], error);
  if (error instanceof EvidenceError) return typed(evidenceTypes[error.code], error);
  if (error instanceof NotifyError) return typed(notifyTypes[error.code], error);
  if (error instanceof TenantRulesError)
    return typed('Tenant.RulesUnreadable', { message: error.message, retryable: true });
  if (error instanceof ParseError)
    return typed(error.code, { message: error.message, retryable: error.code === 'Document.ParserCrashed' });
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return typed('Step.TimedOut', { message: 'the step was not done in its time', retryable: true });
  if (error instanceof z.ZodError) {
    const issue = error.issues[0];
    return ApplicationFailure.create({
      type: 'Input.Invalid',
      message: issue ? `${issue.path.join('.')}: ${issue.message}` : 'invalid input',
      nonRetryable: true,
    });
  }
  return ApplicationFailure.create({
    type: 'Internal',
    message: error instanceof Error ? `${error.name}: ${error.message}` : 'an unknown error was thrown',
    nonRetryable: false,
    ...(error instanceof Error ? { cause: error } : {}),
  });
}

/** The dotted type under which a search's failure is recorded. */
export function webFailureType({ code }: WebSearchError): string {
  return webTypes[code];
}

/** What our typed errors say of themselves. */
interface TypedError {
  message: string;
  retryable: boolean;
  retryAfterMs?: number | null;
}

function typed(type: string, { message, retryable, retryAfterMs }: TypedError): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: !retryable,
    ...(retryAfterMs == null ? {} : { nextRetryDelay: retryAfterMs }),
  });
}

/** Runs an activity's body under the mapper. `details` are put into a failure or cancellation, for the workflow. */
export async function failing<T>(
  signal: AbortSignal | undefined,
  body: () => Promise<T>,
  details?: () => object,
): Promise<T> {
  try {
    return await body();
  } catch (error) {
    const failure = toFailure(error, signal);
    throw details ? withDetails(failure, details()) : failure;
  }
}

function withDetails(failure: Error, details: object): Error {
  if (failure instanceof CancelledFailure) return new CancelledFailure(failure.message, [details], failure.cause);
  if (!(failure instanceof ApplicationFailure)) return failure;
  return ApplicationFailure.create({
    message: failure.message,
    type: failure.type ?? 'Internal',
    nonRetryable: failure.nonRetryable ?? false,
    ...(failure.nextRetryDelay ? { nextRetryDelay: failure.nextRetryDelay } : {}),
    ...(failure.cause ? { cause: failure.cause } : {}),
    details: [details],
  });
}
