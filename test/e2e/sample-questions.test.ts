import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { describeWithElasticsearch } from '../elasticsearch/describe-with-elasticsearch.ts';
import { startElasticsearch, type ElasticsearchServer } from '../elasticsearch/start-elasticsearch.ts';
import { sampleQuestions } from '../support/sample-questions.ts';
import { areAnswered } from './are-answered.ts';

const corpus = readdirSync(new URL('../../examples/corpus/', import.meta.url)).filter(
  (name) => !name.endsWith('.meta.json'),
);

test('there are thirty', () => {
  expect(sampleQuestions).toHaveLength(30);
});

describe('asked over HTTP of a freshly started stack with the embedded index', () => {
  // An empty setting counts as none, whatever this machine has set.
  areAnswered(() => Promise.resolve({ ELASTICSEARCH_URL: '' }));
});

describeWithElasticsearch('asked over HTTP of a freshly started stack with Elasticsearch', () => {
  let server: ElasticsearchServer | undefined;
  areAnswered(async () => {
    server = await startElasticsearch();
    return { ELASTICSEARCH_URL: server.url };
  });
  test('which holds the documents', async () => {
    const counted = await fetch(`${server?.url}/plumbline-documents/_count`);
    expect(await counted.json()).toMatchObject({ count: corpus.length });
  });
  // Registered after the stack's own end, so that the stack never sees it go.
  afterAll(() => server?.stop());
});
