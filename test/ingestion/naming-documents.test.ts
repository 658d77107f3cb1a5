import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { documentIdFromName } from '../../activities/ingestion/document-id.ts';
import { metadataOverridesSchema } from '../../domain/contracts/document.ts';
import { runFiles } from '../../domain/ingestion/run-files.ts';

describe('the id of a document without one', () => {
  test('is its name where that can be an id', () => {
    expect(documentIdFromName('policies/returns-2025.md')).toBe('policies/returns-2025.md');
    expect(documentIdFromName('手引き/点検.txt')).toBe('手引き/点検.txt');
  });

  test('keeps the readable part and tells names apart where not', () => {
    const id = documentIdFromName('My report (final).docx');
    expect(id).toMatch(/^My-report-final-\.docx-[0-9a-f]{8}$/);
    expect(documentIdFromName('My report [final].docx')).not.toBe(id);
  });

  test('is always valid, and the same for the same name', () => {
    const name = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }),
      fc.constantFrom('', '...', '../../x', '𠮷'.repeat(300)),
    );
    fc.assert(
      fc.property(name, (given) => {
        const id = documentIdFromName(given);
        expect(metadataOverridesSchema.safeParse({ id }).error).toBeUndefined();
        expect(documentIdFromName(given)).toBe(id);
      }),
    );
  });

  test('differs for different names', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        fc.pre(a.normalize('NFC') !== b.normalize('NFC'));
        expect(documentIdFromName(a)).not.toBe(documentIdFromName(b));
      }),
    );
  });
});

test('a run keeps its files in a folder of its own, whatever its id', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('..', '.', '../..', 'a/b')), (id) => {
      fc.pre(id.isWellFormed());
      const parts = runFiles(id).folder.split('/');
      expect(parts).toHaveLength(2);
      expect(parts[1]).not.toMatch(/^\.*$/);
    }),
  );
  expect(runFiles('a/b').folder).not.toBe(runFiles('a%2Fb').folder);
});
