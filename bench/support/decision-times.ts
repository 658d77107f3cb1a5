import { setTimeout as pause } from 'node:timers/promises';
import type { ReviewDecision } from '../../domain/contracts/review.ts';
import type { Service } from './ask-over-http.ts';
import { reviewed } from './review-policies.ts';
import { Reviewer } from './reviewer.ts';
import { elapsed } from './statistics.ts';
import { watchOverHttp } from './watch-over-http.ts';

export interface DecisionTime {
  /** From sending the decision to the first step after it, or to the run's end where there is none, as the run's event stream brings it. */
  continuedMs: number;
  /** From sending it to its answer. */
  answeredMs: number;
}

const settledMs = 100;

/** One run after the other; each is decided when it has waited for a moment, and confirmed where it comes to a further round. */
export async function decisionTimes(
  service: Service,
  questions: string[],
  decision: ReviewDecision,
): Promise<DecisionTime[]> {
  const times: DecisionTime[] = [];
  for (const question of questions) times.push(await timed(service, question, decision));
  return times;
}

async function timed(service: Service, question: string, decision: ReviewDecision): Promise<DecisionTime> {
  const reviewer = new Reviewer(service);
  const decided: Promise<void>[] = [];
  let sentAt = Number.NaN;
  let continuedMs = Number.NaN;
  let answeredMs = Number.NaN;
  const decide = async (id: string) => {
    await pause(settledMs);
    sentAt = performance.now();
    answeredMs = await elapsed(() => reviewer.decide(id, decision));
  };
  const confirm = async (id: string, round: number) => void (await reviewer.decide(id, { kind: 'confirm' }, round));
  await watchOverHttp(service, {
    question,
    policy: reviewed,
    onEvent: (event, id) => {
      if (event.type === 'review-request') decided.push(event.round === 1 ? decide(id) : confirm(id, event.round));
      const continues = event.type === 'step-start' || event.type === 'run-end';
      if (continues && Number.isNaN(continuedMs)) continuedMs = performance.now() - sentAt;
    },
  });
  await Promise.all(decided);
  return { continuedMs, answeredMs };
}
