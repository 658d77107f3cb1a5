import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../domain/contracts/answer.ts';
import type { DocumentReport } from '../../domain/contracts/ingestion.ts';
import { pdfOf } from '../parsers/support/pdf-files.ts';
import { House, type PlumblineProcess } from '../support/plumbline-process.ts';

/** Failures seen in other systems, each with a tenant of its own on a running stack. */
const tenants = ['harbour', 'tides', 'rail', 'inspection', 'silo', 'gold', 'short', 'empty'];
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

async function upload(
  tenant: string,
  files: Record<string, string | Uint8Array<ArrayBuffer>>,
): Promise<DocumentReport[]> {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) form.append('file', new Blob([content]), name);
  const headers = { authorization: `Bearer ${tokenOf(tenant)}`, prefer: 'wait=60' };
  const response = await fetch(`${house.url}/v1/documents`, { method: 'POST', headers, body: form });
  const { report } = (await response.json()) as { report: { documents: DocumentReport[] } };
  return report.documents;
}

async function takeIn(tenant: string, documents: Record<string, string>): Promise<void> {
  const reports = await upload(tenant, documents);
  expect(reports.map(({ state }) => state)).toEqual(Object.keys(documents).map(() => 'ready'));
}

async function ask(tenant: string, question: string): Promise<Outcome> {
  const headers = { prefer: 'wait=60' };
  const init = { method: 'POST', headers, token: tokenOf(tenant), body: JSON.stringify({ question }) };
  return (await (await house.fetch('/v1/questions', init)).json()) as Outcome;
}

describe('a PDF whose pages are pictures of text', () => {
  const picture = null;
  const permit = 'Permit HP-20, holder Marlo Quist';

  test('is ready with a warning that names them, or failed when there is no other page', async () => {
    const reports = await upload('harbour', {
      'harbour-permit.pdf': new Uint8Array(await pdfOf([permit, picture, picture, picture, picture])),
      'quay-plan.pdf': new Uint8Array(await pdfOf([picture, picture])),
      'night-shift.pdf': new Uint8Array(
        await pdfOf([
          'The night shift of the harbour starts at ten in the evening.',
          'The lamps along the quay are lit at nine by the second crew.',
          'The ropes of all ships are checked by the foreman twice a night.',
        ]),
      ),
    });
    const [first, second] = ['harbour-permit.pdf', 'quay-plan.pdf'].map((name) =>
      reports.find((one) => one.name === name),
    );
    expect(first).toMatchObject({
      state: 'ready_with_warnings',
      pages: 5,
      pagesWithoutText: [2, 3, 4, 5],
      passages: 1,
    });
    expect(first?.warnings.join(' ')).toContain('pages 2, 3, 4, 5');
    expect(second).toMatchObject({ state: 'failed', code: 'Document.NoText', passages: 0 });
    const listed = await house.fetch('/v1/documents', { token: tokenOf('harbour') });
    const { documents } = (await listed.json()) as { documents: { documentId: string; passages: number }[] };
    expect(documents).toMatchObject([
      { documentId: 'harbour-permit.pdf', passages: 1 },
      { documentId: 'night-shift.pdf' },
    ]);
  });

  test.each([
    'What does page 3 of the harbour permit say?',
    'What is the number of the harbour permit on p. 3?',
    'Who is the holder of harbour permit HP-20 on page three?',
    'Who is named on pages 2 to 5 of the harbour permit HP-20?',
    'I am reading page 3 of the harbour permit. Who is the holder?',
    'Wer ist laut Seite 3 holder of permit HP-20?',
  ])('is not answered from another page: %s', async (question) => {
    const outcome = await ask('harbour', question);
    expect(outcome).toMatchObject({ status: 'abstained', answer: null, citations: [] });
    expect(outcome.reason?.message).toMatch(/^Pages? (?:3|2–5) of “harbour-permit” gave no text when it was read/);
    const { reason } = outcome.evidence.find(({ documentId }) => documentId === 'harbour-permit.pdf') ?? {};
    expect(reason).toContain('on page 1; the question is about page');
  });

  test.each(['Who is the holder of permit HP-20?', 'Who is the holder of permit HP-20 on page 1?'])(
    'is answered from what was read: %s',
    async (question) => {
      const outcome = await ask('harbour', question);
      expect(outcome).toMatchObject({ status: 'answered', citations: [{ documentId: 'harbour-permit.pdf', page: 1 }] });
      expect(outcome.answer).toContain('Marlo Quist');
    },
  );

  test('a page of text is told from its neighbours', async () => {
    const outcome = await ask(
      'harbour',
      'When are the lamps along the quay lit, according to page 2 of the night shift?',
    );
    expect(outcome).toMatchObject({ status: 'answered', citations: [{ page: 2 }] });
    expect(outcome.answer).toContain('lit at nine');
    const none = await ask('harbour', 'Who checks the ropes, according to page 2 of the night shift?');
    expect(none.status).toBe('abstained');
    expect(none.reason?.message).toMatch(/^Nothing on page 2/);
  });
});

describe('a page among many that hardly differ', () => {
  const tide = (page: number) =>
    `Tide table of the outer basin, kept by the harbour office for the pilots\nand checked twice a day by the watch: high water stands at ${100 + page} cm.`;

  test('is answered from, not from its neighbours', async () => {
    const pages = Array.from({ length: 40 }, (_, n) => tide(n + 1));
    const [report] = await upload('tides', { 'tides.pdf': new Uint8Array(await pdfOf(pages)) });
    expect(report).toMatchObject({ state: 'ready', passages: 40 });
    const outcome = await ask('tides', 'How high is high water in the outer basin on page 33?');
    expect(outcome).toMatchObject({ status: 'answered', citations: [{ page: 33 }] });
    expect(outcome.answer).toContain('133 cm');
  });
});

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
