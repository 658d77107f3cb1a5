import { setImmediate as othersFirst } from 'node:timers/promises';
import type { ReviewDecision } from '../domain/contracts/review.ts';
import { groundAnswer } from '../domain/review/answer-grounding.ts';
import { PlumblineError } from './failures.ts';

/** The run would give an answer back that does not stand in the source given with it: better to say so at once. @throws PlumblineError `Review.NotGrounded` */
export async function requireGrounded(reviewer: string, decision: ReviewDecision): Promise<void> {
  if (decision.kind !== 'answer' || decision.vouched || decision.source.text === null) return;
  const { text, source, vouched } = decision;
  const given = { text, sourceText: source.text, vouched, reviewer };
  const { grounding, statements } = await groundAnswer(given, othersFirst);
  if (grounding.status === 'pass') return;
  const judged = grounding.statements.map((judgement, n) => ({ text: statements[n]?.text ?? '', ...judgement }));
  const wrong = judged.flatMap(({ supported, reason }, n) => (supported ? [] : [`statement ${n + 1}: ${reason}`]));
  const why = wrong.length === 0 ? 'it says nothing' : wrong.join('; ');
  throw new PlumblineError(
    'Review.NotGrounded',
    `the source does not say it all (${why}); correct the answer or the source, or vouch for it yourself ("vouched": true, or --vouch)`,
    { members: { statements: judged } },
  );
}
