import {
  ServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  isGrpcDeadlineError,
  isGrpcServiceError,
} from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import type { ReviewRefusalCode } from '../domain/review/refusals.ts';

export type PlumblineErrorCode =
  | 'Temporal.Unavailable'
  | 'Worker.Unavailable'
  | 'Question.NotFound'
  | 'Question.Ended'
  | 'Question.KeyReused'
  | 'Question.UnknownPolicy'
  | 'Question.IdleModel'
  | 'Access.RoleNeeded'
  | 'Question.WrongCursor'
  | 'Run.NotFailed'
  | 'Run.UnknownStep'
  | 'Ingestion.NotFound'
  | 'Ingestion.KeyReused'
  | 'Ingestion.TooManyFiles'
  | ReviewRefusalCode
  | 'Review.NotGrounded'
  | 'Review.NotPublishable'
  | 'Publication.NotFound'
  | 'Publication.UnderWay'
  | 'Publication.EvidenceGone'
  | 'Publication.GroupsNeeded'
  | 'Publication.GroupsTooWide'
  | 'Publication.PastValidity'
  | 'Publication.Failed'
  | 'Audit.Unavailable';

/** What the client could not do. `retryAfterSeconds` is set when the same call may succeed later; `members` tell more about it. */
export class PlumblineError extends Error {
  readonly code: PlumblineErrorCode;
  readonly retryAfterSeconds: number | null;
  readonly members: Record<string, unknown>;

  constructor(
    code: PlumblineErrorCode,
    message: string,
    options: { retryAfterSeconds?: number; members?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PlumblineError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.members = options.members ?? {};
  }
}

/** The only place where an error of Temporal's connection becomes one of ours; other errors come back as they are. */
export function fromTemporal(error: unknown): unknown {
  if (error instanceof NamespaceNotFoundError)
    return unavailable(`Temporal does not know the namespace ${error.namespace}`, error);
  // The SDK's word for an update's call that was too slow.
  if (isGrpcDeadlineError(error) || error instanceof WorkflowUpdateRPCTimeoutOrCancelledError)
    return unavailable('Temporal did not answer in time', error);
  if (error instanceof ServiceError || isGrpcServiceError(error))
    return unavailable('Temporal cannot be reached', error);
  return error;
}

function unavailable(message: string, cause: unknown): PlumblineError {
  return new PlumblineError('Temporal.Unavailable', message, { retryAfterSeconds: 5, cause });
}
