import { expect, test } from '@jest/globals';
import type { Citation, Outcome } from '../../../domain/contracts/answer.ts';
import { restsOn } from '../../../domain/rules/rests-on.ts';

const cites = (...statements: string[][]) => {
  const documents = [...new Set(statements.flat())];
  return {
    statements: statements.map((ids) => ({ text: 'So.', citations: ids.map((id) => documents.indexOf(id) + 1) })),
    citations: documents.map((documentId, n): Partial<Citation> => ({ n: n + 1, documentId })),
  } as Outcome;
};
const withdrawn = new Set(['reviewed/a', 'reviewed/b']);

test('an answer rests on documents if one of its statements has no other source', () => {
  expect(restsOn(cites(['reviewed/a', 'reviewed/b']), withdrawn)).toBe(true);
  expect(restsOn(cites(['handbook'], ['reviewed/a']), withdrawn)).toBe(true);
  expect(restsOn(cites(['handbook', 'reviewed/a']), withdrawn)).toBe(false);
  expect(restsOn(cites(['reviewed/c']), withdrawn)).toBe(false);
});
