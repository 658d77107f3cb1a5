import { errors } from '@elastic/elasticsearch';
import type { DiagnosticResult } from '@elastic/elasticsearch';
import { expect, test } from '@jest/globals';
import { toIndexError, toItemError } from '../../adapters/index/elasticsearch/elasticsearch-errors.ts';
import { IndexError } from '../../adapters/index/port.ts';

const secret = 'CONFIDENTIAL text of a document';

function answered(statusCode: number, body: unknown): errors.ResponseError {
  const meta = { statusCode, body, headers: {}, warnings: null, meta: {} } as unknown as DiagnosticResult;
  return new errors.ResponseError(meta);
}

test.each([
  [400, 'document_parsing_exception', 'mapping', false],
  [400, 'strict_dynamic_mapping_exception', 'mapping', false],
  [400, 'search_phase_execution_exception', 'rejected', false],
  [401, 'security_exception', 'unavailable', false],
  [403, 'security_exception', 'unavailable', false],
  [403, 'cluster_block_exception', 'unavailable', true],
  [404, 'index_not_found_exception', 'corrupt', false],
  [404, 'search_context_missing_exception', 'unavailable', true],
  [409, 'version_conflict_engine_exception', 'locked', true],
  [413, 'failure', 'too_large', false],
  [429, 'es_rejected_execution_exception', 'unavailable', true],
  [429, 'circuit_breaking_exception', 'unavailable', true],
  [500, 'null_pointer_exception', 'unavailable', true],
  [503, 'no_shard_available_action_exception', 'unavailable', true],
] as const)('%d %s is %s', (...[status, type, code, retryable]) => {
  const failure = toIndexError(answered(status, { error: { type, reason: secret }, status }));
  expect(failure).toMatchObject({ code, retryable });
  expect(failure.message).toContain(String(status));
  expect(failure.message).not.toContain(secret);
  expect(failure.cause).toBeUndefined();
  expect(toItemError(status, type)).toMatchObject({ code, retryable });
});

test.each([
  ['nothing', undefined],
  ['text of a proxy', `<html>${secret}</html>`],
  ['an error of another form', { error: secret }],
])('a failed answer with %s for a body is still typed', (_, body) => {
  const failure = toIndexError(answered(502, body));
  expect(failure).toMatchObject({ code: 'unavailable', retryable: true });
  expect(failure.message).not.toContain(secret);
});

test.each([
  [new errors.TimeoutError('Request timed out'), true],
  [new errors.ConnectionError('connect ECONNREFUSED 127.0.0.1:9200'), true],
  [new errors.RequestAbortedError('aborted'), true],
  [new errors.ProductNotSupportedError('Elasticsearch'), false],
  [new errors.DeserializationError('Unexpected token', secret), true],
])('%s is unavailable', (error, retryable) => {
  const failure = toIndexError(error);
  expect(failure).toMatchObject({ code: 'unavailable', retryable });
  expect(failure.message).not.toContain(secret);
});

test('an IndexError stays as it is, and what is no failure of the store is thrown on', () => {
  const known = new IndexError('mapping', 'other vectors', { retryable: false });
  expect(toIndexError(known)).toBe(known);
  const defect = new TypeError('undefined is not a function');
  expect(() => toIndexError(defect)).toThrow(defect);
});
