import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Policy } from '../../domain/contracts/policy.ts';
import type { ReviewDecision, ReviewSummary } from '../../domain/contracts/review.ts';
import type { ReviewPolicy } from '../../domain/contracts/review-policy.ts';
import { reviewedPolicy } from '../support/review-runs.ts';
import { openApiHouse, people, type ApiHouse } from './api-house.ts';

export const { ann, ben, cleo, clerk, intern, birch } = people;

/** Nothing in the corpus speaks to a question, but what is found for the query "fee list". */
const script = {
  search: (query: string) => (query === 'fee list' ? [{ id: 'p2', score: 0.9 }] : [{ id: 'p1', score: 0.1 }]),
  added: () => [{ id: 'p3', score: 0.9 }],
};

const rules = {
  'asks-first': {},
  'own-forbidden': { ownQuestion: 'forbidden' },
  'four-eyes': { fourEyes: ['confirm'] },
  'for-legal': { groups: ['legal'] },
  'short-of-time': { deadlineMinutes: 0.02 },
} satisfies Record<string, Partial<ReviewPolicy>>;

export interface Problem {
  status: number;
  code: string;
  detail: string;
  review?: ReviewSummary | null;
  finalState?: Record<string, unknown>;
}

/** An API whose runs ask a person. */
export async function openReviewHouse(): Promise<ReviewHouse> {
  const policies = Object.entries(rules).map(([name, review]): Policy => ({
    ...reviewedPolicy(review),
    name,
    tiers: [],
  }));
  return new ReviewHouse(await openApiHouse({ documents: true, policies, script }));
}

export class ReviewHouse {
  readonly api: ApiHouse;

  constructor(api: ApiHouse) {
    this.api = api;
  }

  /** The id of a question whose run waits for a person. */
  async waiting(policy: keyof typeof rules = 'asks-first', token = this.api.token): Promise<string> {
    const id = await this.asked(policy, token);
    await this.until(id, 'awaiting_review', token);
    return id;
  }

  async asked(policy: keyof typeof rules = 'asks-first', token = this.api.token): Promise<string> {
    const response = await this.api.ask('What is the late fee?', { policy, token });
    return ((await response.json()) as { id: string }).id;
  }

  async until(id: string, status: string, token = this.api.token): Promise<Record<string, unknown>> {
    for (;;) {
      const view = (await (await this.api.request(`/v1/questions/${id}`, { token })).json()) as { status: string };
      if (view.status === status) return view;
      await pause(20);
    }
  }

  get(path: string, { token }: { token: string } = ann): Promise<Response> {
    return this.api.request(`/v1/reviews${path}`, { token });
  }

  post(path: string, body: unknown, { token, key }: { token: string; key?: string } = ann): Promise<Response> {
    return this.api.request(`/v1/reviews/${path}`, {
      method: 'POST',
      token,
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key ?? randomUUID() },
      body: JSON.stringify(body),
    });
  }

  decide(
    id: string,
    decision: ReviewDecision | Record<string, unknown>,
    { token = ann.token, key = randomUUID(), round = 1 }: { token?: string; key?: string; round?: number } = {},
  ): Promise<Response> {
    return this.post(`${id}/decisions`, { round, decision }, { token, key });
  }

  /** The ids in somebody's inbox, once this many of these are there or gone: visibility lags behind. */
  async inbox(query: string, { of, many, token = ann.token }: { of: string[]; many: number; token?: string }) {
    for (;;) {
      const { reviews } = (await (await this.get(`?limit=200&${query}`, { token })).json()) as {
        reviews: { id: string }[];
      };
      const found = reviews.filter(({ id }) => of.includes(id));
      if (found.length === many) return found;
      await pause(50);
    }
  }

  close(): Promise<void> {
    return this.api.close();
  }
}

export async function problem(response: Response | Promise<Response>): Promise<Problem> {
  return (await (await response).json()) as Problem;
}
