import { writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openApiHouse, people, type ApiHouse } from './api-house.ts';

let house: ApiHouse;
beforeAll(async () => {
  house = await openApiHouse();
});
afterAll(() => house.close());

const started = async () => (await house.env.client.workflow.count()).count;
const post = (
  body: string | Uint8Array<ArrayBuffer>,
  { type = 'application/json', headers = {} }: { type?: string; headers?: Record<string, string> } = {},
) => house.request('/v1/questions', { method: 'POST', body, headers: { 'Content-Type': type, ...headers } });

async function problem(response: Promise<Response> | Response) {
  const got = await response;
  expect(got.headers.get('Content-Type')).toBe('application/problem+json; charset=utf-8');
  const body = (await got.json()) as { status: number; code: string; detail: string; type: string; title: string };
  expect(body.status).toBe(got.status);
  expect(body.type).toMatch(/^urn:plumbline:problem:[a-z-]+(:[a-z-]+)?$/);
  expect(body.title).not.toBe('');
  return { status: got.status, code: body.code, detail: body.detail };
}

describe('who asks', () => {
  test.each([
    ['no header', null],
    ['another scheme', 'Basic b3duZXI6b3duZXI='],
    ['an empty token', 'Bearer '],
    ['two tokens', 'Bearer a b'],
  ])('%s: a token is asked for', async (_name, header) => {
    const response = await house.request('/v1/questions', {
      token: null,
      headers: header === null ? {} : { Authorization: header },
    });
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer realm="plumbline"');
    expect(await problem(response)).toMatchObject({ status: 401, code: 'Access.NoToken' });
  });

  test('an unknown token is refused on every route below /v1, known or not', async () => {
    for (const path of ['/v1/questions', '/v1/questions/x', '/v1/questions/x/events', '/v1/me', '/v1/nothing']) {
      const response = await house.request(path, { token: 'a-token-that-nobody-has' });
      expect(response.headers.get('WWW-Authenticate')).toContain('error="invalid_token"');
      expect(await problem(response)).toMatchObject({ status: 401, code: 'Access.UnknownToken' });
    }
  });

  test('tenant, user, groups and roles come from the token', async () => {
    const me = async (token = house.token) => (await house.request('/v1/me', { token })).json();
    const owner = { tenant: 'main', user: 'owner', groups: ['staff'], roles: ['reviewer', 'operator'] };
    expect(await me()).toEqual(owner);
    const { token, ...clerk } = people.clerk;
    expect(await me(token)).toEqual({ ...clerk, roles: [] });
    const { token: anns, ...ann } = people.ann;
    expect(await me(anns)).toEqual(ann);
  });
});

describe('questions that are refused', () => {
  test.each([
    ['', 'empty'],
    ['  \n ', 'empty'],
    ['ab', 'shorter than 3 characters'],
    ['a'.repeat(8001), 'longer than 8000 characters'],
    ['what is\u0000 this', 'control characters'],
    ['what \u001b[31mis this', 'control characters'],
    [42, 'must be a string'],
    [null, 'must be a string'],
    [['what is this'], 'must be a string'],
    [undefined, 'must be a string'],
  ])('%j: %s', async (question, reason) => {
    expect(await problem(house.ask(question))).toEqual({
      status: 422,
      code: 'Request.WrongFields',
      detail: expect.stringContaining(reason),
    });
  });

  test.each(['tenant', 'user', 'groups', 'access', '__proto__'])(
    'a body that brings "%s" is refused by name',
    async (field) => {
      const refused = await problem(post(`{"question":"What is the late fee?","${field}":"x"}`));
      expect(refused).toEqual({ status: 422, code: 'Request.WrongFields', detail: expect.stringContaining(field) });
    },
  );

  test('an unknown policy is refused with the known ones', async () => {
    const refused = await problem(post(JSON.stringify({ question: 'What is the late fee?', policy: 'reckless' })));
    expect(refused).toEqual({
      status: 422,
      code: 'Question.UnknownPolicy',
      detail: expect.stringMatching(/"reckless".*known are: .*default/),
    });
  });
});

describe('bodies that are refused', () => {
  test.each(['{', '{"question": "x"', 'question=x', "{'question': 'x'}"])('no JSON: %s', async (body) => {
    expect(await problem(post(body))).toMatchObject({ status: 400, code: 'Request.MalformedJson' });
  });

  test.each(['[]', '"What is the late fee?"', '7', 'null'])('JSON that is no object: %s', async (body) => {
    expect(await problem(post(body))).toMatchObject({ status: 422, detail: expect.stringContaining('JSON object') });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'of type %s',
    async (type) => {
      expect(await problem(post('{"question":"What is the late fee?"}', { type }))).toMatchObject({
        status: 415,
        code: 'Request.WrongType',
      });
    },
  );

  test('in a character set or an encoding that is not read', async () => {
    expect(await problem(post('{}', { type: 'application/json; charset=koi8-r' }))).toMatchObject({ status: 415 });
    expect(await problem(post('{}', { headers: { 'Content-Encoding': 'lzma' } }))).toMatchObject({ status: 415 });
  });

  test('too large, as sent or unpacked', async () => {
    const large = JSON.stringify({ question: 'a'.repeat(70_000) });
    expect(await problem(post(large))).toMatchObject({
      status: 413,
      code: 'Request.TooLarge',
      detail: expect.stringContaining('65536'),
    });
    const packed = await post(new Uint8Array(gzipSync(large)), { headers: { 'Content-Encoding': 'gzip' } });
    expect(await problem(packed)).toMatchObject({ status: 413 });
  });
});

describe('addresses and methods', () => {
  test('an address without anything is not found', async () => {
    for (const path of ['/', '/v1', '/v1/question', '/v1/questions/x/y']) {
      expect(await problem(house.request(path))).toMatchObject({ status: 404, code: 'Route.NotFound' });
    }
  });

  test.each(['unknown', 'x.y', "a' OR 1=1", 'a'.repeat(65), '%00'])('no question has the id %s', async (id) => {
    const path = `/v1/questions/${id === '%00' ? id : encodeURIComponent(id)}`;
    expect(await problem(house.request(path))).toMatchObject({ status: 404, code: 'Question.NotFound' });
    expect(await problem(house.request(path, { method: 'DELETE' }))).toMatchObject({
      status: 404,
      code: 'Question.NotFound',
    });
  });

  test('an address with a wrong escape is refused', async () => {
    expect(await problem(house.request('/v1/questions/%zz'))).toMatchObject({ status: 400, code: 'Request.Invalid' });
  });

  test.each([
    ['PUT', '/v1/questions', 'GET, POST'],
    ['DELETE', '/v1/questions', 'GET, POST'],
    ['POST', '/v1/questions/x', 'GET, DELETE'],
    ['POST', '/v1/questions/x/events', 'GET'],
    ['POST', '/health', 'GET'],
  ])('%s %s is not allowed', async (method, path, allow) => {
    const response = await house.request(path, { method });
    expect(response.headers.get('Allow')).toBe(allow);
    expect(await problem(response)).toMatchObject({ status: 405, code: 'Route.MethodNotAllowed' });
  });

  test.each(['limit=0', 'limit=201', 'limit=x', 'status=done', 'tenant=birch', 'limit=1&limit=2'])(
    'a list of ?%s is refused',
    async (query) => {
      const [field = ''] = query.split('=');
      expect(await problem(house.request(`/v1/questions?${query}`))).toMatchObject({
        status: 422,
        detail: expect.stringContaining(field),
      });
    },
  );
});

test('nothing of all this started a run, and none of it surprised the API', async () => {
  expect(await started()).toBe(0);
  expect(house.reported).toEqual([]);
});

describe('every response', () => {
  test('has the security headers, says nothing of its maker and repeats a request id', async () => {
    const headers = Object.fromEntries(
      (await house.request('/health', { headers: { 'X-Request-Id': 'abc-1.2' } })).headers,
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'x-request-id': 'abc-1.2',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  test('has a request id of its own in place of one that is no plain word', async () => {
    const id = (await house.request('/health', { headers: { 'X-Request-Id': 'a b"c' } })).headers.get('X-Request-Id');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test('what nobody expected is a 500 that tells nothing, and is reported', async () => {
  const base = await house.listen({
    principals: {
      ...house.principals,
      find: () => {
        throw new Error('secret of the house');
      },
    },
  });
  const refused = await problem(house.request(`${base}/v1/questions`));
  expect(refused).toMatchObject({ status: 500, code: 'Internal', detail: expect.not.stringContaining('secret') });
  expect(house.reported.splice(0)).toEqual([expect.objectContaining({ message: 'secret of the house' })]);
});

test('a caller who leaves in the middle of a body does no harm', async () => {
  const request = httpRequest(`${house.url}/v1/questions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${house.token}`, 'Content-Type': 'application/json', 'Content-Length': '1000' },
  });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  request.on('error', () => undefined).on('close', resolve);
  request.write('{"question":');
  await sleep(50);
  request.destroy();
  await closed;
  expect((await house.request('/health')).status).toBe(200);
  expect(house.reported).toEqual([]);
});

describe('the principals file', () => {
  test('counts as it is now: a right that is taken away is gone at the next request', async () => {
    const token = people.clerk.token;
    const groups = async () =>
      ((await (await house.request('/v1/me', { token })).json()) as { groups: string[] }).groups;
    expect(await groups()).toEqual(['staff', 'board']);
    await writeFile(house.principalsFile, JSON.stringify([{ ...people.clerk, groups: ['staff'] }]));
    expect(await groups()).toEqual(['staff']);
    await writeFile(house.principalsFile, '[]');
    expect((await house.request('/v1/me', { token })).status).toBe(401);
  });

  test('that has become wrong lets nobody in it pass and says so, but not the owner', async () => {
    await writeFile(house.principalsFile, `[{"token":"${people.clerk.token}"`);
    const refused = await problem(house.request('/v1/me', { token: people.clerk.token }));
    expect(refused).toEqual({
      status: 503,
      code: 'Access.Unavailable',
      detail: expect.stringContaining('principals.json: not valid JSON'),
    });
    expect((await house.request('/v1/me')).status).toBe(200);
    await writeFile(house.principalsFile, JSON.stringify([people.clerk]));
    expect((await house.request('/v1/me', { token: people.clerk.token })).status).toBe(200);
  });
});
