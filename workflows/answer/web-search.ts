import type { ActivityFailure } from '@temporalio/workflow';
import type { SearchWebOutput } from '../../activities/search-web.ts';
import type { EvidenceRef } from '../../domain/contracts/evidence.ts';
import type { RunState } from './state.ts';
import { goOnWithout, recordOf, runStep, typeOf } from './steps.ts';

export interface FoundOutside {
  evidence: EvidenceRef[];
  /** What left the house, also when nothing came back. */
  sent: string | null;
  note: string | null;
  /** Whether a person must allow it first. */
  asks: boolean;
}

/** Asks the web, and a browser for pages that only it can read, where the policy says so. What fails for good found nothing, and the note says why. */
export async function searchWeb(state: RunState, query: string): Promise<FoundOutside> {
  const found = await search(state, query);
  if (!state.input.policy.web.browser || found.unread.length === 0) return found;
  const shown = await render(state, found.unread);
  const notes = [found.note, shown.note].filter((note) => note !== null);
  const evidence = [...found.evidence, ...shown.evidence];
  return { ...found, evidence, note: notes.length > 0 ? notes.join('; ') : null };
}

async function search(state: RunState, query: string): Promise<Omit<SearchWebOutput, 'ms' | 'calls'>> {
  const input = {
    ...common(state),
    asked: state.input.question,
    query,
    identifiers: state.analysis?.identifiers ?? [],
    corpusPassages: state.corpusEvidence(),
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
    const sent = recordOf(error).sent ?? null;
    return { evidence: [], unread: [], sent, asks: false, note: `the web search failed: ${why}` };
  }
}

async function render(state: RunState, urls: string[]): Promise<{ evidence: EvidenceRef[]; note: string | null }> {
  try {
    return await runStep(state, 'render-pages', {
      input: { ...common(state), urls },
      summary: `read ${urls.length} page(s) by a browser`,
      done: ({ evidence }) => `${evidence.length} passages`,
    });
  } catch (error) {
    goOnWithout(state, error, { step: 'render-pages', instead: 'pages that need no scripts' });
    return { evidence: [], note: `no browser read the rest: ${typeOf(error as ActivityFailure)}` };
  }
}

function common(state: RunState) {
  const { access, policy } = state.input;
  return {
    access,
    question: state.searchText,
    web: policy.web,
    nearDuplicate: policy.retrieval.nearDuplicate,
    k: policy.retrieval.k,
    permitted: state.webPermitted,
  };
}
