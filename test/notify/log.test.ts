import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { createLogNotifier } from '../../adapters/notify/log.ts';
import { rejection } from '../web/support/web-server.ts';
import { requested } from './notifications.ts';

const signal = new AbortController().signal;

describe('the log of notifications', () => {
  test('has one JSON object a line, as the worker’s log has', async () => {
    const stream = new PassThrough();
    const log = createLogNotifier({ stream, publicUrl: 'https://plumbline.example' });
    await log.send(requested(), signal);
    const decision = { kind: 'confirm' as const, by: 'rae\n' };
    await log.send(requested({ type: 'review.decided', decision }), signal);
    const lines = String(stream.read()).trimEnd().split('\n');
    const { at, type, ...data } = requested();
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-/),
        level: 'INFO',
        message: type,
        timestamp: at,
        ...data,
        links: { review: 'https://plumbline.example/v1/reviews/q-1' },
      },
      expect.objectContaining({ message: 'review.decided', decision }),
    ]);
  });

  test('that takes no lines is told', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no space')) });
    stream.on('error', () => undefined);
    const log = createLogNotifier({ stream, publicUrl: null });
    expect(await rejection(log.send(requested(), signal))).toMatchObject({ code: 'unavailable', retryable: true });
  });
});
