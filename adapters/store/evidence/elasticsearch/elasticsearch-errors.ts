import { errors } from '@elastic/elasticsearch';
import { EvidenceError } from '../../port.ts';

/** Statuses that pass by themselves: too many requests, a node or shard that is away, somebody else who was first. */
const passing = new Set([408, 409, 429, 500, 502, 503, 504]);

/** The one place where a failure of the client or the server becomes an `EvidenceError`. Its reasons may repeat texts: only status and type go on. */
export function toEvidenceError(error: unknown): unknown {
  if (error instanceof errors.ResponseError) return statusError(error.statusCode ?? 0, typeOf(error));
  if (error instanceof errors.TimeoutError) return fault('no answer in time');
  if (error instanceof errors.ConnectionError) return fault(`no connection: ${error.message}`);
  if (error instanceof errors.NoLivingConnectionsError || error instanceof errors.RequestAbortedError) {
    return fault('no connection');
  }
  if (error instanceof errors.ProductNotSupportedError || error instanceof errors.DeserializationError) {
    return final('unavailable', 'what answers there is not Elasticsearch: check the address');
  }
  if (error instanceof errors.ConfigurationError) return final('unavailable', 'the connection is set up wrongly');
  return error;
}

/** A failure of a whole answer, or of one item of several. */
export function statusError(status: number, type: string): EvidenceError {
  const what = `${type} (${status})`;
  if (status === 401 || status === 403) return final('unavailable', `the server refuses these credentials: ${what}`);
  if (type === 'index_not_found_exception') return final('corrupt', `an index is gone: start Plumbline again: ${what}`);
  if (status === 413) return final('too_large', `larger than the server takes: ${what}`);
  if (passing.has(status)) return fault(what);
  return final('rejected', what);
}

function typeOf(error: errors.ResponseError): string {
  const body: unknown = error.body;
  if (typeof body !== 'object' || body === null || !('error' in body)) return 'failure';
  const { error: inner } = body;
  return typeof inner === 'object' && inner !== null && 'type' in inner ? String(inner.type) : 'failure';
}

function fault(message: string): EvidenceError {
  return new EvidenceError('unavailable', `Elasticsearch: ${message}`, { retryable: true });
}

function final(code: EvidenceError['code'], message: string): EvidenceError {
  return new EvidenceError(code, `Elasticsearch: ${message}`, { retryable: false });
}
