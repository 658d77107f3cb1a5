import { describe } from '@jest/globals';
import { elasticsearchUnavailable } from './start-elasticsearch.ts';

/** `describe` for tests that need a real Elasticsearch: skipped, with the reason in the name, where none can run. */
export function describeWithElasticsearch(name: string, tests: () => void): void {
  const reason = elasticsearchUnavailable();
  if (reason === null) describe(name, tests);
  else describe.skip(`${name} (skipped: ${reason})`, tests);
}
