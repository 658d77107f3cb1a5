import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { z } from 'zod';
import { IndexError } from '../adapters/index/port.ts';
import { ModelError } from '../adapters/models/port.ts';
import { ParseError } from '../adapters/parsers/port.ts';

const indexTypes: Record<IndexError['code'], string> = {
  unavailable: 'Index.Unavailable',
  locked: 'Index.Locked',
  corrupt: 'Index.Corrupt',
  mapping: 'Index.Mapping',
  too_large: 'Index.TooLarge',
  rejected: 'Index.Rejected',
};

const modelTypes: Record<ModelError['code'], string> = {
  unavailable: 'Model.Unavailable',
  not_installed: 'Model.NotInstalled',
  bad_model: 'Model.Bad',
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
  if (error instanceof IndexError) return typed(indexTypes[error.code], error, error.retryable);
  if (error instanceof ModelError) return typed(modelTypes[error.code], error, error.retryable);
  if (error instanceof ParseError) return typed(error.code, error, error.code === 'Document.ParserCrashed');
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

function typed(type: string, error: Error, retryable: boolean): ApplicationFailure {
  return ApplicationFailure.create({ type, message: error.message, nonRetryable: !retryable });
}

/** Runs an activity's body under the mapper. */
export async function failing<T>(signal: AbortSignal | undefined, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw toFailure(error, signal);
  }
}
