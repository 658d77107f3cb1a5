import type { Reason } from '../../domain/contracts/answer.ts';

/** Why a run withholds an answer, in the words that its asker reads. */
export const reasons = {
  unclear: {
    code: 'unclear_question',
    message: 'There is no question in this text. Please ask one in words.',
  },
  smalltalk: {
    code: 'no_question',
    message: 'Nothing to look up. Please ask a question about the documents.',
  },
  emptyCorpus: {
    code: 'empty_corpus',
    message: 'The corpus is empty: there is no document that you may read. Ingest some first.',
  },
  noEvidence: {
    code: 'no_evidence',
    message: 'None of the documents that you may read speaks to this question.',
  },
  insufficient: {
    code: 'insufficient_evidence',
    message: 'The documents that you may read touch on this, but no sentence in them answers the question.',
  },
  notGrounded: {
    code: 'not_grounded',
    message: 'No statement could be made that its sources fully support.',
  },
} as const satisfies Record<string, Reason>;
