import type { ActivityFailure } from '@temporalio/workflow';
import type { EvidenceRef } from '../../domain/contracts/evidence.ts';
import type { RunState } from './state.ts';
import { goOnWithout, recordOf, runStep, typeOf } from './steps.ts';

export interface FoundOutside {
  evidence: EvidenceRef[];
  /** What left the house, also when nothing came back. */
  sent: string | null;
  note: string | null;
}

/** Asks the web; when that fails for good, nothing was found and the note says why. */
export async function searchWeb(state: RunState, query: string): Promise<FoundOutside> {
  const { access, question, policy } = state.input;
  const input = {
    access,
    question: state.analysis?.searchText ?? question,
    query,
    identifiers: state.analysis?.identifiers ?? [],
    corpusPassages: state.corpusEvidence(),
    web: policy.web,
    nearDuplicate: policy.retrieval.nearDuplicate,
    k: policy.retrieval.k,
  };
  try {
    return await runStep(state, 'search-web', {
      input,
      // What of the query may leave is decided in the step.
      summary: 'search the web',
      done: ({ evidence, note }) => `${evidence.length} passages${note === null ? '' : `; ${note}`}`,
    });
  } catch (error) {
    goOnWithout(state, error, { step: 'search-web', instead: 'what the corpus gives' });
    const why = typeOf(error as ActivityFailure);
    return { evidence: [], sent: recordOf(error).sent ?? null, note: `the web search failed: ${why}` };
  }
}
