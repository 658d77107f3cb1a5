import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import type { PublicationView } from '../../client/publication-view.ts';
import { publicationWorkflowId } from '../../domain/rules/workflow-ids.ts';
import type { DocumentMetadata } from '../../domain/contracts/document.ts';
import type { AddedEvidence, ReviewDecision } from '../../domain/contracts/review.ts';
import { bundle } from '../support/question-runs.ts';
import { plumbline } from './cli-process.ts';
import { openLearningHouse, people, type LearningHouse } from './learning-house.ts';

interface StoredDocument {
  metadata: DocumentMetadata;
}

const { ann, clerk, banker, both, guest, boss } = people;
let house: LearningHouse;
beforeAll(async () => {
  house = await openLearningHouse();
  await house.take({
    'handbook.md': '# Handbook\n\nFull-time employees have 27 days of annual leave.\n',
    'pricing.md':
      '---\ngroups: [finance]\n---\n\n# Pricing\n\nA discount above 16 % must be approved by the finance director.\n',
  });
}, 120_000);
afterAll(() => house.close());

const publication = (id: string) => `/v1/reviews/${id}/publication`;
const documentPath = (id: string) => `/v1/documents/${encodeURIComponent(`reviewed/${id}`)}`;
const publish = (id: string, body: object = {}) => house.request(ann, publication(id), { method: 'POST', body });
const withdraw = (id: string) => house.request(ann, publication(id), { method: 'DELETE' });

/** A question that a reviewer has decided on, with its id. */
async function reviewed(who: Parameters<LearningHouse['ask']>[0], question: string, decision: ReviewDecision) {
  const asked = await house.ask(who, question, 'reviewed');
  expect(asked.status).toBe('awaiting_review');
  expect((await house.decide(asked.id, decision)).status).toBe('answered');
  return asked.id;
}

const answer = (text: string): ReviewDecision => ({
  kind: 'answer',
  text,
  source: { title: 'Circular 7', uri: 'https://intranet.example/circular-7', text: null },
  vouched: false,
});
const evidence = (text: string): ReviewDecision => {
  const given: AddedEvidence = { from: 'text', text, title: 'Note of the office', uri: '' };
  return { kind: 'addEvidence', evidence: given };
};

describe('a published answer of a reviewer', () => {
  const question = 'How many weeks of parental leave do new fathers get?';
  let id: string;
  beforeAll(async () => {
    id = await reviewed(clerk, question, answer('Six weeks.'));
  });

  test('is a document from which the same question is answered, cited', async () => {
    const response = await publish(id, { validUntil: '2999-12-31' });
    expect(response.status).toBe(200);
    const standing = { by: 'ann', title: question, validUntil: '2999-12-31', groups: ['staff'], wider: false };
    expect(await response.json()).toMatchObject({
      status: 'published',
      documentId: `reviewed/${id}`,
      published: standing,
    });

    const again = await house.ask(clerk, question);
    expect(again).toMatchObject({ status: 'answered', answer: expect.stringContaining('Six weeks.') });
    const cited = { documentId: `reviewed/${id}`, origin: 'corpus', uri: 'https://intranet.example/circular-7' };
    const section = expect.stringContaining('Reviewed by ann');
    expect(again).toMatchObject({
      citations: expect.arrayContaining([expect.objectContaining({ ...cited, section })]),
    });
    const today = new Date().toISOString().slice(0, 10);
    expect(await (await house.request(clerk, documentPath(id))).json()).toMatchObject({
      metadata: {
        tags: ['reviewed'],
        authority: 80,
        effectiveFrom: today,
        effectiveTo: '2999-12-31',
        groups: ['staff'],
      },
    });
  });

  test('leaves no file behind, and stays as it is when it is published again', async () => {
    const before = await house.index.liveVersion('main', `reviewed/${id}`);
    expect((await publish(id, { validUntil: '2999-12-31' })).status).toBe(200);
    expect(await house.index.liveVersion('main', `reviewed/${id}`)).toBe(before);
    const folders = readdirSync(join(house.spoolDir, 'ingestions'), { recursive: true, encoding: 'utf8' });
    expect(folders.filter((name) => name.includes('reviewed-'))).toEqual([]);
  });

  test('answers no more when its time is over', async () => {
    const { metadata } = (await (await house.request(ann, documentPath(id))).json()) as StoredDocument;
    const past = { ...metadata, effectiveFrom: '2020-01-01', effectiveTo: '2020-12-31' };
    await house.index.updateMetadata('main', `reviewed/${id}`, past);
    expect((await house.ask(clerk, question)).status).toBe('abstained');
    expect((await publish(id)).status).toBe(200);
    expect((await house.ask(clerk, question)).status).toBe('answered');
  });

  test('is not published with a day that is past', async () => {
    const response = await publish(id, { validUntil: '2020-12-31' });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: 'Publication.PastValidity' });
  });

  test('is withdrawn: the question abstains again, and it can be published anew', async () => {
    expect((await withdraw(id)).status).toBe(204);
    expect((await house.ask(clerk, question)).status).toBe('abstained');
    const state = (await (await house.request(clerk, publication(id))).json()) as PublicationView;
    expect(state).toMatchObject({ status: 'withdrawn', published: null, withdrawn: { by: 'ann' } });
    const second = await withdraw(id);
    expect(second.status).toBe(404);
    expect(await second.json()).toMatchObject({ code: 'Publication.NotFound' });
    expect((await publish(id)).status).toBe(200);
    expect((await house.ask(clerk, question)).status).toBe('answered');
  });

  test('is changed through its review only: nobody opens it to more people, replaces or deletes it as a document', async () => {
    const wider = await house.request(ann, documentPath(id), { method: 'PATCH', body: { groups: [] } });
    const deleted = await house.request(ann, documentPath(id), { method: 'DELETE' });
    for (const response of [wider, deleted]) {
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({
        code: 'Document.Reserved',
        detail: expect.stringContaining(`DELETE /v1/reviews/${id}/publication`),
      });
    }
    const before = await house.index.liveVersion('main', `reviewed/${id}`);
    await expect(
      house.take({ 'other.md': `---\nid: reviewed/${id}\n---\n\n# Other\n\nSeven weeks.\n` }),
    ).rejects.toThrow('only 0 documents');
    expect(await house.index.liveVersion('main', `reviewed/${id}`)).toBe(before);
  });

  test('is told to be gone when an operator deleted its document', async () => {
    expect((await house.request(boss, documentPath(id), { method: 'DELETE' })).status).toBe(204);
    expect(await (await house.request(ann, publication(id))).json()).toMatchObject({
      status: 'unpublished',
      published: null,
      reason: { code: 'Document.NotFound' },
    });
    expect((await withdraw(id)).status).toBe(404);
  });

  test('is published and withdrawn at the command line', async () => {
    const env = { PLUMBLINE_URL: house.url, PLUMBLINE_TOKEN: ann.token };
    const published = await plumbline(['review', 'publish', id, '--valid-until', '2999-12-31'], { env });
    expect(published).toMatchObject({ exitCode: 0, stderr: '' });
    expect(published.stdout).toBe(
      `Published as reviewed/${id}: ${question}\n  may be read by  staff\n  answers until   2999-12-31\n`,
    );
    const withdrawn = await plumbline(['review', 'withdraw', id], { env });
    expect(withdrawn).toMatchObject({ exitCode: 0, stdout: '', stderr: expect.stringContaining('Withdrawn') });
    const again = await plumbline(['review', 'withdraw', id], { env });
    expect(again).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Nothing of this review is published'),
    });
  });
});

describe('published evidence of a reviewer', () => {
  const question = 'Who must approve a discount above 16 %, and how long does the approval take?';
  let id: string;
  beforeAll(async () => {
    id = await reviewed(banker, question, evidence('The approval of a discount takes five working days.'));
  });

  test('never reaches people who may not read what the answer cites beside it', async () => {
    const refused = await publish(id, { groups: ['staff'] });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      code: 'Publication.GroupsTooWide',
      detail: expect.stringContaining('only finance may read'),
    });
    expect(await (await house.request(ann, publication(id))).json()).toMatchObject({ status: 'unpublished' });

    expect(await (await publish(id)).json()).toMatchObject({ published: { groups: ['finance'], wider: false } });
    const time = 'How long does the approval of a discount take?';
    expect(await house.ask(banker, time)).toMatchObject({
      status: 'answered',
      answer: expect.stringContaining('five working days'),
    });
    const stranger = await house.ask(clerk, time);
    expect(stranger.status).toBe('abstained');
    expect(JSON.stringify(stranger)).not.toContain(`reviewed/${id}`);
  });

  test('stays as it was when wider groups are refused; where they are allowed, that is kept', async () => {
    expect((await publish(id, { groups: [] })).status).toBe(422);
    expect(await (await house.request(ann, publication(id))).json()).toMatchObject({
      status: 'published',
      published: { groups: ['finance'] },
      reason: null,
    });
    expect(await (await publish(id, { groups: ['staff'], allowWider: true })).json()).toMatchObject({
      published: { by: 'ann', groups: ['staff'], wider: true },
    });
    expect((await house.ask(clerk, 'How long does the approval of a discount take?')).status).toBe('answered');
    expect((await house.audit.of('main', id)).at(-1)).toMatchObject({
      actor: 'ann',
      action: 'publish',
      result: 'accepted',
      note: expect.stringContaining('wider'),
    });
  });
});

describe('who may read the document', () => {
  test('must be said where the asker has several groups', async () => {
    const id = await reviewed(both, 'Where is the spare key of the safe?', answer('In the drawer.'));
    const refused = await publish(id);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      code: 'Publication.GroupsNeeded',
      detail: expect.stringContaining('staff, finance'),
    });
    expect(await (await publish(id, { groups: ['finance'] })).json()).toMatchObject({
      published: { groups: ['finance'] },
    });
  });
});

test('while one publication goes on, another one, or a withdrawal, is refused', async () => {
  const id = await reviewed(guest, 'Which bus goes to the quay?', answer('Line 4.'));
  expect(await (await publish(id)).json()).toMatchObject({ published: { groups: [], wider: false } });
  const before = { by: 'ann', at: '', title: '', validUntil: null, groups: [], wider: false };
  const memo = {
    action: 'publish',
    questionId: id,
    by: 'ben',
    title: '',
    validUntil: null,
    request: 'another',
    before,
  };
  const other = await house.temporal.workflow.start('publishReview', {
    workflowId: publicationWorkflowId('main', id),
    taskQueue: 'of nobody',
    args: [],
    memo: { publication: memo },
  });
  for (const response of [await publish(id), await withdraw(id)]) {
    expect(response.status).toBe(409);
    expect(response.headers.get('Retry-After')).toBe('2');
    expect(await response.json()).toMatchObject({ code: 'Publication.UnderWay' });
  }
  const state = { status: 'publishing', published: { by: 'ann' } };
  expect(await (await house.request(ann, publication(id))).json()).toMatchObject(state);
  await other.terminate();
  expect(await (await house.request(ann, publication(id))).json()).toMatchObject({ ...state, status: 'published' });
  expect(await house.ask(clerk, 'Which bus goes to the quay?')).toMatchObject({ status: 'answered' });
});

test('runs that publish and withdraw replay', async () => {
  const runs = house.temporal.workflow.list({
    query: `WorkflowType IN ('publishReview', 'withdrawReview') AND ExecutionStatus = 'Completed'`,
  });
  const code = await bundle();
  for await (const { workflowId, runId } of runs) {
    const history = await house.temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    await Worker.runReplayHistory({ workflowBundle: code }, history, workflowId);
  }
});

describe('what cannot be published', () => {
  test('is told for what it is', async () => {
    const { id } = await house.ask(clerk, 'How many days of annual leave do full-time employees have?');
    const plain = await publish(id);
    expect(plain.status).toBe(409);
    expect(await plain.json()).toMatchObject({
      code: 'Review.NotPublishable',
      detail: expect.stringContaining('no reviewer'),
    });
    const waiting = await house.ask(clerk, 'Who waters the plants in the lobby?', 'reviewed');
    expect(await (await publish(waiting.id)).json()).toMatchObject({
      code: 'Review.NotPublishable',
      detail: expect.stringContaining('still goes on'),
    });
    expect((await house.request(clerk, publication(waiting.id), { method: 'POST', body: {} })).status).toBe(403);
    expect((await house.request(banker, publication(waiting.id))).status).toBe(404);
    expect((await withdraw(waiting.id)).status).toBe(404);
  });
});
