import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IndexError } from '../../adapters/index/port.ts';
import type { IndexPort } from '../../adapters/index/port.ts';
import { ModelError } from '../../adapters/models/port.ts';
import { fakeEmbedding } from './fake-embedding.ts';
import { openHouse, startStack } from './stack.ts';
import type { House, Stack } from './stack.ts';

let stack: Stack;
let house: House;
/** Called before a step touches the index or the model; may throw. */
let before: (call: string, documentId: string) => void;

const away = () => new IndexError('unavailable', 'connection refused', { retryable: true });

function fragile(index: IndexPort): IndexPort {
  return {
    ...index,
    stagePassages: async (key, passages) => {
      before('stage', key.documentId);
      await index.stagePassages(key, passages);
    },
    publishVersion: async (key) => {
      before('publish', key.documentId);
      await index.publishVersion(key);
    },
  };
}

beforeAll(async () => {
  stack = await startStack();
  const model = fakeEmbedding();
  const embedPassages: typeof model.embedPassages = async (texts, signal) => {
    before('embed', texts.join(' '));
    return model.embedPassages(texts, signal);
  };
  house = await openHouse(stack, { between: fragile, embedding: { ...model, embedPassages } });
});
afterAll(async () => {
  await house?.close();
  await stack?.close();
});

describe('an index that is away', () => {
  test('for a moment costs a retry, not the document', async () => {
    const tenant = house.tenant();
    let failures = 0;
    before = (call) => {
      if (call !== 'embed' && ++failures <= 2) throw away();
    };
    const report = await tenant.ingest([await tenant.file('a.md', 'The ferry leaves at nine.')], { attempts: 4 });
    expect(report.counts.ready).toBe(1);
    expect(failures).toBeGreaterThan(2);
  });

  test.each(['stage', 'publish'])(
    'for good at %s fails the document with its code; its old version stays, others go on',
    async (step) => {
      const tenant = house.tenant();
      before = () => {};
      await tenant.ingest([await tenant.file('a.md', 'The ferry leaves at nine.')]);
      before = (call, documentId) => {
        if (call === step && documentId === 'a.md') throw away();
      };
      const report = await tenant.ingest(
        [await tenant.file('a.md', 'The ferry leaves at ten.'), await tenant.file('b.md', 'Bikes travel free.')],
        { attempts: 2 },
      );
      expect(report.documents.find(({ name }) => name === 'a.md')).toMatchObject({
        state: 'failed',
        code: 'Index.Unavailable',
        passages: 0,
      });
      expect(report.documents.find(({ name }) => name === 'b.md')).toMatchObject({ state: 'ready' });
      expect(await house.index.documentText(tenant.access, 'a.md')).toBe('The ferry leaves at nine.');
      expect(await tenant.found('ten')).toEqual([]);
      expect(await tenant.counts()).toEqual({ documents: 2, passages: 2 });
    },
  );

  test('for many documents in a row is not waited for each time', async () => {
    const tenant = house.tenant();
    const tries = new Map<string, number>();
    before = (call, documentId) => {
      if (call !== 'stage') return;
      tries.set(documentId, (tries.get(documentId) ?? 0) + 1);
      if (documentId !== 'n13.md') throw away();
    };
    const files = [];
    for (let n = 10; n < 16; n++) files.push(await tenant.file(`n${n}.md`, `Note ${n} is here.`));
    for (let n = 0; n < 8; n++) files.unshift(await tenant.file(`m${n}.md`, `Memo ${n} is here.`));
    const report = await tenant.ingest(files, { attempts: 2, parallel: 1 });
    expect(report.counts).toMatchObject({ ready: 1, failed: 13 });
    expect(tries.get('m0.md')).toBe(2);
    expect(tries.get('n12.md')).toBe(1);
    expect(tries.get('n15.md')).toBe(2);
  });
});

test('a model that is not installed fails the document at once, with its code', async () => {
  const tenant = house.tenant();
  let calls = 0;
  before = (call) => {
    if (call !== 'embed') return;
    calls++;
    throw new ModelError('not_installed', 'the model file is not there', { retryable: false });
  };
  const report = await tenant.ingest([await tenant.file('a.md', 'The ferry leaves at nine.')]);
  expect(report.documents).toEqual([expect.objectContaining({ code: 'Model.NotInstalled' })]);
  expect(calls).toBe(1);
});
