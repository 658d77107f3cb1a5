import { expect, test } from '@jest/globals';
import { withOutages } from '../../../domain/rules/outages.ts';

const reason = { code: 'no_evidence', message: 'None of the documents speaks to this.' } as const;
const down = { step: 'search-web', reason: 'Web.Unavailable', instead: 'what the corpus gives' } as const;

test('a reason says that the web could not be searched, once, and keeps its code', () => {
  expect(withOutages(reason, [down, { ...down }])).toEqual({
    code: 'no_evidence',
    message: 'None of the documents speaks to this. The web could not be searched (Web.Unavailable).',
  });
});

test('a reason stays as it is when what failed was made up for', () => {
  expect(withOutages(reason, [])).toBe(reason);
  expect(withOutages(reason, [{ step: 'grade', reason: 'Model.Timeout', instead: 'the local grades alone' }])).toBe(
    reason,
  );
});
