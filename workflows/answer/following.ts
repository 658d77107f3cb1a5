import type { ActivityFailure } from '@temporalio/workflow';
import type { Outcome } from '../../domain/contracts/answer.ts';
import type { AddedEvidence, ReviewDecision } from '../../domain/contracts/review.ts';
import { reviewPolicyOf } from '../../domain/review/no-reviews.ts';
import { checkAgain } from './drafting.ts';
import { gradeReviewers, noteReview, searchAgain } from './evidence.ts';
import { adopted, denied, expired, type Reached } from './outcome.ts';
import type { FinalDecision, ReviewDesk } from './review-desk.ts';
import { reviewExpired } from './run-failure.ts';
import type { RunState } from './state.ts';
import { goOnWithout, runStep, typeOf } from './steps.ts';

interface Reviewed {
  outcome: Outcome;
  desk: ReviewDesk;
  conclude: (state: RunState) => Promise<Outcome>;
}

type Of<K extends ReviewDecision['kind']> = Extract<ReviewDecision, { kind: K }>;

/** Does what a person decided on an outcome, or what the policy says where nobody did. */
export async function follow(state: RunState, decision: FinalDecision, reviewed: Reviewed): Promise<Reached> {
  const { outcome } = reviewed;
  switch (decision.kind) {
    case 'confirm':
      return { outcome: await released(state, outcome), final: true };
    case 'reject':
      return { outcome: denied(state, decision.reason), final: true };
    case 'answer':
      return adopt(state, decision, reviewed);
    case 'addEvidence':
      return goOnWith(state, decision.evidence, reviewed);
    case 'retry':
      await searchAgain(state, decision);
      return { outcome: await reviewed.conclude(state), final: false };
    case 'expired':
      return { outcome: await afterDeadline(state, outcome), final: true };
  }
}

/** Days may have passed: what a draft quotes must still be there, and still be open to the asker. */
async function released(state: RunState, outcome: Outcome): Promise<Outcome> {
  if (outcome.statements.length > 0) await checkAgain(state, outcome);
  return outcome;
}

async function afterDeadline(state: RunState, outcome: Outcome): Promise<Outcome> {
  const deadline = state.review()?.deadline ?? '';
  const { atDeadline } = reviewPolicyOf(state.input.policy);
  if (atDeadline === 'fail') throw reviewExpired(deadline);
  if (atDeadline === 'publish_partial' && outcome.statements.length > 0) return released(state, outcome);
  return expired(state, outcome, deadline);
}

/** The reviewer's own answer, if it stands in its source or the reviewer vouches for it; else it is given back with the reasons. */
async function adopt(state: RunState, { text, source, vouched }: Of<'answer'>, reviewed: Reviewed): Promise<Reached> {
  const answer = await orGivenBack(state, { reviewed, step: 'adopt-answer' }, () =>
    runStep(state, 'adopt-answer', {
      input: { ...given(state), text, source, vouched, reviewer: state.review()?.decided?.by ?? '' },
      summary: 'take the answer of a reviewer',
      done: ({ grounding, statements }) => `${statements.length} statements, ${grounding.status}`,
    }),
  );
  if ('final' in answer) return answer;
  if (answer.grounding.status === 'pass') {
    state.add(answer.evidence);
    return { outcome: adopted(state, answer), final: true };
  }
  const wrong = answer.grounding.statements.flatMap(({ supported, reason }, n) =>
    supported ? [] : [`"${answer.statements[n]?.text ?? ''}": ${reason}`],
  );
  return givenBack(reviewed, `the answer does not stand in its source: ${wrong.join('; ')}`);
}

async function goOnWith(state: RunState, evidence: AddedEvidence, reviewed: Reviewed): Promise<Reached> {
  const { web, retrieval } = state.input.policy;
  const startedAt = Date.now();
  const added = await orGivenBack(state, { reviewed, step: 'add-evidence' }, () =>
    runStep(state, 'add-evidence', {
      input: { ...given(state), evidence, web, nearDuplicate: retrieval.nearDuplicate, k: retrieval.k },
      summary: `take in evidence of a reviewer (${evidence.from})`,
      done: ({ evidence: found, note }) => `${found.length} passages${note === null ? '' : `; ${note}`}`,
    }),
  );
  if ('final' in added) return added;
  const fresh = state.add(added.evidence);
  if (fresh.length === 0) return givenBack(reviewed, added.note ?? 'this evidence is known already');
  state.fromReviewers.push(...fresh);
  await gradeReviewers(state, fresh);
  noteReview(state, { query: '', found: fresh.length, startedAt, note: added.note });
  return { outcome: await reviewed.conclude(state), final: false };
}

/** What the steps need that take in what a reviewer gave. */
function given(state: RunState) {
  const { access, policy } = state.input;
  const { authority } = reviewPolicyOf(policy);
  return { access, question: state.searchText, authority, keepHours: policy.web.keepHours };
}

const failedSteps = {
  'adopt-answer': 'the answer could not be taken',
  'add-evidence': 'the evidence could not be taken in',
} as const;

/** A step that fails for good gives the review back instead of ending the run. */
async function orGivenBack<T>(
  state: RunState,
  { reviewed, step }: { reviewed: Reviewed; step: keyof typeof failedSteps },
  run: () => Promise<T>,
): Promise<T | Reached> {
  try {
    return await run();
  } catch (error) {
    goOnWithout(state, error, { step, instead: 'the review is open again' });
    return givenBack(reviewed, `${failedSteps[step]}: ${typeOf(error as ActivityFailure)}`);
  }
}

function givenBack({ outcome, desk }: Reviewed, why: string): Reached {
  desk.giveBack(why);
  return { outcome, final: false };
}
