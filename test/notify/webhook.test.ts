import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { NotifyError } from '../../adapters/notify/port.ts';
import { createWebhookNotifier, type WebhookOptions } from '../../adapters/notify/webhook.ts';
import { freePort } from '../../launcher/ports.ts';
import { rejection, startWebServer, type Handler, type WebServer } from '../web/support/web-server.ts';
import { requested, secretOf } from './notifications.ts';

const taken: Handler = (_, response) => void response.writeHead(204).end();
let receiver: WebServer;
let answer = taken;
beforeAll(async () => {
  receiver = await startWebServer((request, response) => answer(request, response));
});
beforeEach(() => {
  receiver.requests.length = 0;
  answer = taken;
});
afterAll(() => receiver.close());

const never = new AbortController().signal;
const secret = secretOf(1);
const webhook = (over: Partial<WebhookOptions> = {}) =>
  createWebhookNotifier({ url: `${receiver.url}/hooks/k3y?for=reviews`, secrets: [secret], publicUrl: null, ...over });
const status = (code: number, headers: Record<string, string> = {}): Handler => {
  return (_, response) => void response.writeHead(code, headers).end('no');
};
const verified = (key: string, n = 0): unknown => {
  const { body = '', headers = {} } = receiver.requests[n] ?? {};
  return new Webhook(key).verify(body, headers as Record<string, string>);
};

describe('the webhook', () => {
  test('posts what happened, signed so that Standard Webhooks’ own library verifies it', async () => {
    await webhook({ publicUrl: 'https://plumbline.example/house' }).send(requested({ questionId: 'q/1' }), never);
    expect(receiver.requests).toMatchObject([
      { method: 'POST', path: '/hooks/k3y?for=reviews', headers: { 'content-type': 'application/json' } },
    ]);
    const { at, type, ...data } = requested({ questionId: 'q/1' });
    const links = { review: 'https://plumbline.example/house/v1/reviews/q%2F1' };
    expect(verified(secret)).toEqual({ type, timestamp: at, data: { ...data, links } });
    expect(receiver.requests[0]?.headers['webhook-id']).toBe(data.id);
  });

  test('has no links where nobody told where people reach the API', async () => {
    await webhook().send(requested(), never);
    expect(verified(secret)).not.toHaveProperty('data.links');
  });

  test('does not verify with another secret, nor with another text', async () => {
    await webhook().send(requested(), never);
    expect(() => verified(secretOf(2))).toThrow('No matching signature');
    const { body = '', headers = {} } = receiver.requests[0] ?? {};
    const forged = body.replace('"round":1', '"round":2');
    expect(forged).not.toBe(body);
    expect(() => new Webhook(secret).verify(forged, headers as Record<string, string>)).toThrow('No matching');
  });

  test('signs with the old and the new secret while it is changed', async () => {
    await webhook({ secrets: [secretOf(2), secret] }).send(requested(), never);
    expect(verified(secret)).toEqual(verified(secretOf(2)));
  });

  test('takes the status for the answer, however long the rest is', async () => {
    let closed = false;
    answer = (_, response) => {
      response.on('close', () => (closed = true));
      response.writeHead(200).write('x'.repeat(100_000));
    };
    await webhook().send(requested(), never);
    while (!closed) await new Promise(setImmediate);
  });
});

describe('a webhook that does not take a notification', () => {
  const failure = async (over?: Partial<WebhookOptions>) => {
    const error = await rejection(webhook(over).send(requested(), never));
    expect(error).toBeInstanceOf(NotifyError);
    expect((error as NotifyError).message).not.toMatch(/k3y|whsec|127\.0\.0\.1/);
    return error;
  };

  test.each([
    [408, 'unavailable'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
    [400, 'refused'],
    [401, 'refused'],
    [404, 'refused'],
    [410, 'refused'],
  ])('with status %i: %s', async (code, expected) => {
    answer = status(code);
    expect(await failure()).toMatchObject({
      code: expected,
      retryable: expected === 'unavailable',
      retryAfterMs: null,
      message: expect.stringContaining(String(code)),
    });
  });

  test('is left alone for as long as it wants', async () => {
    answer = status(503, { 'retry-after': '7' });
    expect(await failure()).toMatchObject({ retryAfterMs: 7_000 });
    answer = status(429, { 'retry-after': '0' });
    expect(await failure()).toMatchObject({ retryAfterMs: 1 });
  });

  test('is not followed to another address', async () => {
    for (const code of [301, 302, 307, 308]) {
      answer = status(code, { location: `${receiver.url}/elsewhere` });
      expect(await failure()).toMatchObject({ code: 'refused', message: expect.stringContaining('redirects') });
    }
    expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(['/hooks/k3y?for=reviews']));
  });

  test('is given up when it says nothing', async () => {
    answer = () => undefined;
    expect(await failure({ timeoutMs: 100 })).toMatchObject({ code: 'unavailable', message: /within 100 ms/ });
  });

  test('is told apart from one that is not there or hangs up', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    expect(await failure({ url })).toMatchObject({ code: 'unavailable', message: /ECONNREFUSED/ });
    answer = (_, response) => void response.destroy();
    expect(await failure()).toMatchObject({ code: 'unavailable', message: /cannot be reached/ });
  });

  test('is not waited for once the sending is cancelled', async () => {
    const stop = new AbortController();
    const reason = new Error('cancelled');
    answer = () => stop.abort(reason);
    expect(await rejection(webhook().send(requested(), stop.signal))).toBe(reason);
    expect(await rejection(webhook().send(requested(), stop.signal))).toBe(reason);
    expect(receiver.requests).toHaveLength(1);
  });
});
