import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome } from '../../domain/contracts/answer.ts';

/** Where to ask, and as whom. */
export interface Service {
  apiUrl: string;
  principals: { token: string };
}

export interface TimedOutcome {
  outcome: Outcome;
  /** From sending the request to having read the whole outcome. */
  ms: number;
  /** Of it, spent in the bodies of the run's steps. */
  stepsMs: number;
}

/** What the API lets a request wait for its outcome. */
const waitSeconds = 60;
const patienceMs = 300_000;

type Answer = Outcome | { id: string; status: 'running' | 'failed' | 'cancelled' };

function hasEnded(answer: Answer): answer is Outcome {
  return 'timings' in answer && 'totalMs' in answer.timings;
}

/** Asks as a program would: one POST that waits for the outcome, and looks again if it was not there yet. @throws Error when the run failed or took too long */
export async function askOverHttp({ apiUrl, principals }: Service, question: string): Promise<TimedOutcome> {
  const begin = performance.now();
  const headers = { authorization: `Bearer ${principals.token}`, 'content-type': 'application/json' };
  let response = await fetch(`${apiUrl}/v1/questions`, {
    method: 'POST',
    headers: { ...headers, prefer: `wait=${waitSeconds}` },
    body: JSON.stringify({ question }),
  });
  let body = (await response.json()) as Answer;
  while (response.ok && body.status === 'running' && performance.now() - begin < patienceMs) {
    await pause(1000);
    response = await fetch(`${apiUrl}/v1/questions/${body.id}`, { headers });
    body = (await response.json()) as Answer;
  }
  const ms = performance.now() - begin;
  if (!response.ok || !hasEnded(body)) {
    throw new Error(`no outcome: ${response.status} ${JSON.stringify(body).slice(0, 300)}`);
  }
  return { outcome: body, ms, stepsMs: body.timings.steps.reduce((sum, step) => sum + step.ms, 0) };
}

/** Answered from what the first search found: no correction was needed. */
export function wentStraight({ outcome }: TimedOutcome): boolean {
  return outcome.verdict === 'CORRECT' && outcome.ledger.length === 0 && outcome.status === 'answered';
}
