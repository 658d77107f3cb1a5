import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DocumentReport } from '../../domain/contracts/ingestion.ts';
import { fileKey, planSync } from '../../domain/ingestion/sync-plan.ts';
import type { SyncedDocument } from '../../domain/ingestion/sync-plan.ts';

const report = (name: string, state: DocumentReport['state'], documentId = name): DocumentReport => ({
  documentId,
  name,
  state,
  code: null,
  message: null,
  warnings: [],
  pages: null,
  pagesWithoutText: [],
  passages: 1,
  bytes: 1,
  ms: 1,
});
const known = (...names: string[]) =>
  new Map<string, SyncedDocument>(names.map((name) => [name, { name, since: 'before' }]));
const plan = (over: Partial<Parameters<typeof planSync>[0]>) =>
  planSync({ run: 'now', documents: new Map(), scan: { names: [], away: [] }, reports: [], ...over });

describe('what a run means for the documents known before', () => {
  test('what was noted by the run itself already is still new: the step may be repeated', () => {
    const documents = new Map([['a', { name: 'a', since: 'now' }]]);
    const facts = { documents, scan: { names: ['a'], away: [] }, reports: [report('a', 'ready')] };
    expect(plan(facts).counts).toMatchObject({ added: 1, changed: 0 });
    expect(plan({ ...facts, documents: known('a') }).counts).toMatchObject({ added: 0, changed: 1 });
  });

  test('a listed file without a report keeps its document', () => {
    expect(plan({ documents: known('a', 'b'), scan: { names: ['a'], away: [] } }).vanished).toEqual(['b']);
  });

  test('a place is a folder with all below it, not all that begins like it', () => {
    const documents = known('deep/a.md', 'deep.md', 'deeper/a.md');
    expect(plan({ documents, scan: { names: [], away: ['deep'] } }).vanished).toEqual(['deep.md', 'deeper/a.md']);
  });

  test('of two files whose names are alike in their first 300 characters, one that failed keeps the documents', () => {
    const key = fileKey('x'.repeat(400));
    const documents = new Map([['old', { name: key, since: 'before' }]]);
    const reports = [report(key, 'ready', 'new'), report(key, 'failed', '')];
    expect(plan({ documents, scan: { names: [key, key], away: [] }, reports }).vanished).toEqual([]);
  });

  test('only a known document vanishes, and none that a file bears, that failed or that is in a place not looked at', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd/e', 'd/f');
    const states = fc.constantFrom('ready' as const, 'unchanged' as const, 'failed' as const);
    const facts = fc.record({
      before: fc.uniqueArray(name),
      listed: fc.uniqueArray(fc.tuple(name, states, fc.constantFrom('', 'a', 'z')), { selector: ([file]) => file }),
      away: fc.uniqueArray(fc.constantFrom('a', 'd', 'd/e')),
    });
    fc.assert(
      fc.property(facts, ({ before, listed, away }) => {
        const reports = listed.map(([file, state, id]) =>
          report(file, state, id === '' && state !== 'failed' ? file : id),
        );
        const scan = { names: listed.map(([file]) => file), away };
        const { vanished, counts } = plan({ documents: known(...before), scan, reports });
        expect(counts.added + counts.changed + counts.unchanged + counts.failed).toBe(reports.length);
        for (const id of vanished) {
          expect(before).toContain(id);
          expect(reports.map(({ documentId }) => documentId)).not.toContain(id);
          expect(reports.filter(({ state }) => state === 'failed').map(({ name }) => name)).not.toContain(id);
          expect(away.some((place) => id === place || id.startsWith(`${place}/`))).toBe(false);
        }
        const gone = before.filter(
          (id) => !scan.names.includes(id) && !away.some((place) => `${id}/`.startsWith(`${place}/`)),
        );
        for (const id of gone) expect([...vanished, ...reports.map(({ documentId }) => documentId)]).toContain(id);
      }),
    );
  });
});
