import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../domain/contracts/answer.ts';
import { House, type PlumblineProcess } from '../support/plumbline-process.ts';

/** Failures seen in other systems, each with a tenant of its own on a running stack. */
const tenants = ['rail', 'inspection', 'silo', 'gold', 'short', 'empty'];
const tokenOf = (tenant: string) => `the-token-of-${tenant}`;

let house: House;
let stack: PlumblineProcess;
beforeAll(async () => {
  house = await House.create([
    ...tenants.map((tenant) => ({ token: tokenOf(tenant), tenant, user: 'u', groups: [] })),
    ...['finance', 'staff'].map((group) => ({ token: tokenOf(group), tenant: 'house', user: group, groups: [group] })),
  ]);
  stack = await house.up();
}, 240_000);
afterAll(async () => {
  await stack.stop();
  house.remove();
});

async function takeIn(tenant: string, documents: Record<string, string>): Promise<void> {
  const form = new FormData();
  for (const [name, text] of Object.entries(documents)) form.append('file', new Blob([text]), name);
  const headers = { authorization: `Bearer ${tokenOf(tenant)}`, prefer: 'wait=60' };
  const response = await fetch(`${house.url}/v1/documents`, { method: 'POST', headers, body: form });
  const { report } = (await response.json()) as { report: { counts: { ready: number } } };
  expect(report.counts.ready).toBe(Object.keys(documents).length);
}

async function ask(tenant: string, question: string): Promise<Outcome> {
  const headers = { prefer: 'wait=60' };
  const init = { method: 'POST', headers, token: tokenOf(tenant), body: JSON.stringify({ question }) };
  return (await (await house.fetch('/v1/questions', init)).json()) as Outcome;
}

describe('a house term and a code in a question', () => {
  test('are never explained away: the answer is about them, cited', async () => {
    await takeIn('rail', {
      'x4.md': '# Rail X4\n\nMS on rail X4 is the motor shutter; fault E-0417/b means MS is jammed.\n',
      'clock.md':
        '# Clock signals\n\nThe controller polls every 40 ms; a timing error of 5 ms is logged as E-0417/a.\n',
    });
    const outcome = await ask('rail', 'What does E-0417/b mean for MS?');
    expect(outcome.status).toBe('answered');
    expect(outcome.answer).toContain('motor shutter; fault E-0417/b means MS is jammed');
    expect(outcome.citations.map(({ documentId }) => documentId)).toEqual(['x4.md']);
    for (const { query } of outcome.ledger.filter((entry) => entry.query !== '')) expect(query).toContain('E-0417/b');
  });

  test('a code that is in no document is not answered by its neighbour', async () => {
    const outcome = await ask('rail', 'What does E-0471/b mean for MS?');
    expect(outcome).toMatchObject({ status: 'abstained', answer: null });
  });
});

describe('Japanese', () => {
  test('is found by its words, half-width as full-width, and short sentences are kept', async () => {
    await takeIn('inspection', {
      'inspection.txt': '設備点検は毎月第二火曜日に行う。型番はＡＢ１２である。\n',
      'menu.txt': '点心と火鍋の設備は厨房にある。\n',
    });
    const day = await ask('inspection', '設備点検はいつ行う?');
    expect(day).toMatchObject({ status: 'answered', citations: [{ documentId: 'inspection.txt' }] });
    expect(day.answer).toContain('毎月第二火曜日');
    expect(day.citations[0]?.quote).toBe('設備点検は毎月第二火曜日に行う。');
    const model = await ask('inspection', '型番AB12は何ですか?');
    expect(model.citations[0]?.quote).toContain('ＡＢ１２');
  });
});

describe('figures', () => {
  test('are stated as the source states them, with their bound', async () => {
    await takeIn('silo', {
      'silo.md': '# Silo 4\n\nSilo 4 holds 2,460 kg of grain. The handling fee must not exceed 12 %.\n',
    });
    expect((await ask('silo', 'How much grain does Silo 4 hold?')).answer).toContain('2,460 kg');
    expect((await ask('silo', 'How high may the handling fee be?')).answer).toContain('must not exceed 12 %');
  });
});

describe('a document replaced by a shorter one while it is being asked about', () => {
  const version = (sections: number, price: number) =>
    Array.from({ length: sections }, (_, i) =>
      i === Math.min(sections, 7) - 1
        ? `## Gold plan\n\nThe Gold plan costs ${price} crowns a month.\n`
        : `## Section ${i}\n\nThe terms of section ${i} of the plan handbook apply to every customer of the house.\n`,
    ).join('\n');

  test('answers only from one whole version, and the old one is gone at the end', async () => {
    await takeIn('gold', { 'pricing.md': version(8, 40) });
    const replacing = takeIn('gold', { 'pricing.md': version(3, 55) });
    const answers: (string | null)[] = [];
    for (let i = 0; i < 20; i++) answers.push((await ask('gold', 'What does the Gold plan cost a month?')).answer);
    await replacing;
    for (const answer of answers) expect(answer).toMatch(/^The Gold plan costs (40|55) crowns a month\. \[1\]$/);
    const last = await ask('gold', 'What does the Gold plan cost a month?');
    expect(last.answer).toContain('55 crowns');
    for (const { documentId } of last.evidence) expect(documentId).toBe('pricing.md');
  });
});

describe('a fact in very few words', () => {
  test('is answered, and not by its neighbour', async () => {
    await takeIn('short', {
      'plans.md': '# Plans\n\nGold plan: 40 crowns\n\nSilver plan costs exactly 25 crowns per month.\n',
      'wifi.md': '# Wi-Fi\n\nWi-Fi code is plum-77.\n',
    });
    expect((await ask('short', 'What does the Gold plan cost?')).answer).toContain('Gold plan: 40 crowns');
    expect((await ask('short', 'What is the Wi-Fi code?')).answer).toContain('plum-77');
  });
});

describe('a document that somebody may not read', () => {
  const secret = '# Discounts\n\nDiscounts above 16 % are approved by the finance director.\n';
  const send = async (token: string, text: string, metadata: object) => {
    const form = new FormData();
    form.append('file', new Blob([text]), 'discounts.md');
    form.append('metadata', JSON.stringify(metadata));
    const headers = { authorization: `Bearer ${token}`, prefer: 'wait=60' };
    const response = await fetch(`${house.url}/v1/documents`, { method: 'POST', headers, body: form });
    return (await response.json()) as { report: { documents: { state: string; code: string | null }[] } };
  };

  test('cannot be replaced by them', async () => {
    const kept = await send(tokenOf('finance'), secret, { id: 'discounts', groups: ['finance'] });
    expect(kept.report.documents[0]).toMatchObject({ state: 'ready' });
    const refused = await send(tokenOf('staff'), '# Discounts\n\nBob approves every discount himself.\n', {
      id: 'discounts',
    });
    expect(refused.report.documents[0]).toMatchObject({ state: 'failed', code: 'Document.Taken' });
    expect((await ask('finance', 'Who approves discounts above 16 %?')).answer).toContain('finance director');
    expect(await ask('staff', 'Who approves discounts above 16 %?')).toMatchObject({
      status: 'abstained',
      evidence: [],
    });
  });
});

describe('nothing to answer from', () => {
  test('an empty corpus is said to be empty', async () => {
    const outcome = await ask('empty', "What colour is Zembla's flag?");
    expect(outcome).toMatchObject({ status: 'abstained', reason: { code: 'empty_corpus' } });
  });

  test('another tenant sees nothing of what the others hold', async () => {
    const outcome = await ask('empty', 'What does the Gold plan cost a month?');
    expect(outcome).toMatchObject({ status: 'abstained', evidence: [], citations: [] });
  });
});
