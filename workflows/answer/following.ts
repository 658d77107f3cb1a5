import type { ActivityFailure } from '@temporalio/workflow';
import type { Outcome } from '../../domain/contracts/answer.ts';
import type { AddedEvidence, ReviewDecision } from '../../domain/contracts/review.ts';
import { checkAgain } from './drafting.ts';
import { gradeReviewers, noteReview, searchAgain } from './evidence.ts';
import { adopted, denied, expired, type Reached } from './outcome.ts';
import type { FinalDecision, ReviewDesk } from './review-desk.ts';
import { reviewExpired } from './run-failure.ts';
import { reviewPolicyOf } from '../../domain/review/no-reviews.ts';
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
  const { access, policy, question } = state.input;
  const back = (why: string) => givenBack(reviewed, why);
  try {
    const answer = await runStep(state, 'adopt-answer', {
      input: {
        access,
        question: state.analysis?.searchText ?? question,
        text,
        source,
        vouched,
        reviewer: state.review()?.decided?.by ?? '',
        authority: reviewPolicyOf(policy).authority,
        keepHours: policy.web.keepHours,
      },
      summary: 'take the answer of a reviewer',
      done: ({ grounding, statements }) => `${statements.length} statements, ${grounding.status}`,
    });
    if (answer.grounding.status === 'pass') {
      state.add(answer.evidence);
      return { outcome: adopted(state, answer), final: true };
    }
    const wrong = answer.grounding.statements.flatMap(({ supported, reason }, n) =>
      supported ? [] : [`"${answer.statements[n]?.text ?? ''}": ${reason}`],
    );
    return back(`the answer does not stand in its source: ${wrong.join('; ')}`);
  } catch (error) {
    goOnWithout(state, error, { step: 'adopt-answer', instead: 'the review is open again' });
    return back(`the answer could not be taken: ${typeOf(error as ActivityFailure)}`);
  }
}

async function goOnWith(state: RunState, evidence: AddedEvidence, reviewed: Reviewed): Promise<Reached> {
  const { access, policy, question } = state.input;
  const startedAt = Date.now();
  try {
    const added = await runStep(state, 'add-evidence', {
      input: {
        access,
        question: state.analysis?.searchText ?? question,
        evidence,
        authority: reviewPolicyOf(policy).authority,
        keepHours: policy.web.keepHours,
        web: policy.web,
        nearDuplicate: policy.retrieval.nearDuplicate,
        k: policy.retrieval.k,
      },
      summary: `take in evidence of a reviewer (${evidence.from})`,
      done: ({ evidence: found, note }) => `${found.length} passages${note === null ? '' : `; ${note}`}`,
    });
    const fresh = state.add(added.evidence);
    if (fresh.length === 0) return givenBack(reviewed, added.note ?? 'this evidence is known already');
    state.fromReviewers.push(...fresh);
    await gradeReviewers(state, fresh);
    noteReview(state, { query: '', found: fresh.length, startedAt, note: added.note });
    return { outcome: await reviewed.conclude(state), final: false };
  } catch (error) {
    if (isStepOf(error, 'addEvidence')) {
      goOnWithout(state, error, { step: 'add-evidence', instead: 'the review is open again' });
      return givenBack(reviewed, `the evidence could not be taken in: ${typeOf(error as ActivityFailure)}`);
    }
    throw error;
  }
}

function isStepOf(error: unknown, activityType: string): boolean {
  return (error as Partial<ActivityFailure>).activityType === activityType;
}

function givenBack({ outcome, desk }: Reviewed, why: string): Reached {
  desk.giveBack(why);
  return { outcome, final: false };
}
