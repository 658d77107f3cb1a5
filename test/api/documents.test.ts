import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openApiHouse, people, type ApiHouse } from './api-house.ts';

let house: ApiHouse;
let worker: { stop(): Promise<void> };
beforeAll(async () => {
  house = await openApiHouse({ documents: true });
  worker = await house.startWorker();
});
afterAll(async () => {
  await worker.stop();
  await house.close();
});
afterEach(() => expect(house.reported).toEqual([]));

interface Sent {
  files?: [name: string, content: string | Uint8Array<ArrayBuffer>][];
  metadata?: unknown;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  token?: string;
  base?: string;
}

function send({
  files = [],
  metadata,
  fields = {},
  headers = {},
  token = house.token,
  base = house.url,
}: Sent): Promise<Response> {
  const form = new FormData();
  for (const [name, content] of files) form.append('file', new Blob([content]), name);
  if (metadata !== undefined)
    form.append('metadata', typeof metadata === 'string' ? metadata : JSON.stringify(metadata));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return house.request(`${base}/v1/documents`, { method: 'POST', body: form, headers, token });
}

const wait = { Prefer: 'wait=30' };
const fees = 'Late fees\n\nThe late fee is nine crowns for every week that has begun.\n';
const ingest = async (sent: Sent) =>
  (await (await send({ headers: wait, ...sent })).json()) as {
    id: string;
    report: { documents: { state: string; code: string }[] };
  };
const get = async (path: string, token = house.token) => {
  const response = await house.request(path, { token });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const doc = (id: string) => `/v1/documents/${encodeURIComponent(id)}`;
const leftovers = async (id: string) =>
  readdir(join(house.folder, 'spool', 'ingestions', `ingestion%2Emain%2E${id}`)).catch(() => []);

describe('sending documents', () => {
  test('takes them in as a run: 202 with its address, which tells the report, and nothing sent stays behind', async () => {
    const response = await send({
      files: [['fees/late.md', `# ${fees}`]],
      metadata: { tags: ['fees'], status: 'active' },
    });
    const body = (await response.json()) as { id: string };
    expect(response.status).toBe(202);
    expect(response.headers.get('Location')).toBe(`/v1/ingestions/${body.id}`);
    expect(body).toMatchObject({
      status: 'running',
      links: { self: `/v1/ingestions/${body.id}` },
      run: { url: expect.stringContaining('ingestion.main.') },
    });
    let view = await get(`/v1/ingestions/${body.id}`);
    while (view.body['status'] === 'running') view = await get(`/v1/ingestions/${body.id}`);
    expect(view.body).toMatchObject({
      status: 'ended',
      report: {
        total: 1,
        counts: { ready: 1, failed: 0 },
        documents: [{ documentId: 'fees/late.md', state: 'ready', name: 'fees/late.md' }],
      },
      progress: { done: 1, inFlight: [] },
    });
    expect(await leftovers(body.id)).not.toContain('uploads');
    expect((await get(doc('fees/late.md'))).body).toMatchObject({
      metadata: { title: 'Late fees', tags: ['fees'], uri: 'upload:fees/late.md' },
    });
  });

  test('with Prefer: wait gives the report at once, one line a document, also for those that fail', async () => {
    const { report } = await ingest({
      files: [
        ['a.md', `# A\n\n${fees}`],
        ['b.bin', new Uint8Array([0, 1, 2, 3, 255, 254])],
        ['é ü.txt', fees],
      ],
    });
    expect(report.documents.map(({ state }) => state).sort()).toEqual(['failed', 'ready', 'ready']);
    expect(report).toMatchObject({ documents: expect.arrayContaining([expect.objectContaining({ name: 'é ü.txt' })]) });
  });

  test('the same bytes with the same idempotency key are one run and one document, at once or later', async () => {
    const headers = { ...wait, 'Idempotency-Key': 'upload-1' };
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => send({ files: [['once.md', `# Once\n\n${fees}`]], headers })),
    );
    const later = await send({ files: [['once.md', `# Once\n\n${fees}`]], headers });
    const views = (await Promise.all([...answers, later].map((response) => response.json()))) as {
      id: string;
      run: { runId: string };
    }[];
    expect(new Set(views.map(({ id, run }) => `${id} ${run.runId}`)).size).toBe(1);
    expect(
      views.map(
        (view) => (view as unknown as { report: { documents: { state: string }[] } }).report.documents[0]?.state,
      ),
    ).toEqual(Array(5).fill('ready'));
    expect(await leftovers(views[0]?.id ?? '')).not.toContain('uploads');
    const other = await send({ files: [['once.md', `# Twice\n\n${fees}`]], headers });
    expect(other.status).toBe(409);
    expect(await other.json()).toMatchObject({ code: 'Ingestion.KeyReused' });
  });

  test('can be stopped by whoever sent them, and is nobody else’s business', async () => {
    const gate = house.hold('readDocument');
    const { id } = (await (await send({ files: [['slow.md', fees]] })).json()) as { id: string };
    await gate.reached;
    for (const token of [people.birch.token, people.clerk.token]) {
      expect((await get(`/v1/ingestions/${id}`, token)).body).toMatchObject({ code: 'Ingestion.NotFound' });
    }
    expect((await house.request(`/v1/ingestions/${id}`, { method: 'DELETE' })).status).toBe(202);
    gate.release();
    let view = await get(`/v1/ingestions/${id}`);
    while (view.body['status'] === 'running') view = await get(`/v1/ingestions/${id}`);
    expect(view.body).toMatchObject({ status: 'cancelled', report: null });
    expect((await get(doc('slow.md'))).status).toBe(404);
    expect(await leftovers(id)).not.toContain('uploads');
  });
});

describe('documents that are refused', () => {
  test.each<[string, Sent, number, RegExp]>([
    ['no file', { metadata: {} }, 422, /at least one file/],
    ['another field', { files: [['a.md', fees]], fields: { tenant: 'birch' } }, 422, /"tenant"/],
    ['metadata that is no JSON', { files: [['a.md', fees]], metadata: '{' }, 400, /metadata/],
    [
      'metadata with an unknown field',
      { files: [['a.md', fees]], metadata: { colour: 'red' } },
      422,
      /colour: there is no such field in the metadata/,
    ],
    [
      'metadata with a wrong value',
      { files: [['a.md', fees]], metadata: { effectiveFrom: 'soon' } },
      422,
      /effectiveFrom/,
    ],
    [
      'one id for two files',
      {
        files: [
          ['a.md', fees],
          ['b.md', fees],
        ],
        metadata: { id: 'x' },
      },
      422,
      /metadata\.id/,
    ],
    ['a name that leads out', { files: [['../../etc/passwd', fees]] }, 422, /no usable file name/],
    ['an absolute name', { files: [['/etc/passwd', fees]] }, 422, /no usable file name/],
    ['a name of another system that leads out', { files: [['a\\..\\..\\b.md', fees]] }, 422, /no usable file name/],
    ['too many files', { files: Array.from({ length: 51 }, (_, i) => [`${i}.md`, fees]) }, 422, /at most 50 files/],
  ])('%s', async (...[, sent, status, detail]) => {
    const response = await send(sent);
    expect(response.status).toBe(status);
    expect((await response.json()) as object).toMatchObject({ detail: expect.stringMatching(detail) });
  });

  test('larger than a file or a request may be, before they are stored', async () => {
    const base = await house.listen({ limits: { fileBytes: 1000, requestBytes: 5000 } });
    const file = await send({ base, files: [['a.md', 'a'.repeat(1001)]] });
    expect(file.status).toBe(413);
    expect(await file.json()).toMatchObject({ limit: 1000 });
    const request = await send({
      base,
      files: [
        ['a.md', 'a'.repeat(900)],
        ['b.md', 'b'.repeat(4500)],
      ],
    });
    expect(request.status).toBe(413);
    expect(await request.json()).toMatchObject({ limit: 5000 });
    expect((await send({ base, headers: wait, files: [['exact.md', 'a'.repeat(1000)]] })).status).toBe(200);
  });

  test('of another type, without a length, or malformed', async () => {
    const json = await house.request('/v1/documents', {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(json.status).toBe(415);
    const chunked = await house.request('/v1/documents', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: new Blob(['--x--']).stream(),
      duplex: 'half',
    });
    expect(chunked.status).toBe(411);
    for (const [type, body] of [
      ['multipart/form-data', '--x--'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\ncut',
      ],
    ] as const) {
      const response = await house.request('/v1/documents', {
        method: 'POST',
        body,
        headers: { 'Content-Type': type },
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'Request.Invalid',
        detail: expect.stringContaining('multipart'),
      });
    }
  });

  test('leave nothing on the disk and start no run, also when the sender breaks off', async () => {
    const request = httpRequest(`${house.url}/v1/documents`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${house.token}`,
        'Content-Type': 'multipart/form-data; boundary=x',
        'Content-Length': '100000',
        'Idempotency-Key': 'broken',
      },
    });
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    request.on('error', () => undefined).on('close', resolve);
    request.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\nsome text');
    await sleep(100);
    request.destroy();
    await closed;
    await sleep(100);
    const runs = await readdir(join(house.folder, 'spool', 'ingestions'), { recursive: true });
    expect(runs.filter((path) => path.includes('uploads'))).toEqual([]);
  });

  test('need a token', async () => {
    expect((await send({ token: 'a-token-that-nobody-has', files: [['a.md', fees]] })).status).toBe(401);
  });
});

describe('documents that are there', () => {
  test('are shown with their text, listed with filters and in pages, and gone after they were deleted', async () => {
    await ingest({
      files: [
        ['list/one.md', `# One\n\n${fees}`],
        ['list/two.md', `# Two\n\n${fees}`],
        ['list/three.md', `# Three\n\n${fees}`],
      ],
      metadata: { tags: ['listed'] },
    });
    const first = (await get('/v1/documents?tag=listed&limit=2')).body as {
      documents: { documentId: string }[];
      next: string;
    };
    expect(first.documents).toHaveLength(2);
    const rest = (await get(`/v1/documents?tag=listed&limit=2&after=${encodeURIComponent(first.next)}`))
      .body as typeof first;
    expect([...first.documents, ...rest.documents].map(({ documentId }) => documentId).sort()).toEqual([
      'list/one.md',
      'list/three.md',
      'list/two.md',
    ]);
    expect(rest.next).toBeNull();
    expect((await get('/v1/documents?search=THREE')).body).toMatchObject({
      documents: [{ documentId: 'list/three.md' }],
    });

    const shown = (await get(`${doc('list/one.md')}?text=true`)).body as { text: string };
    expect(shown.text).toContain('The late fee is nine crowns');
    expect((await get(doc('list/one.md'))).body).not.toHaveProperty('text');

    const remove = () => house.request(doc('list/one.md'), { method: 'DELETE' });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await get(doc('list/one.md'))).body).toMatchObject({ code: 'Document.NotFound' });
  });

  test('are there for those only who may read them, and rights take effect at once', async () => {
    await ingest({
      files: [['board.md', `# Board\n\n${fees}`]],
      metadata: { groups: ['board'] },
      token: people.clerk.token,
    });
    const seenBy = async (token: string) => (await get(doc('board.md'), token)).status;
    expect([await seenBy(people.clerk.token), await seenBy(house.token), await seenBy(people.birch.token)]).toEqual([
      200, 404, 404,
    ]);
    const patch = (token: string, change: object) =>
      house.request(doc('board.md'), {
        method: 'PATCH',
        token,
        body: JSON.stringify(change),
        headers: { 'Content-Type': 'application/json' },
      });
    expect((await patch(house.token, { groups: [] })).status).toBe(404);
    expect((await house.request(doc('board.md'), { method: 'DELETE', token: house.token })).status).toBe(404);
    const changed = await patch(people.clerk.token, { groups: ['staff'] });
    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject({
      documentId: 'board.md',
      metadata: { groups: ['staff'], title: 'Board' },
    });
    expect([await seenBy(people.intern.token), await seenBy(house.token)]).toEqual([404, 200]);
    expect((await patch(house.token, { colour: 'red' })).status).toBe(422);
  });

  test.each(['limit=0', 'limit=x', 'status=old', 'colour=red', 'tag='])('a list of ?%s is refused', async (query) => {
    expect((await get(`/v1/documents?${query}`)).status).toBe(422);
  });
});
