import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { listSourceFiles } from '../../client/source-files.ts';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import { runFiles } from '../../domain/ingestion/run-files.ts';
import { fakeEmbedding } from './fake-embedding.ts';
import { openHouse, startStack } from './stack.ts';
import type { House, Stack, Tenant } from './stack.ts';

let stack: Stack;
let house: House;
let tenant: Tenant;
let embedded: string[];
let afterParsing: (path: string) => Promise<void>;

function countingEmbedding(): EmbeddingModel {
  const model = fakeEmbedding();
  return {
    ...model,
    embedPassages: (texts, signal) => {
      embedded.push(...texts);
      return model.embedPassages(texts, signal);
    },
  };
}

beforeAll(async () => {
  stack = await startStack();
  house = await openHouse(stack, {
    embedding: countingEmbedding(),
    parser: (parser) => ({
      ...parser,
      parse: async (file, signal) => {
        const parsed = await parser.parse(file, signal);
        await afterParsing(file.path);
        return parsed;
      },
    }),
  });
});
afterAll(async () => {
  await house?.close();
  await stack?.close();
});
beforeEach(() => {
  embedded = [];
  afterParsing = async () => {};
  tenant = house.tenant();
});

const fees = '# Fees\n\n## Late payment\n\nThe fee for late payment is 12 %. It falls due at once.\n';

describe('the sample corpus', () => {
  test('is taken in whole; a second time nothing is embedded again', async () => {
    const listing = await listSourceFiles([join(import.meta.dirname, '../../examples/corpus')]);
    expect(listing.skipped).toEqual([]);
    const report = await tenant.ingest(listing.files);
    expect(report.counts.ready).toBe(listing.files.length);
    expect(report.documents).toHaveLength(listing.files.length);
    expect(await house.index.document(tenant.access, 'returns-policy-2025')).toMatchObject({
      metadata: { supersedes: 'returns-policy-2022' },
    });
    expect(await tenant.found('restocking fee')).toContain('returns-policy-2025');

    const count = embedded.length;
    const again = await tenant.ingest(listing.files);
    expect(again.counts).toMatchObject({ ready: 0, unchanged: listing.files.length, passages: 0 });
    expect(embedded).toHaveLength(count);
  });
});

describe('a document', () => {
  test('in text or HTML is found by its words; the citation offsets select its text', async () => {
    await tenant.ingest([
      await tenant.file('floor.txt', 'The \ufb01nal o\ufb03ce \ufb02oor plan is certi\ufb01ed.\n'),
      await tenant.file(
        'page.html',
        '<html><head><title>Rates</title></head><body><h1>Rates</h1><p>Call-out costs EUR 690.</p></body></html>',
      ),
    ]);
    expect(await tenant.found('certified office floor')).toEqual(['floor.txt']);
    expect(await tenant.found('call-out costs')).toEqual(['page.html']);
    const text = await house.index.documentText(tenant.access, 'floor.txt');
    const { bm25 } = await house.index.search(tenant.access, {
      text: 'certified',
      identifiers: [],
      vector: null,
      candidates: 3,
      statuses: ['active'],
      asOf: '2026-06-01',
    });
    const [passage] = await house.index.passages(
      tenant.access,
      bm25.map(({ passageId }) => passageId),
      { vectors: true },
    );
    expect(passage?.text).toBe('The final office floor plan is certified.');
    expect(text?.slice(passage?.start, passage?.end)).toBe(passage?.text);
    expect(passage?.stripVectors).toHaveLength(passage?.strips.length ?? -1);
  });

  test('in a new version replaces the old one whole', async () => {
    const sections = (n: number, gold: number) =>
      Array.from(
        { length: n },
        (_, i) =>
          `## Plan ${i}\n\n${i === 1 ? `Gold plan: ${gold} crowns.` : `Plan ${i} is for ${'many '.repeat(40)}users.`}\n`,
      ).join('\n');
    await tenant.ingest([await tenant.file('pricing.md', `# Pricing\n\n${sections(8, 40)}`)]);
    const before = await tenant.counts();
    const report = await tenant.ingest([await tenant.file('pricing.md', `# Pricing\n\n${sections(3, 55)}`)]);
    const after = await tenant.counts();
    expect(after.passages).toBe(report.documents[0]?.passages);
    expect(after.passages).toBeLessThan(before.passages);
    expect(await house.index.documentText(tenant.access, 'pricing.md')).toContain('55 crowns');
  });

  test('with a new title is embedded anew, since its title is part of what is embedded', async () => {
    const file = await tenant.file('fees.md', fees);
    await tenant.ingest([file]);
    const report = await tenant.ingest([{ ...file, overrides: { title: 'Charges' } }]);
    expect(report.counts.ready).toBe(1);
    expect(embedded.at(-1) ?? '').toBeTruthy();
    expect(embedded.some((text) => text.startsWith('Charges\nFees'))).toBe(true);
  });

  test('whose rights alone change is not embedded again, and the change holds at once', async () => {
    const file = await tenant.file('fees.md', fees);
    await tenant.ingest([file]);
    const count = embedded.length;
    for (const groups of [['finance'], ['board']]) {
      const report = await tenant.ingest([{ ...file, overrides: { groups } }]);
      expect(report.documents).toEqual([expect.objectContaining({ state: 'unchanged', passages: 1 })]);
      expect(await tenant.found('late payment')).toEqual([]);
      expect(await tenant.found('late payment', groups)).toEqual(['fees.md']);
    }
    expect(await tenant.found('late payment', ['finance'])).toEqual([]);
    expect(embedded).toHaveLength(count);
  });
});

test('two runs that take in the same bytes at the same time both end well', async () => {
  const text = Array.from(
    { length: 60 },
    (_, n) => `## Part ${n}\n\n${`Part ${n} has bolts of kind ${n}. `.repeat(15)}\n`,
  ).join('\n');
  const file = await tenant.file('parts.md', text);
  const reports = await Promise.all([tenant.ingest([file]), tenant.ingest([file])]);
  for (const { counts } of reports) expect(counts.ready + counts.unchanged).toBe(1);
  const passages = Math.max(...reports.map(({ counts }) => counts.passages));
  expect(await tenant.counts()).toEqual({ documents: 1, passages });
});

describe('metadata', () => {
  test('of the call outweighs the sidecar, which outweighs front matter', async () => {
    const front =
      '---\nid: fees\ntitle: From front matter\ntags: [a]\nauthority: 10\neffectiveFrom: 2025-07-01\nauthor: someone\n---\n';
    await tenant.file('fees.md.meta.json', JSON.stringify({ title: 'From sidecar', tags: ['b'] }));
    const report = await tenant.ingest([await tenant.file('fees.md', front + fees, { tags: ['c'] })]);
    expect(report.documents).toEqual([expect.objectContaining({ documentId: 'fees', state: 'ready' })]);
    expect((await house.index.document(tenant.access, 'fees'))?.metadata).toMatchObject({
      title: 'From sidecar',
      tags: ['c'],
      authority: 10,
      effectiveFrom: '2025-07-01',
      groups: [],
    });
  });

  test.each([
    { named: ['front matter', 'groups'], front: 'groups: hr' },
    { named: ['front matter', 'effectiveFrom'], front: 'effectiveFrom: soon' },
    { named: ['front matter', 'Group'], front: 'Group: [hr]' },
    { named: ['effectiveTo', 'before'], front: 'effectiveFrom: 2025-07-01\neffectiveTo: 2025-06-30' },
    { named: ['fees.md.meta.json', 'authority'], sidecar: '{"authority": 500}' },
    { named: ['fees.md.meta.json', 'acl'], sidecar: '{"acl": ["hr"]}' },
    { named: ['fees.md.meta.json', 'JSON'], sidecar: '{"groups": ["hr"]' },
    { named: ['the call', 'groups'], call: { groups: [''] } },
  ])('that is wrong fails the document and is named: $named', async ({ named, front, sidecar, call }) => {
    if (sidecar) await tenant.file('fees.md.meta.json', sidecar);
    const text = front ? `---\n${front}\n---\n${fees}` : fees;
    const report = await tenant.ingest([await tenant.file('fees.md', text, call), await tenant.file('other.md', fees)]);
    const [failed] = report.documents.filter(({ state }) => state === 'failed');
    expect(failed).toMatchObject({ name: 'fees.md', code: 'Document.BadMetadata', passages: 0 });
    for (const word of named) expect(failed?.message).toContain(word);
    expect(report.counts).toMatchObject({ ready: 1, failed: 1 });
    expect(await tenant.counts()).toMatchObject({ documents: 1 });
  });
});

describe('what cannot be taken in', () => {
  test('is reported with its code while the others go on', async () => {
    const missing = await tenant.file('gone.md', fees);
    await rm(missing.path);
    const report = await tenant.ingest([
      missing,
      await tenant.file('empty.md', '\n\n'),
      await tenant.file('picture.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')),
      await tenant.file('good.md', fees),
    ]);
    const codes = Object.fromEntries(report.documents.map(({ name, code }) => [name, code]));
    expect(codes).toEqual({
      'gone.md': 'Document.Unreadable',
      'empty.md': 'Document.NoText',
      'picture.png': 'Document.UnknownType',
      'good.md': null,
    });
    expect(await tenant.counts()).toMatchObject({ documents: 1 });
  });

  test('a second file under one id of the run does not replace the first', async () => {
    const files = [
      await tenant.file('a.md', `---\nid: same\n---\n${fees}`),
      await tenant.file('b.md', `---\nid: same\n---\nOther text.\n`),
    ];
    const report = await tenant.ingest(files, { parallel: 1 });
    expect(report.documents.map(({ name, code }) => [name, code])).toEqual([
      ['a.md', null],
      ['b.md', 'Document.DuplicateId'],
    ]);
    expect(report.documents[1]?.message).toContain('a.md');
    expect(await house.index.documentText(tenant.access, 'same')).toContain('late payment');
  });

  test('names that an id cannot hold stay apart', async () => {
    const files = [
      await tenant.file('a b.md', fees),
      await tenant.file('a-b.md', fees),
      await tenant.file('a+b.md', fees),
      await tenant.file('Übersicht/fées.md', fees),
    ];
    const report = await tenant.ingest(files);
    expect(report.counts.ready).toBe(4);
    const ids = report.documents.map(({ documentId }) => documentId);
    expect(new Set(ids).size).toBe(4);
    expect(ids).toContain('a-b.md');
    expect(ids).toContain('Übersicht/fées.md');
  });
});

test('no working file is left after a run, only its report', async () => {
  const handle = await tenant.start({
    files: [await tenant.file('fees.md', fees), await tenant.file('bad.md', '---\ngroups: hr\n---\nText.')],
  });
  await handle.result();
  expect(await readdir(join(house.spoolDir, runFiles(handle.workflowId).folder))).toEqual(['reports']);
});

test('a file that is written to while it is read is read again', async () => {
  const file = await tenant.file('fees.md', fees);
  let reads = 0;
  afterParsing = async (path) => {
    if (++reads === 1) await utimes(path, new Date(), new Date(Date.now() + 5000));
  };
  const report = await tenant.ingest([file]);
  expect(report.counts.ready).toBe(1);
  expect(reads).toBe(2);
});
