import type { QuestionPage } from '../list-questions.ts';
import type { QuestionSummary } from '../question-view.ts';
import type { ApiClient } from './api-client.ts';

export interface RunFilter {
  status?: string;
  type?: string;
  since?: string;
}

/** The runs that fit, page after page, as many as there are. @throws CliError */
export async function* listRuns(
  api: ApiClient,
  { status, type, since, pageSize }: RunFilter & { pageSize: number },
): AsyncGenerator<QuestionSummary> {
  const query = Object.entries({ status, reason: type, since }).filter(([, value]) => value !== undefined);
  const words = new URLSearchParams({ limit: String(pageSize), ...Object.fromEntries(query) });
  for (;;) {
    const { questions, next } = await api.get<QuestionPage>(`/v1/questions?${words.toString()}`);
    yield* questions;
    if (next === null) return;
    words.set('cursor', next);
  }
}
