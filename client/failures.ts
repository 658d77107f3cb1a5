import { ServiceError, isGrpcDeadlineError, isGrpcServiceError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';

export type PlumblineErrorCode =
  | 'Temporal.Unavailable'
  | 'Question.NotFound'
  | 'Question.Ended'
  | 'Question.KeyReused'
  | 'Question.UnknownPolicy'
  | 'Ingestion.NotFound'
  | 'Ingestion.KeyReused'
  | 'Ingestion.TooManyFiles';

/** What the client could not do. `retryAfterSeconds` is set when the same call may succeed later. */
export class PlumblineError extends Error {
  readonly code: PlumblineErrorCode;
  readonly retryAfterSeconds: number | null;

  constructor(
    code: PlumblineErrorCode,
    message: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PlumblineError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** The only place where an error of Temporal's connection becomes one of ours; other errors come back as they are. */
export function fromTemporal(error: unknown): unknown {
  if (error instanceof NamespaceNotFoundError)
    return unavailable(`Temporal does not know the namespace ${error.namespace}`, error);
  if (isGrpcDeadlineError(error)) return unavailable('Temporal did not answer in time', error);
  if (error instanceof ServiceError || isGrpcServiceError(error))
    return unavailable('Temporal cannot be reached', error);
  return error;
}

function unavailable(message: string, cause: unknown): PlumblineError {
  return new PlumblineError('Temporal.Unavailable', message, { retryAfterSeconds: 5, cause });
}
