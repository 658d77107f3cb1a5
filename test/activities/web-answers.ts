import type { Handler } from '../web/support/web-server.ts';
import { sendJson } from '../web/support/web-server.ts';
import type { Hit } from './web-house.ts';

/** Both protocols name their list of hits `results`. */
export const finding =
  (hits: Hit[]): Handler =>
  (_, response) =>
    sendJson(response, { results: hits });

export const status =
  (code: number, { headers = {}, body = {} }: { headers?: Record<string, string>; body?: unknown } = {}): Handler =>
  (_, response) =>
    sendJson(response, body, { status: code, headers });

export const html =
  (body: string, head = ''): Handler =>
  (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><html lang="en"><head><title>A page</title>${head}</head><body>${body}</body></html>`);
