import { mkdir, readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ann, ben, birch, cleo, clerk, intern, openReviewHouse, problem, type ReviewHouse } from './review-house.ts';

let house: ReviewHouse;
let worker: { stop(): Promise<void> };
beforeAll(async () => {
  house = await openReviewHouse();
  worker = await house.api.startWorker();
});
afterAll(async () => {
  await worker.stop();
  await house.close();
});
afterEach(() => expect(house.api.reported).toEqual([]));

const again = { kind: 'retry', query: 'fee list' } as const;
const confirm = { kind: 'confirm' } as const;
const json = async (response: Promise<Response>) => (await response).json() as Promise<Record<string, unknown>>;

describe('a decision', () => {
  test.each([
    ['the run goes on', again],
    ['the run ends', confirm],
  ])('of twenty at once one counts, and the others learn who was first and when: %s', async (_how, decision) => {
    const id = await house.waiting();
    const gate = house.api.hold('retrieve');
    const reviewers = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? ann : ben));
    const responses = await Promise.all(reviewers.map(({ token }) => house.decide(id, decision, { token })));
    gate.release();
    const won = responses.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const { by, at } = (await won[0]?.json()) as { by: string; at: string };
    for (const response of responses.filter((one) => one !== won[0])) {
      expect(response.status).toBe(409);
      expect(await problem(response)).toMatchObject({
        code: 'Review.Decided',
        detail: expect.stringContaining(`${by} decided "${decision.kind}" at ${at}`),
        review: { decided: { by, at, kind: decision.kind } },
      });
    }
    await house.until(id, decision.kind === 'retry' ? 'answered' : 'abstained');
  });

  test('lets the run go on; the outcome has the review', async () => {
    const id = await house.waiting();
    const response = await house.decide(id, again, { key: 'k-1' });
    expect(response.headers.get('Idempotency-Key')).toBe('k-1');
    expect(await response.json()).toMatchObject({ requestId: 'k-1', state: 'continuing', kind: 'retry', by: 'ann' });
    expect(await house.until(id, 'answered')).toMatchObject({
      review: { state: 'decided', decided: { kind: 'retry', by: 'ann' } },
    });
  });

  test('that is repeated gets the first result, before and after the run has ended; another body is refused', async () => {
    const id = await house.waiting();
    const gate = house.api.hold('retrieve');
    const key = 'my-only-key';
    const first = await json(house.decide(id, again, { key }));
    const ways = [
      () => house.decide(id, again, { key }),
      () => house.decide(id, { query: 'fee list', kind: 'retry' }, { key }),
    ];
    for (const repeat of ways) expect(await json(repeat())).toEqual(first);
    const other = () => house.decide(id, { ...again, query: 'another' }, { key });
    expect(await problem(other())).toMatchObject({ status: 409, code: 'Review.KeyReused' });
    expect(await problem(house.decide(id, again, { key, token: ben.token }))).toMatchObject({ code: 'Review.Decided' });
    gate.release();
    await house.until(id, 'answered');
    for (const repeat of ways) expect(await json(repeat())).toEqual(first);
    expect(await problem(other())).toMatchObject({ status: 409, code: 'Review.KeyReused' });
  });

  test('is too early while the run does not wait, and late when its round is over', async () => {
    const gate = house.api.hold('retrieve');
    const id = await house.asked();
    await gate.reached;
    expect(await problem(house.decide(id, confirm))).toMatchObject({
      status: 409,
      code: 'Review.NotOpen',
      review: null,
    });
    expect(await problem(house.get(`/${id}`))).toMatchObject({ status: 409, code: 'Review.NotOpen' });
    gate.release();
    await house.until(id, 'awaiting_review');
    expect(await problem(house.decide(id, confirm, { round: 2 }))).toMatchObject({ code: 'Review.Changed' });
    expect((await house.decide(id, { kind: 'retry', hint: 'fees' })).status).toBe(200);
    while ((await problem(house.get(`/${id}`))).code === 'Review.NotOpen');
    for (;;) {
      const { round, state } = await json(house.get(`/${id}`));
      if (round === 2 && state === 'open') break;
    }
    expect(await problem(house.decide(id, confirm))).toMatchObject({ status: 409, code: 'Review.Decided' });
    expect((await house.decide(id, confirm, { round: 2 })).status).toBe(200);
    await house.until(id, 'abstained');
  });

  test('is taken without waiting for it, too, and kept when it is early', async () => {
    const gate = house.api.hold('retrieve');
    const id = await house.asked();
    await gate.reached;
    const later = await house.api.request(`/v1/reviews/${id}/decisions`, {
      method: 'POST',
      token: ann.token,
      headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
      body: JSON.stringify({ round: 1, decision: confirm }),
    });
    expect(later.status).toBe(202);
    const { requestId } = (await later.json()) as { requestId: string };
    expect(later.headers.get('Idempotency-Key')).toBe(requestId);
    gate.release();
    expect(await house.until(id, 'abstained')).toMatchObject({ review: { decided: { by: 'ann', kind: 'confirm' } } });
  });

  test('finds the review gone after a cancellation and after the deadline, with the final state', async () => {
    const cancelled = await house.waiting();
    await house.api.request(`/v1/questions/${cancelled}`, { method: 'DELETE' });
    await house.until(cancelled, 'cancelled');
    expect(await problem(house.decide(cancelled, confirm))).toMatchObject({
      status: 410,
      code: 'Review.Gone',
      finalState: { status: 'cancelled', review: 'cancelled', decided: null, endedAt: expect.any(String) },
    });
    const expired = await house.asked('short-of-time');
    await house.until(expired, 'abstained');
    expect(await problem(house.decide(expired, confirm))).toMatchObject({
      status: 410,
      finalState: { status: 'abstained', review: 'expired', decided: null },
    });
  });

  test('finds the review gone after another decision has ended the run: with the final state', async () => {
    const id = await house.waiting();
    await house.decide(id, confirm);
    await house.until(id, 'abstained');
    expect(await problem(house.decide(id, confirm, { token: ben.token }))).toMatchObject({
      status: 410,
      code: 'Review.Gone',
      detail: expect.stringMatching(/has ended: abstained, after ann decided "confirm" at 20/),
      finalState: { status: 'abstained', review: 'decided', decided: { by: 'ann', kind: 'confirm' } },
    });
  });

  test('is told in words where no worker answers; repeated with the same key it is taken', async () => {
    const id = await house.waiting();
    await worker.stop();
    const unanswered = await problem(house.decide(id, confirm, { key: 'k-away' }));
    worker = await house.api.startWorker();
    expect(unanswered).toMatchObject({
      status: 503,
      code: 'Worker.Unavailable',
      detail: expect.stringMatching(/may still be taken.*same request id/),
    });
    expect(await json(house.decide(id, confirm, { key: 'k-away' }))).toMatchObject({ by: 'ann', kind: 'confirm' });
    await house.until(id, 'abstained');
  });
});

describe('who may decide', () => {
  test('a question of another tenant is as unknown as one that is not there, and as one of which the asker had more groups', async () => {
    const id = await house.waiting();
    const board = await house.waiting('asks-first', clerk.token);
    const refusals = await Promise.all([
      problem(house.decide(id, confirm, { token: cleo.token })),
      problem(house.decide('no-such-question', confirm)),
      problem(house.decide(board, confirm)),
      problem(house.get(`/${id}`, cleo)),
      problem(house.get('/no-such-question')),
      problem(house.post(`${id}/claim`, { round: 1 }, cleo)),
    ]);
    for (const { status, code, detail } of refusals) {
      expect([status, code]).toEqual([404, 'Question.NotFound']);
      expect(detail.replace(/question \S+ /, '')).toBe('There is no that you may see.');
    }
  });

  test('nobody without the role reviewer', async () => {
    const id = await house.waiting('asks-first', intern.token);
    const path = `${id}/decisions`;
    for (const refused of [
      house.post(path, { round: 1, decision: confirm }, intern),
      house.get('', intern),
      house.get('', birch),
      house.get(`/${id}`, intern),
      house.post(`${id}/claim`, { round: 1 }, intern),
      house.post(`${id}/comments`, { text: 'hello' }, intern),
    ])
      expect(await problem(refused)).toMatchObject({ status: 403, code: 'Review.NotAllowed' });
  });

  test('nobody on a question of their own, where the policy forbids it', async () => {
    const id = await house.waiting('own-forbidden', ann.token);
    expect(await problem(house.decide(id, confirm))).toMatchObject({ status: 403, code: 'Review.NotAllowed' });
    expect((await house.decide(id, confirm, { token: ben.token })).status).toBe(200);
  });

  test('only the groups that the policy names', async () => {
    const id = await house.waiting('for-legal');
    expect(await problem(house.decide(id, confirm))).toMatchObject({ status: 403, code: 'Review.NotAllowed' });
    expect(await house.inbox('', { of: [id], many: 1, token: ben.token })).toMatchObject([{ id }]);
    expect(await house.inbox('', { of: [id], many: 0 })).toEqual([]);
    expect((await house.decide(id, confirm, { token: ben.token })).status).toBe(200);
  });

  test('where four eyes are wanted, a second reviewer lets the decision stand', async () => {
    const id = await house.waiting('four-eyes');
    expect(await json(house.decide(id, confirm))).toMatchObject({ state: 'proposed', by: 'ann' });
    expect(await problem(house.decide(id, { kind: 'approve' }))).toMatchObject({ code: 'Review.NotAllowed' });
    expect(await problem(house.decide(id, confirm, { token: ben.token }))).toMatchObject({
      status: 409,
      detail: expect.stringMatching(/ann proposed "confirm"/),
    });
    expect(await house.inbox('state=proposed', { of: [id], many: 1 })).toMatchObject([
      { state: 'proposed', proposed: { kind: 'confirm', by: 'ann' } },
    ]);
    expect((await house.decide(id, { kind: 'approve' }, { token: ben.token })).status).toBe(200);
    expect(await house.until(id, 'abstained')).toMatchObject({
      review: { decided: { by: 'ann', approvedBy: 'ben', kind: 'confirm' } },
    });
  });
});

describe('a claim', () => {
  test('tells the others, can be taken over and given back, and keeps nobody from deciding', async () => {
    const id = await house.waiting();
    const claim = (how: string, who: { token: string }) => house.post(`${id}/claim`, { round: 1, how }, who);
    expect(await json(claim('claim', ann))).toMatchObject({ state: 'claimed', claimedBy: 'ann' });
    expect(await problem(claim('claim', ben))).toMatchObject({
      status: 409,
      code: 'Review.Claimed',
      detail: expect.stringContaining('ann is working on it'),
    });
    expect(await house.inbox('state=claimed', { of: [id], many: 1 })).toMatchObject([{ claimedBy: 'ann' }]);
    expect(await json(claim('takeOver', ben))).toMatchObject({ claimedBy: 'ben' });
    expect(await json(claim('release', ben))).toMatchObject({ state: 'open', claimedBy: null });
    await claim('claim', ben);
    expect((await house.decide(id, confirm)).status).toBe(200);
  });
});

describe('the inbox', () => {
  test('has what waits, by state and reason, a page at a time', async () => {
    const ids = [await house.waiting(), await house.waiting(), await house.waiting()];
    await house.post(`${ids[1]}/claim`, { round: 1 });
    const found = await house.inbox('state=open', { of: ids, many: 2 });
    expect(found).toMatchObject([
      {
        id: ids[2],
        question: 'What is the late fee?',
        user: 'owner',
        round: 1,
        reason: 'abstained',
        state: 'open',
        claimedBy: null,
        deadline: expect.any(String),
        run: { workflowId: `question.main.${ids[2]}` },
      },
      { id: ids[0] },
    ]);
    expect(await house.inbox('reason=abstained', { of: ids, many: 3 })).toHaveLength(3);
    expect(await house.inbox('reason=conflicting', { of: ids, many: 0 })).toEqual([]);
    const pages: unknown[] = [];
    for (let next: string | null = ''; next !== null && pages.length < 3;) {
      const page = (await json(house.get(`?limit=1${next && `&before=${next}`}`))) as {
        reviews: { id: string }[];
        next: string | null;
      };
      pages.push(...page.reviews.map(({ id }) => id));
      next = page.next;
    }
    expect(pages).toEqual(ids.toReversed());
    for (const id of ids) await house.decide(id, confirm);
    expect(await house.inbox('', { of: ids, many: 0 })).toEqual([]);
  });

  test.each(['state=decided', 'reason=none', 'limit=0', 'before=yesterday', "before=x' OR 1=1", 'tenant=birch'])(
    'of ?%s is refused by name',
    async (query) => {
      expect(await problem(house.get(`?${query}`))).toMatchObject({
        status: 422,
        detail: expect.stringContaining(query.split('=')[0] ?? ''),
      });
    },
  );
});

describe('a question whose run waits for a person', () => {
  test('says so, with how the review stands, and keeps nobody waiting', async () => {
    const asked = await house.api.ask('What is the late fee?', {
      policy: 'asks-first',
      headers: { Prefer: 'wait=30' },
    });
    const accepted = (await asked.json()) as { id: string };
    expect([asked.status, accepted]).toMatchObject([
      202,
      { status: 'awaiting_review', review: { state: 'open', round: 1 } },
    ]);
    const { id } = accepted;
    const shown = { status: 'awaiting_review', progress: 'available', review: { state: 'open', reason: 'abstained' } };
    expect(await json(house.api.request(`/v1/questions/${id}`))).toMatchObject(shown);
    const listed = async (status: string) => {
      const { questions } = await json(house.api.request(`/v1/questions?status=${status}&limit=200`));
      return (questions as { id: string; status: string }[]).filter((one) => one.id === id);
    };
    while ((await listed('awaiting_review')).length === 0);
    expect(await listed('awaiting_review')).toMatchObject([{ status: 'awaiting_review' }]);
    expect(await listed('running')).toEqual([]);
    await house.decide(id, confirm);
  });
});

describe('a decision that cannot be read', () => {
  const sent = (url: string) => ({ kind: 'addEvidence', evidence: { from: 'address', url } });

  test.each<[string, unknown, string]>([
    ['no round', { decision: confirm }, 'round: is missing.'],
    ['a round in words', { round: 'one', decision: confirm }, 'round: must be a number.'],
    ['no such decision', { round: 1, decision: { kind: 'shrug' } }, 'decision.kind: must be one of: confirm, answer, '],
    ['an empty reason', { round: 1, decision: { kind: 'reject', reason: ' ' } }, 'decision.reason: is empty.'],
    ['what is not seen', { round: 1, decision: { kind: 'reject', reason: 'a\u0000b' } }, 'contains control characters'],
    [
      'a comment that hides',
      { round: 1, decision: confirm, comment: 'a\u0007' },
      'comment: contains control characters',
    ],
    ['a part of an address', { round: 1, decision: sent('intranet/fees') }, 'evidence.url: must be a whole address'],
    ['credentials', { round: 1, decision: sent('https://a:b@fees.example/') }, 'without user name and password'],
  ])('is told in words: %s', async (_, body, words) => {
    expect(await problem(house.post('x/decisions', body))).toMatchObject({
      status: 422,
      detail: expect.stringContaining(words),
    });
  });

  test.each(['https://10.0.0.7/fees', 'https://intranet/fees', 'https://пример.рф/'])(
    'is none for what the rules of the web decide on: %s',
    async (url) => {
      expect((await problem(house.post('x/decisions', { round: 1, decision: sent(url) }))).code).toBe(
        'Question.NotFound',
      );
    },
  );
});

describe('evidence', () => {
  const form = (round: string, text = 'The late fee is 9.') => {
    const body = new FormData();
    body.append('file', new Blob([text]), 'fees/late.txt');
    body.append('round', round);
    body.append('title', 'Late fees');
    return body;
  };
  const send = (id: string, body: FormData, { token = ann.token, key }: { token?: string; key: string }) =>
    house.api.request(`/v1/reviews/${id}/decisions`, {
      method: 'POST',
      token,
      body,
      headers: { 'Idempotency-Key': key },
    });
  const uploads = async (id: string) => {
    const folder = house.api.plumbline.reviews.uploadsDir({ tenant: 'main', user: 'ann', groups: [] }, id) ?? '';
    return readdir(folder, { recursive: true }).catch(() => []);
  };

  test('comes as a file, which is where the workers read it; one that does not count is removed', async () => {
    const id = await house.waiting();
    expect((await problem(send(id, form('7'), { key: 'k-1' }))).code).toBe('Review.Changed');
    expect((await problem(send(id, form('soon'), { key: 'k-1' }))).detail).toContain(
      'round: must be the number of the round',
    );
    expect((await problem(send(id, form('1'), { token: clerk.token, key: 'k-1' }))).code).toBe('Review.NotAllowed');
    expect(await uploads(id)).toEqual([]);
    const gate = house.api.hold('addEvidence');
    const first = await json(send(id, form('1'), { key: 'k-2' }));
    expect(first).toMatchObject({ kind: 'addEvidence', state: 'continuing', by: 'ann' });
    expect(await json(send(id, form('1'), { key: 'k-2' }))).toEqual(first);
    expect(await problem(send(id, form('1', 'The late fee is 8.'), { key: 'k-2' }))).toMatchObject({
      code: 'Review.KeyReused',
    });
    expect(await uploads(id)).toEqual([expect.any(String), expect.stringMatching(/0001$/)]);
    gate.release();
    expect(await house.until(id, 'answered')).toMatchObject({ citations: [{ evidenceId: 'p3' }] });
  });

  test('is one file', async () => {
    const id = await house.waiting();
    const body = form('1');
    body.append('file', new Blob(['more']), 'more.txt');
    expect(await problem(send(id, body, { key: 'k-two' }))).toMatchObject({ detail: 'Send one file only.' });
    await house.decide(id, confirm);
  });

  test('never names a path of its own', async () => {
    const id = await house.waiting();
    const evidence = { from: 'file', path: '/etc/passwd', name: 'passwd' };
    expect(await problem(house.decide(id, { kind: 'addEvidence', evidence }))).toMatchObject({
      status: 422,
      code: 'Request.WrongFields',
      detail: expect.stringContaining('multipart/form-data'),
    });
    await house.decide(id, confirm);
  });

  test('is shown with its text and quotes, or as gone', async () => {
    const id = await house.waiting();
    expect(await json(house.get(`/${id}`))).toMatchObject({
      question: 'What is the late fee?',
      user: 'owner',
      finalState: null,
      reason: 'abstained',
      evidence: [{ id: 'p1', text: null, gone: true, snippet: '', quotes: [] }],
    });
    await house.decide(id, confirm);
  });
});

describe('the audit trail', () => {
  test('has every attempt, refused ones as well, with who, when and how the review stood', async () => {
    const id = await house.waiting('asks-first', intern.token);
    await house.decide(id, confirm, { round: 7 });
    await house.decide(id, confirm, { token: intern.token });
    await house.post(`${id}/claim`, { round: 1 }, ben);
    const comment = { ...ann, key: 'k-comment' };
    for (let i = 0; i < 2; i++) await house.post(`${id}/comments`, { text: 'who knows?' }, comment);
    await house.decide(id, { kind: 'reject', reason: 'not for customers' });
    await house.until(id, 'denied', intern.token);
    await house.decide(id, confirm, { token: ben.token });
    const { trail, finalState } = (await json(house.get(`/${id}`))) as { trail: { at: string }[]; finalState: unknown };
    expect(finalState).toMatchObject({ status: 'denied', decided: { by: 'ann' } });
    expect(trail).toMatchObject([
      { action: 'opened', actor: null, from: null, to: 'open' },
      {
        action: 'refused',
        actor: 'ann',
        round: 7,
        decision: 'confirm',
        note: expect.stringMatching(/^Review.Changed: /),
      },
      {
        action: 'refused',
        actor: 'intern',
        from: 'open',
        to: 'open',
        note: expect.stringMatching(/^Review.NotAllowed/),
      },
      { action: 'claimed', actor: 'ben', from: 'open', to: 'claimed' },
      { action: 'commented', actor: 'ann', note: 'who knows?' },
      { action: 'decided', actor: 'ann', decision: 'reject', from: 'claimed', to: 'continuing' },
      {
        action: 'refused',
        actor: 'ben',
        from: 'decided',
        to: 'decided',
        note: expect.stringMatching(/^Review.Gone: /),
      },
    ]);
    expect(trail.map(({ at }) => at)).toEqual(trail.map(({ at }) => at).toSorted());
    const attempts = await house.api.audit.of('main', id);
    expect(attempts.map(({ action, actor, result, to }) => [action, actor, result, to])).toEqual([
      ['decide', 'ann', 'Review.Changed', 'open'],
      ['decide', 'intern', 'Review.NotAllowed', 'open'],
      ['claim', 'ben', 'accepted', 'claimed'],
      ['comment', 'ann', 'accepted', 'claimed'],
      ['comment', 'ann', 'accepted', 'claimed'],
      ['decide', 'ann', 'accepted', 'continuing'],
      ['decide', 'ben', 'Review.Gone', 'decided'],
    ]);
  });

  test('that cannot be written keeps the answer back; the same request gets it later', async () => {
    const id = await house.waiting();
    const inTheWay = join(house.api.folder, 'audit', 'main', `${id}.jsonl`);
    await mkdir(inTheWay, { recursive: true });
    expect(await problem(house.decide(id, confirm, { key: 'k-audit' }))).toMatchObject({
      status: 503,
      code: 'Audit.Unavailable',
      detail: expect.stringContaining('PLUMBLINE_AUDIT_DIR'),
    });
    await rmdir(inTheWay);
    expect(await json(house.decide(id, confirm, { key: 'k-audit' }))).toMatchObject({ kind: 'confirm', by: 'ann' });
    expect(await house.api.audit.of('main', id)).toMatchObject([{ actor: 'ann', result: 'accepted' }]);
  });

  test('has no text of an answer; an ended run shows the review also without a worker, and no text without its source', async () => {
    const id = await house.waiting();
    const answer = (text: string, vouched = false) => ({
      kind: 'answer',
      text,
      source: { title: 'Fees', text: 'The late fee is 9 euros.' },
      vouched,
    });
    const refused = await problem(house.decide(id, answer('The late fee is 8 euros.')));
    expect(refused).toMatchObject({
      status: 422,
      code: 'Review.NotGrounded',
      statements: [{ text: 'The late fee is 8 euros.', supported: false, reason: expect.any(String) }],
    });
    expect((await house.decide(id, answer('The late fee is 9 euros.'))).status).toBe(200);
    await house.until(id, 'answered');
    expect(JSON.stringify(await house.api.audit.of('main', id))).not.toMatch(/euros|late fee/);
    await worker.stop();
    const review = await json(house.get(`/${id}`));
    worker = await house.api.startWorker();
    expect(review).toMatchObject({
      state: 'decided',
      draft: { answer: null, withheld: true },
      trail: [{ action: 'opened' }, { action: 'refused' }, { action: 'decided' }],
    });
  });
});
