import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createElasticsearchIndex } from '../../adapters/index/elasticsearch/index.ts';
import type { ElasticsearchIndexOptions } from '../../adapters/index/elasticsearch/index.ts';
import { caught } from './caught.ts';
import { dimensions } from './fixtures.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answering(status: number, body: object | string, product = true): RequestListener {
  return (_request, response) => {
    const type = typeof body === 'string' ? 'text/html' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...(product ? { 'x-elastic-product': 'Elasticsearch' } : {}) });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

const opening = (options: Partial<ElasticsearchIndexOptions> & { url: string }) =>
  caught(createElasticsearchIndex({ dimensions, ...options }));

describe('opening an index in Elasticsearch says what is wrong', () => {
  test('when something else answers there', async () => {
    const url = await serve(answering(200, { hello: 'world' }, false));
    const failure = await opening({ url });
    expect(failure).toMatchObject({ code: 'unavailable', retryable: false });
    expect(failure.message).toContain('not Elasticsearch');
    expect(failure.message).toContain(url);
  });

  test('when a web page answers there', async () => {
    const failure = await opening({ url: await serve(answering(200, '<html>Welcome</html>', false)) });
    expect(failure.code).toBe('unavailable');
    expect(failure.message).toMatch(/not Elasticsearch|no JSON/);
    expect(failure.message).not.toContain('Welcome');
  });

  test('when the server is too old', async () => {
    const url = await serve(answering(200, { version: { number: '8.19.4' }, tagline: 'You Know, for Search' }));
    const failure = await opening({ url });
    expect(failure).toMatchObject({ code: 'unavailable', retryable: false });
    expect(failure.message).toContain('8.19.4 is too old: Plumbline needs 9');
  });

  test.each([401, 403])('when the server refuses the key (%d)', async (status) => {
    const url = await serve(answering(status, { error: { type: 'security_exception', reason: 'SECRET' }, status }));
    const failure = await opening({ url, apiKey: 'key' });
    expect(failure).toMatchObject({ code: 'unavailable', retryable: false });
    expect(failure.message).toContain('check the API key');
    expect(failure.message).not.toContain('SECRET');
  });

  test('when nobody answers there, without the password of the address', async () => {
    const url = await serve(answering(200, {}));
    const { port } = new URL(url);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const failure = await opening({ url: `http://ada:lovelace@127.0.0.1:${port}` });
    expect(failure).toMatchObject({ code: 'unavailable', retryable: true });
    expect(failure.message).toContain(`http://127.0.0.1:${port}`);
    expect(failure.message).toContain('ECONNREFUSED');
    expect(failure.message).not.toContain('lovelace');
  });

  test('when the authority file cannot be read', async () => {
    const failure = await opening({ url: 'https://127.0.0.1:1', caPath: 'no-such-authority.pem' });
    expect(failure).toMatchObject({ code: 'unavailable', retryable: false });
    expect(failure.message).toContain('no-such-authority.pem');
  });
});

test('the API key goes with every request', async () => {
  const keys: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    keys.push(request.headers.authorization);
    answering(503, { error: { type: 'starting' }, status: 503 })(request, response);
  });
  expect(await opening({ url, apiKey: 'c2VjcmV0' })).toMatchObject({ code: 'unavailable', retryable: true });
  expect(keys).toEqual(['ApiKey c2VjcmV0']);
});
