import { errors } from '@elastic/elasticsearch';
import { IndexError } from '../port.ts';

/** Statuses that pass by themselves: too many requests, a node or shard that is away. */
const passing = new Set([408, 429, 500, 502, 503, 504]);

const mappingFaults = new Set([
  'mapper_parsing_exception',
  'document_parsing_exception',
  'strict_dynamic_mapping_exception',
  'mapper_exception',
]);

/**
 * The one place where a failure of the client or the server becomes an `IndexError`. The server's own reasons may repeat text of
 * documents and questions, and the client's errors carry the whole request: only status and type go on, and no `cause`.
 */
export function toIndexError(error: unknown): IndexError {
  if (error instanceof IndexError) return error;
  if (error instanceof errors.ResponseError) return toItemError(error.statusCode ?? 0, typeOf(error));
  if (error instanceof errors.TimeoutError) return fault('unavailable', 'no answer in time');
  if (error instanceof errors.ConnectionError) return fault('unavailable', `no connection: ${error.message}`);
  if (error instanceof errors.NoLivingConnectionsError || error instanceof errors.RequestAbortedError) {
    return fault('unavailable', 'no connection');
  }
  if (error instanceof errors.ProductNotSupportedError) {
    return final('unavailable', 'what answers there is not Elasticsearch: check the address');
  }
  if (error instanceof errors.DeserializationError) {
    return fault('unavailable', 'the answer is no JSON: a proxy or another server answers there');
  }
  if (error instanceof errors.ConfigurationError) {
    return final('unavailable', `the connection is set up wrongly: ${error.message}`);
  }
  throw error;
}

/** A failure inside of an answer: of one item of a bulk request, one search of several, one document of several. */
export function toItemError(status: number, type: string): IndexError {
  const what = `${type} (${status})`;
  if (type === 'cluster_block_exception' || type === 'index_closed_exception') {
    return fault(
      'unavailable',
      `writes are blocked while the index is built anew, or because the disk is full: ${what}`,
    );
  }
  if (type === 'search_context_missing_exception') return fault('unavailable', `a scan was cut short: ${what}`);
  if (type === 'index_not_found_exception') {
    return final('corrupt', `an index is gone: start Plumbline again to make it, and ingest again: ${what}`);
  }
  if (status === 401 || status === 403) {
    return final('unavailable', `the server refuses these credentials: check the API key and its privileges: ${what}`);
  }
  if (status === 413) return final('too_large', `larger than the server takes (http.max_content_length): ${what}`);
  if (status === 409) return fault('locked', `another process changed it meanwhile: ${what}`);
  if (passing.has(status)) return fault('unavailable', what);
  if (mappingFaults.has(type)) return final('mapping', `the document does not fit the mapping: ${what}`);
  return final('rejected', what);
}

/** Whether a conditional write found that somebody else was first. */
export function isConflict(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.statusCode === 409;
}

export function hasType(error: unknown, type: string): boolean {
  return error instanceof errors.ResponseError && typeOf(error) === type;
}

function typeOf(error: errors.ResponseError): string {
  const body: unknown = error.body;
  if (typeof body !== 'object' || body === null || !('error' in body)) return 'failure';
  const { error: inner } = body;
  if (typeof inner !== 'object' || inner === null || !('type' in inner)) return 'failure';
  return String(inner.type);
}

function fault(code: IndexError['code'], message: string): IndexError {
  return new IndexError(code, `Elasticsearch: ${message}`, { retryable: true });
}

function final(code: IndexError['code'], message: string): IndexError {
  return new IndexError(code, `Elasticsearch: ${message}`, { retryable: false });
}
