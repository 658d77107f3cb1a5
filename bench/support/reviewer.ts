import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { QuestionView } from '../../client/question-view.ts';
import type { ReviewPage } from '../../client/review-view.ts';
import type { ReviewDecision } from '../../domain/contracts/review.ts';
import type { Service } from './ask-over-http.ts';

/** Who asks and decides over HTTP, as a script would. */
export class Reviewer {
  private readonly service: Service;

  constructor(service: Service) {
    this.service = service;
  }

  /** @returns the id of the question */
  async ask(question: string, policy: string): Promise<string> {
    const asked = await this.call('/v1/questions', { question, policy });
    if (asked.status !== 202) throw new Error(`not accepted: ${asked.status} ${await asked.text()}`);
    return ((await asked.json()) as { id: string }).id;
  }

  async question(id: string): Promise<QuestionView> {
    return (await (await this.call(`/v1/questions/${id}`)).json()) as QuestionView;
  }

  /** As soon as `reached` says so of it. */
  async questionOnce(id: string, reached: (view: QuestionView) => boolean): Promise<QuestionView> {
    for (;;) {
      const view = await this.question(id);
      if (reached(view)) return view;
      await pause(50);
    }
  }

  /** One page of 50. @param before `next` of the page before */
  async inbox(before: string | null = null): Promise<ReviewPage> {
    const response = await this.call(`/v1/reviews?limit=50${before === null ? '' : `&before=${before}`}`);
    if (!response.ok) throw new Error(`no inbox: ${response.status} ${await response.text()}`);
    return (await response.json()) as ReviewPage;
  }

  /** @returns the status of the answer; 0 where there was none */
  async decide(id: string, decision: ReviewDecision, round = 1): Promise<number> {
    try {
      const response = await this.call(`/v1/reviews/${id}/decisions`, { round, decision });
      await response.arrayBuffer();
      return response.status;
    } catch (error) {
      if (error instanceof TypeError) return 0;
      throw error;
    }
  }

  /** Goes on with a failed run. @returns the status of the answer */
  async resume(id: string): Promise<number> {
    const response = await this.call(`/v1/questions/${id}/resumption`, {});
    await response.arrayBuffer();
    return response.status;
  }

  private call(path: string, body?: object): Promise<Response> {
    const { apiUrl, principals } = this.service;
    const headers = { authorization: `Bearer ${principals.token}`, 'content-type': 'application/json' };
    if (body === undefined) return fetch(apiUrl + path, { headers });
    const sent = { ...headers, 'idempotency-key': randomUUID() };
    return fetch(apiUrl + path, { method: 'POST', headers: sent, body: JSON.stringify(body) });
  }
}
