import type { IndexError } from '../adapters/index/port.ts';
import type { EvidenceError } from '../adapters/store/port.ts';
import { PlumblineError } from '../client/failures.ts';
import { PrincipalsFileError } from './principals-file.ts';

/** Every error of the API: status and title by code. The details say what to do about it. */
const table = {
  'Request.MalformedJson': { status: 400, title: 'The body is not valid JSON' },
  'Request.Invalid': { status: 400, title: 'The request cannot be read' },
  'Access.NoToken': { status: 401, title: 'A bearer token is needed' },
  'Access.UnknownToken': { status: 401, title: 'The bearer token is not known' },
  'Access.RoleNeeded': { status: 403, title: 'A role is needed' },
  'Review.NotAllowed': { status: 403, title: 'This review is not yours to decide' },
  'Route.NotFound': { status: 404, title: 'There is nothing at this address' },
  'Question.NotFound': { status: 404, title: 'No such question' },
  'Document.NotFound': { status: 404, title: 'No such document' },
  'Ingestion.NotFound': { status: 404, title: 'No such ingestion' },
  'Publication.NotFound': { status: 404, title: 'Nothing of this review is published' },
  'Route.MethodNotAllowed': { status: 405, title: 'This method is not allowed here' },
  'Question.Ended': { status: 409, title: 'The run has ended' },
  'Run.NotFailed': { status: 409, title: 'The run cannot be resumed as it is' },
  'Question.KeyReused': { status: 409, title: 'The idempotency key belongs to another request' },
  'Ingestion.KeyReused': { status: 409, title: 'The idempotency key belongs to another request' },
  'Review.NotOpen': { status: 409, title: 'The run does not wait for a person' },
  'Review.Decided': { status: 409, title: 'Somebody else was first' },
  'Review.Changed': { status: 409, title: 'The review has changed' },
  'Review.Claimed': { status: 409, title: 'Somebody else has claimed the review' },
  'Review.KeyReused': { status: 409, title: 'The idempotency key belongs to another decision' },
  'Review.NotPublishable': { status: 409, title: 'This review cannot be published' },
  'Document.Reserved': { status: 409, title: 'This document is changed through its review' },
  'Publication.UnderWay': { status: 409, title: 'The document is being published or withdrawn' },
  'Publication.EvidenceGone': { status: 409, title: 'The evidence is not kept any more' },
  'Review.Gone': { status: 410, title: 'The review is over' },
  'Request.NoLength': { status: 411, title: 'The size of the body is not told' },
  'Request.TooLarge': { status: 413, title: 'The body is too large' },
  'Request.WrongType': { status: 415, title: 'The body is of a type that is not taken here' },
  'Request.WrongFields': { status: 422, title: 'The request is not valid' },
  'Question.WrongCursor': { status: 422, title: 'The cursor is not one of this list' },
  'Run.UnknownStep': { status: 422, title: 'The run has no such step' },
  'Question.UnknownPolicy': { status: 422, title: 'No such policy' },
  'Question.IdleModel': { status: 422, title: 'The model would never be asked' },
  'Ingestion.TooManyFiles': { status: 422, title: 'Too many files at once' },
  'Review.Invalid': { status: 422, title: 'The decision is not valid' },
  'Review.NotGrounded': { status: 422, title: 'The answer does not stand in its source' },
  'Publication.GroupsNeeded': { status: 422, title: 'It must be said who may read the document' },
  'Publication.GroupsTooWide': { status: 422, title: 'People could read it who may not read its evidence' },
  'Publication.PastValidity': { status: 422, title: 'The document would be out of date at once' },
  'Replay.NotPossible': { status: 422, title: 'The run cannot be replayed' },
  Internal: { status: 500, title: 'Something went wrong here' },
  'Publication.Failed': { status: 500, title: 'The review was not published or withdrawn' },
  'Upload.NotAvailable': { status: 501, title: 'Documents cannot be sent to this copy' },
  'Replay.NotAvailable': { status: 501, title: 'Runs cannot be replayed by this copy' },
  'Replay.Busy': { status: 503, title: 'Too many replays are waiting' },
  'Index.Unavailable': { status: 503, title: 'The index cannot be reached' },
  'Index.Corrupt': { status: 503, title: 'The index is damaged' },
  'Evidence.Unavailable': { status: 503, title: 'The store of evidence cannot be reached' },
  'Evidence.Corrupt': { status: 503, title: 'The store of evidence is damaged' },
  'Audit.Unavailable': { status: 503, title: 'The audit trail cannot be used' },
  'Access.Unavailable': { status: 503, title: 'Tokens cannot be checked' },
  'Worker.Unavailable': { status: 503, title: 'No worker answers' },
  'Temporal.Unavailable': { status: 503, title: 'Temporal cannot be reached' },
  'Ready.NotReady': { status: 503, title: 'A part is not ready' },
  'Upload.NoSpace': { status: 507, title: 'There is no space for these documents' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ApiErrorCode = keyof typeof table;

/** A problem as RFC 9457 wants it; further members may be added. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ApiErrorCode;
  [member: string]: unknown;
}

export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly headers: Record<string, string>;
  /** Further members of the problem. */
  readonly members: Record<string, unknown>;

  constructor(
    code: ApiErrorCode,
    detail: string,
    options: { headers?: Record<string, string>; members?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.headers = options.headers ?? {};
    this.members = options.members ?? {};
  }
}

export function problemOf({ code, message, members }: ApiError): Problem {
  const { status, title } = table[code];
  const type = `urn:plumbline:problem:${code
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .replace('.', ':')
    .toLowerCase()}`;
  return { type, title, status, detail: message, code, ...members };
}

/** Whatever was thrown, as an error of the table. What is not known becomes `Internal`, without its message. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof PlumblineError) {
    const headers = error.retryAfterSeconds === null ? {} : { 'Retry-After': String(error.retryAfterSeconds) };
    return new ApiError(error.code, sentence(error), { headers, members: error.members, cause: error });
  }
  if (error instanceof PrincipalsFileError) {
    const detail = `The principals file is wrong, so nobody in it is let in: ${error.message}. Mend it and try again.`;
    return new ApiError('Access.Unavailable', detail, { headers: { 'Retry-After': '30' }, cause: error });
  }
  if (error instanceof URIError)
    return new ApiError('Request.Invalid', 'The address has a wrong % escape.', { cause: error });
  return (
    storeError(error) ??
    bodyError(error) ??
    new ApiError('Internal', 'This was not expected. The log has it under the request id.', { cause: error })
  );
}

function sentence({ code, message }: PlumblineError): string {
  const start = message.charAt(0).toUpperCase() + message.slice(1);
  return code === 'Temporal.Unavailable' || code === 'Worker.Unavailable'
    ? `${start}. Try again in a moment, with the same Idempotency-Key if you sent one.`
    : `${start}.`;
}

const stores = {
  IndexError: { away: 'Index.Unavailable', corrupt: 'Index.Corrupt' },
  EvidenceError: { away: 'Evidence.Unavailable', corrupt: 'Evidence.Corrupt' },
} as const;

/** An error of the index's or the evidence store's port, known by its name: the ports are imported for their types only. */
function storeError(error: unknown): ApiError | null {
  if (!(error instanceof Error) || !(error.name === 'IndexError' || error.name === 'EvidenceError')) return null;
  const { away, corrupt } = stores[error.name];
  const { code } = error as IndexError | EvidenceError;
  if (code === 'unavailable' || code === 'locked') {
    const headers = { 'Retry-After': '5' };
    return new ApiError(away, `${error.message}. Try again in a moment.`, { headers, cause: error });
  }
  if (code !== 'corrupt') return null;
  return new ApiError(corrupt, `${error.message}. Run "plumbline doctor".`, { cause: error });
}

/** The errors of express's body reader, known by their `type`. */
function bodyError(error: unknown): ApiError | null {
  if (!(error instanceof Error) || !('type' in error) || typeof error.type !== 'string') return null;
  const limit = 'limit' in error ? Number(error.limit) : 0;
  switch (error.type) {
    case 'entity.too.large':
      return new ApiError('Request.TooLarge', `Send at most ${limit} bytes.`, { members: { limit }, cause: error });
    case 'entity.parse.failed':
      return new ApiError('Request.MalformedJson', 'Send one JSON object.', { cause: error });
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new ApiError('Request.WrongType', 'Send JSON in UTF-8, plain or compressed with gzip, deflate or br.', {
        cause: error,
      });
    case 'request.aborted':
    case 'request.size.invalid':
      return new ApiError('Request.Invalid', 'The body did not arrive whole. Send it again.', { cause: error });
    default:
      return null;
  }
}
